// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite struct ExchangePublishingTests {
  @Test func anUpdateIsPublishedAtOnceAndTheNextOneTwoSecondsLater() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let first = world.handle(.updated(world.editor, world.snapshot(version: world.version(1))))
    #expect(first.published?.activities.first?.document?.version == world.version(1))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    let third = world.handle(.updated(world.editor, world.snapshot(version: world.version(3))))
    #expect(third.published == nil)
    #expect(third.wake == world.now + .seconds(2))
    world.pass(.seconds(2))
    #expect(world.handle(.timer).published?.activities.first?.document?.version == world.version(3))
    #expect(world.handle(.timer).published == nil)
  }

  @Test func s17a_aDocumentOutsideEverySyncedFolderIsNotOffered() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    var snapshot = world.snapshot()
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///home/me/private.md")
    #expect(world.handle(.updated(world.editor, snapshot)).published?.activities == [])
  }

  @Test func s17a_anActivityThatIsNotEligibleOrLacksARequiredKeyIsNotOffered() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    var snapshot = world.snapshot()
    snapshot.flags.remove(.handoff)
    #expect(world.handle(.updated(world.editor, snapshot)).published?.activities == [])
    world.pass(.seconds(2))
    snapshot.flags.insert(.handoff)
    snapshot.requiredUserInfoKeys = ["line"]
    #expect(world.handle(.updated(world.editor, snapshot)).published?.activities == [])
  }

  @Test func withdrawingEndsTheOfferAndOnlyItsOwnerMay() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other")))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    world.pass(.seconds(2))
    #expect(world.handle(.withdrew(world.other, world.activity)).published == nil)
    #expect(world.handle(.withdrew(world.editor, world.activity)).published?.activities == [])
  }

  @Test func s18c_anAppThatGoesAwayLeavesItsOfferOpenUntilItsNextHello() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    world.pass(.seconds(2))
    let left = world.handle(.disconnected(world.editor)).published
    #expect(left?.activities.first?.flags.contains(.leftOpen) == true)
    world.pass(.seconds(2))
    let back = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    #expect(back.published == nil)
    #expect(back.wake == world.now + .seconds(5))
    world.pass(.seconds(5))
    #expect(world.handle(.timer).published?.activities == [])
  }

  @Test func anAppThatIsBackBeforeItsLastConnectionEndedKeepsItsOffer() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version(1))))
    world.pass(.seconds(2))
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest()))
    let again = world.handle(.updated(world.other, world.snapshot(version: world.version(2)))).published
    #expect(again?.activities.first?.document?.version == world.version(2))
    #expect(world.handle(.disconnected(world.editor)).published == nil)
    #expect(world.machine.holder(of: world.activity) == world.other)
    world.pass(.seconds(2))
    _ = world.handle(.connected(ClientNumber(rawValue: 3), ExchangeWorld.manifest("org.stranger")))
    let theirs = world.handle(.updated(ClientNumber(rawValue: 3), world.snapshot()))
    #expect(theirs.published == nil && world.machine.holder(of: world.activity) == world.other)
  }

  @Test func whatAnAppSaysAgainAfterItsHelloIsNeverWithdrawn() {
    var world = ExchangeWorld()
    _ = world.handle(.restored(world.state([world.snapshot(version: world.version())])))
    #expect(world.handle(.connected(world.editor, ExchangeWorld.manifest())).published == nil)
    let again = world.handle(.updated(world.editor, world.snapshot(version: world.version()))).published
    #expect(again?.activities.map(\.id) == [world.activity])
    #expect(again?.activities.first?.flags.contains(.leftOpen) == false)
    world.pass(.seconds(5))
    #expect(world.handle(.timer).published == nil)
  }

  @Test func s18d_whatTheLastRunOfTheAgentOfferedStandsAfterARestart() {
    var world = ExchangeWorld()
    _ = world.handle(.restored(world.state([world.snapshot(version: world.version())])))
    _ = world.handle(.connected(world.other, ExchangeWorld.manifest("org.other")))
    let published = world.handle(.updated(world.other, other(world))).published
    #expect(published?.activities.map(\.id).contains(world.activity) == true)
    #expect(published?.activities.count == 2)
  }

  @Test func aRecordThatCannotBeWrittenIsTriedAgainAfterHalfAMinute() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    #expect(world.handle(.publishFailed).wake == world.now + .seconds(30))
    world.pass(.seconds(30))
    #expect(world.handle(.timer).published?.activities.count == 1)
  }

  @Test func aLivingActivityIsPublishedAgainEachDay() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    #expect(world.handle(.updated(world.editor, world.snapshot())).wake == world.now + .seconds(86400))
    world.pass(.seconds(86400))
    #expect(world.handle(.timer).published != nil)
  }

  private func other(_ world: ExchangeWorld) -> ActivitySnapshot {
    ActivitySnapshot(
      id: ExchangeWorld.id(9, ActivityID.self), type: "org.other.reading", appID: "org.other",
      changedAt: world.wall)
  }
}
