// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// What was typed on another device is saved there before it is continued here (semantics 36c).
@Suite struct ExchangeSavingTests {
  /// An offer of a document that is here, whose app on the desktop has text that is not saved.
  private func offered(isLinked: Bool = true, flags: ActivityFlags = [.unsavedChanges]) -> ExchangeWorld {
    var world = ExchangeWorld()
    _ = world.handle(.linksChanged(isLinked: isLinked))
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    receive(&world, 7, sequence: 1, flags: flags)
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    return world
  }

  @discardableResult
  private func receive(
    _ world: inout ExchangeWorld, _ version: UInt8, sequence: UInt64, flags: ActivityFlags = []
  ) -> [ExchangeMachine.Action] {
    var snapshot = world.snapshot(version: world.version(version))
    snapshot.flags = flags
    return world.handle(
      .received(world.desktop, name: "desktop", sequence: sequence, world.state([snapshot])))
  }

  private func asks(_ actions: [ExchangeMachine.Action]) -> Int {
    actions.count { if case .askSave = $0 { true } else { false } }
  }

  private func accept(_ world: inout ExchangeWorld) -> [ExchangeMachine.Action] {
    world.handle(.accepted(world.editor, world.offer, world.request))
  }

  private func causes(_ actions: [ExchangeMachine.Action]) -> [Reason?] {
    actions.reports.compactMap { if case .progress(_, let status) = $0 { status.cause } else { nil } }
  }

  @Test func s36c_itsDeviceIsAskedAndWhatItSavesIsAwaited() {
    var world = offered()
    let actions = accept(&world)
    #expect(asks(actions) == 1 && !actions.opened)
    #expect(causes(actions) == [.beingSaved(document: "plan.md", device: "desktop")])
    // The answer may come before the record, and the record before the document.
    let saved = SaveOutcome.saved(world.version(8).digest, hasTextAfter: false)
    #expect(!world.handle(.saveEnded(world.offer, saved)).opened)
    #expect(!world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
    #expect(!receive(&world, 8, sequence: 2).opened, "it is looked for")
    let come = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    #expect(come.opened && world.machine.saveRemark(on: world.offer) == nil)
  }

