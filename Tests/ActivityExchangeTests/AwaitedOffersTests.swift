// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// An agent that was started again is asked to continue what only a link had told of (semantics 36d).
@Suite struct AwaitedOffersTests {
  private func started(meets: Bool = true) -> ExchangeWorld {
    var world = ExchangeWorld()
    if meets { _ = world.handle(.meetsDevices) }
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    return world
  }

  private func accept(_ world: inout ExchangeWorld) -> [AgentReport] {
    world.handle(.accepted(world.editor, world.offer, world.request)).reports.filter {
      if case .offers = $0 { false } else { true }
    }
  }

  private func failures(_ actions: [ExchangeMachine.Action]) -> [Reason?] {
    actions.reports.compactMap { if case .fail(_, let error) = $0 { error.cause } else { nil } }
  }

  private func receive(_ world: inout ExchangeWorld, _ activities: [ActivitySnapshot]) -> [ExchangeMachine
    .Action]
  {
    world.handle(.received(world.desktop, name: "desktop", sequence: 1, world.state(activities)))
  }

  @Test func s36d_itGoesOnWithWhatItsDeviceTells() {
    var world = started()
    #expect(accept(&world) == [])
    let actions = receive(&world, [world.snapshot()])
    #expect(actions.reports.contains { if case .willContinue(world.request, _) = $0 { true } else { false } })
    #expect(failures(actions) == [])
  }

  @Test func s36d_itEndsWhereItsDeviceDoesNotOfferItAnyMore() {
    var world = started()
    _ = accept(&world)
    // The first record may be an older one that lies in a folder: the newest comes over the link.
    #expect(failures(receive(&world, [])) == [])
    world.pass(ExchangeMachine.Timing().meeting)
    #expect(failures(world.handle(.timer)) == [.offerGone])
    #expect(failures(world.handle(.timer)) == [])
    #expect(failures(world.handle(.accepted(world.editor, world.offer, world.request))) == [.offerGone])
  }

  @Test func s36d_itIsCancelledAndForgottenAsAnyOther() {
    var world = started()
    _ = accept(&world)
    #expect(failures(world.handle(.cancelled(world.request))) == [.cancelled])
    _ = accept(&world)
    _ = world.handle(.disconnected(world.editor))
    #expect(receive(&world, [world.snapshot()]).reports.isEmpty)
  }

  @Test func withoutALanNothingIsAwaited() {
    var world = started(meets: false)
    #expect(failures(world.handle(.accepted(world.editor, world.offer, world.request))) == [.offerGone])
  }
}
