// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Saved activities of this device that a person goes on with (semantics 11f).
@Suite struct ExchangeRestoringTests {
  private var world = ExchangeWorld()
  private var offer: OfferID { world.offer }

  private mutating func hold(_ remark: Reason? = nil) -> [ExchangeMachine.Action] {
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let snapshot = world.snapshot(version: world.version())
    return world.handle(.restores(offer, deviceName: "laptop", snapshot, remark: remark))
  }

  private var isTracked: (ExchangeMachine.Action) -> Bool {
    { [offer] in if case .track(offer, _, _) = $0 { true } else { false } }
  }

  @Test mutating func whateverVersionIsHereIsOpened() {
    for arrival in [Arrival.current, .behind, .ahead, .diverged] {
      world = ExchangeWorld()
      #expect(hold().contains(where: isTracked))
      _ = world.handle(.arrival(offer, ArrivalStatus(arrival)))
      #expect(world.handle(.accepted(world.editor, offer, world.request)).opened, "\(arrival)")
    }
    for arrival in [Arrival.missing, .unreadable, .folderUnknown] {
      world = ExchangeWorld()
      _ = hold()
      _ = world.handle(.arrival(offer, ArrivalStatus(arrival)))
      #expect(!world.handle(.accepted(world.editor, offer, world.request)).opened, "\(arrival)")
    }
  }

  @Test mutating func itIsInNoListAndNobodyIsToldHowItEnded() {
    let actions = hold(.changedSinceKept(document: "plan.md"))
    #expect(!actions.contains { if case .report = $0 { true } else { false } })
    #expect(world.machine.offers(wall: world.wall) { _ in nil } == [])
    #expect(world.machine.hiddenOffers(wall: world.wall).isEmpty && world.machine.deviceReports.isEmpty)
    #expect(world.machine.saveRemark(on: offer) == .changedSinceKept(document: "plan.md"))
    _ = world.handle(.arrival(offer, ArrivalStatus(.current)))
    _ = world.handle(.accepted(world.editor, offer, world.request))
    _ = world.handle(.delivered(world.request))
    #expect(world.machine.restoredOffer(offer) != nil)
    let ended = world.handle(.outcome(world.editor, world.request, .opened))
    #expect(ended.contains(.untrack(offer)) && world.machine.restoredOffer(offer) == nil)
    #expect(!ended.contains { if case .publish = $0 { true } else { false } })
    #expect(world.machine.continued == [:] && world.machine.saveRemark(on: offer) == nil)
  }

  @Test mutating func whatIsGivenUpIsForgotten() {
    _ = hold()
    _ = world.handle(.arrival(offer, ArrivalStatus(.missing)))
    _ = world.handle(.accepted(world.editor, offer, world.request))
    #expect(world.handle(.cancelled(world.request)).contains(.untrack(offer)))
    #expect(world.machine.restoredOffer(offer) == nil)
    // And so is one whose app never comes.
    _ = hold()
    _ = world.handle(.awaitsApp(ExchangeWorld.manifest("org.other"), offer, world.request))
    world.pass(.seconds(60))
    #expect(world.handle(.timer).contains(.untrack(offer)))
  }

  @Test mutating func oneThatIsOnItsWayIsNotReplaced() {
    _ = hold()
    _ = world.handle(.arrival(offer, ArrivalStatus(.missing)))
    _ = world.handle(.accepted(world.editor, offer, world.request))
    var other = world.snapshot(version: world.version(9))
    other.title = "Other"
    _ = world.handle(.restores(offer, deviceName: "laptop", other, remark: nil))
    #expect(world.machine.restoredOffer(offer)?.title != "Other")
  }

  /// What nobody goes on with does not pile up, and what is on its way stays.
  @Test mutating func onlyEightThatDidNotBeginAreHeld() {
    for begins in [false, true] {
      world = ExchangeWorld()
      _ = hold()
      if begins { _ = world.handle(.accepted(world.editor, offer, world.request)) }
      for number in UInt8(0)..<9 {
        var snapshot = world.snapshot(version: world.version())
        snapshot.id = ExchangeWorld.id(100 + number, ActivityID.self)
        let id = OfferID(device: offer.device, activity: snapshot.id)
        _ = world.handle(.restores(id, deviceName: "laptop", snapshot, remark: nil))
      }
      #expect((world.machine.restoredOffer(offer) != nil) == begins)
    }
  }

  /// An app that does not answer does not keep the person from trying again, and its late answer is no claim.
  @Test mutating func oneThatIsNotAnsweredCanBeRestoredAgain() {
    _ = hold()
    _ = world.handle(.arrival(offer, ArrivalStatus(.current)))
    _ = world.handle(.accepted(world.editor, offer, world.request))
    _ = world.handle(.delivered(world.request))
    #expect(world.machine.appName(continuing: offer) == "Editor")
    world.pass(.seconds(60))
    _ = world.handle(.timer)
    #expect(world.machine.appName(continuing: offer) == nil)
    let ended = world.handle(.outcome(world.editor, world.request, .opened))
    #expect(!ended.contains { if case .publish = $0 { true } else { false } })
    #expect(world.machine.continued == [:])
  }
}