  @Test func s36c_anAnswerOfTheVersionThatIsHereOpensIt() {
    var world = offered()
    _ = accept(&world)
    #expect(!receive(&world, 8, sequence: 2, flags: [.unsavedChanges]).opened)
    #expect(!world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
    let saved = SaveOutcome.saved(world.version(8).digest, hasTextAfter: true)
    #expect(world.handle(.saveEnded(world.offer, saved)).opened)
    #expect(
      world.machine.saveRemark(on: world.offer) == .savedBefore(document: "plan.md", device: "desktop"))
  }

  @Test func s36c_aDeviceThatSavesByItselfIsNotWaitedFor() {
    var world = offered()
    _ = accept(&world)
    receive(&world, 8, sequence: 2)
    #expect(world.handle(.arrival(world.offer, ArrivalStatus(.current))).opened)
    #expect(!world.handle(.saveEnded(world.offer, .notSaved("late"))).opened)
    #expect(world.machine.saveRemark(on: world.offer) == nil)
  }

  @Test(arguments: ["", "It is being printed."]) func s36c_aRefusalOpensWhatWasSaved(message: String) {
    var world = offered()
    _ = accept(&world)
    #expect(world.handle(.saveEnded(world.offer, .notSaved(message))).opened)
    let told = message.isEmpty ? nil : message
    #expect(
      world.machine.saveRemark(on: world.offer)
        == .notSaved(document: "plan.md", device: "desktop", message: told))
    // What is saved later is no more than what it was.
    receive(&world, 8, sequence: 2)
    #expect(world.machine.saveRemark(on: world.offer) == nil)
  }

  @Test func s36c_nobodyWaitsLongerThanTheTime() {
    var world = offered()
    _ = accept(&world)
    world.pass(.seconds(11) - .nanoseconds(1))
    #expect(!world.handle(.timer).opened)
    world.pass(.nanoseconds(1))
    #expect(world.handle(.timer).opened)
    #expect(
      world.machine.saveRemark(on: world.offer)
        == .notSaved(document: "plan.md", device: "desktop", message: nil), "and it is told why")
  }

  /// What came beside the folder meanwhile is told once more, for it was no use while a save was awaited.
  @Test func s36c_whatCameAsideMeanwhileIsOpenedAfterwards() {
    var world = offered()
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.behind)))
    _ = accept(&world)
    #expect(!world.handle(.arrivedAside(world.offer, ArrivalStatus(.current))).opened)
    let ended = world.handle(.saveEnded(world.offer, .notSaved("")))
    #expect(ended.contains { if case .track(world.offer, _, isAwaited: true) = $0 { true } else { false } })
    #expect(world.handle(.arrivedAside(world.offer, ArrivalStatus(.current))).opened)
  }

  @Test(arguments: [[], [.unsavedChanges, .leftOpen]] as [ActivityFlags])
  func s36c_whatHasNoUnsavedTextIsOpenedAtOnce(flags: ActivityFlags) {
    var world = offered(flags: flags)
    let actions = accept(&world)
    #expect(actions.opened && asks(actions) == 0)
  }

  @Test func s36c_withoutALinkNobodyIsAsked() {
    var world = offered(isLinked: false)
    let actions = accept(&world)
    #expect(actions.opened && asks(actions) == 0)
    world = offered()
    _ = accept(&world)
    #expect(world.handle(.saveEnded(world.offer, .notAsked)).opened, "a link to another device")
  }

  /// It is asked once for all that wait, and not again by an app that is back.
  @Test func s36c_itIsAskedOnce() {
    var world = offered()
    #expect(asks(accept(&world)) == 1)
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    let second = ExchangeWorld.id(0x02, RequestID.self)
    #expect(asks(world.handle(.accepted(world.other, world.offer, second))) == 0)
    _ = world.handle(.disconnected(world.editor))
    let back = ClientNumber(rawValue: 9)
    let actions = world.handle(.connected(back, ExchangeWorld.manifest()))
    #expect(asks(actions) == 0 && !actions.opened)
    let opened = world.handle(.saveEnded(world.offer, .notSaved("")))
    #expect(opened.count { if case .open = $0 { true } else { false } } == 2, "both go on")
  }

  @Test func s36c_anAppThatIsStartedForItFindsItAsked() {
    var world = offered()
    _ = world.handle(.disconnected(world.editor))
    let start = ExchangeMachine.Event.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request)
    #expect(asks(world.handle(start)) == 1)
    receive(&world, 8, sequence: 2)
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    let actions = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    #expect(actions.opened && asks(actions) == 0)
  }

  /// A person who wants what is here need not wait for more.
  @Test func s36c_whoChoosesWhatIsHereGetsIt() {
    var world = offered()
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.behind)))
    _ = accept(&world)
    #expect(world.handle(.chose(world.request, .openHere)).opened)
  }

  /// Each acceptance waits once, and what another app's person chooses leaves the others waiting.
  @Test func s36c_whatOneChoosesOrBeginsIsNothingToTheOthers() {
    var world = offered()
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    let second = ExchangeWorld.id(0x02, RequestID.self)
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.behind)))
    _ = accept(&world)
    _ = world.handle(.accepted(world.other, world.offer, second))
    #expect(world.handle(.chose(world.request, .openHere)).opened)
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    #expect(world.handle(.saveEnded(world.offer, .notSaved(""))).opened, "the other one")
    // One that has waited waits no more though another one begins to.
    var again = offered()
    _ = again.handle(.connected(again.other, ExchangeWorld.manifest()))
    _ = again.handle(.arrival(again.offer, ArrivalStatus(.behind)))
    _ = accept(&again)
    _ = again.handle(.saveEnded(again.offer, .notSaved("")))
    #expect(asks(again.handle(.accepted(again.other, again.offer, second))) == 1)
    #expect(again.handle(.arrival(again.offer, ArrivalStatus(.current))).opened)
  }
}
