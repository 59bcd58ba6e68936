// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

@Suite("When offers expire") struct ExchangeExpiryTests {
  private func expiring(in seconds: UInt64, _ world: ExchangeWorld) -> ActivitySnapshot {
    var snapshot = world.snapshot()
    snapshot.expiresAt = world.wall.adding(seconds: seconds)
    return snapshot
  }

  @Test func s9a_whatHasExpiredIsNotOffered() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    #expect(world.handle(.updated(world.editor, expiring(in: 0, world))).published?.activities == [])
    world.pass(.seconds(2))
    #expect(world.handle(.updated(world.editor, expiring(in: 1, world))).published?.activities.count == 1)
  }

  @Test func s9a_theRecordIsWrittenWithoutItWhenItExpires() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let actions = world.handle(.updated(world.editor, expiring(in: 3600, world)))
    #expect(actions.published?.activities.count == 1)
    #expect(actions.wake == world.now + .seconds(3600))
    world.pass(.seconds(3599))
    #expect(world.handle(.timer).published == nil)
    world.pass(.seconds(1))
    let after = world.handle(.timer)
    #expect(after.published?.activities == [])
    #expect(after.wake == nil, "nothing is due any more")
  }

  @Test func s9b_sevenDaysAfterTheLastChangeItEndsThoughItsAppStaysConnected() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let snapshot = world.snapshot()
    _ = world.handle(.updated(world.editor, snapshot))
    // Said again without a change, so that no renewal falls on the end.
    world.pass(.seconds(3600))
    _ = world.handle(.updated(world.editor, snapshot))
    var renewals = 0
    for _ in 0..<6 {
      world.pass(.seconds(86400))
      if world.handle(.timer).published?.activities.count == 1 { renewals += 1 }
    }
    #expect(renewals == 6)
    world.pass(.seconds(86400 - 3601))
    #expect(world.handle(.timer).published == nil)
    world.pass(.seconds(1))
    #expect(world.handle(.timer).published?.activities == [])
    world.pass(.seconds(86400))
    #expect(world.handle(.timer).published == nil, "an empty record is not renewed")
    let touched = world.handle(.updated(world.editor, world.snapshot()))
    #expect(touched.published?.activities.count == 1, "a change brings it back")
  }

  @Test func s9b_whatWasLeftOpenEndsAfterSevenDaysToo() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.updated(world.editor, world.snapshot()))
    world.pass(.seconds(2))
    _ = world.handle(.disconnected(world.editor))
    for _ in 0..<6 {
      world.pass(.seconds(86400))
      #expect(world.handle(.timer).published?.activities.count == 1)
    }
    world.pass(.seconds(86400 - 2))
    #expect(world.handle(.timer).published?.activities == [])
  }

  @Test func s9b_whatARestartedAgentFindsExpiredIsTakenBack() {
    var world = ExchangeWorld()
    let state = world.state([world.snapshot()])
    world.pass(.seconds(7 * 86400))
    #expect(world.handle(.restored(state)).published?.activities == [])
  }

  @Test func s9a_s9b_aReceiverIgnoresWhatHasExpiredWhateverTheRecordSays() {
    for expiry in [UInt64?.none, 3600] {
      var world = ExchangeWorld()
      _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
      var snapshot = world.snapshot()
      snapshot.expiresAt = expiry.map { world.wall.adding(seconds: $0) }
      let life = expiry ?? 7 * 86400
      let shown = world.handle(
        .received(world.desktop, name: "desktop", sequence: 1, world.state([snapshot])))
      #expect(shown.offers?.count == 1)
      // Renewed each day, as a source does that does not look at the clock.
      world.pass(.seconds(Int64(life) + 599))
      let renewed = world.handle(
        .received(world.desktop, name: "desktop", sequence: 2, world.state([snapshot])))
      #expect(renewed.offers == nil)
      #expect(renewed.wake == world.now + .seconds(1))
      world.pass(.seconds(1))
      #expect(world.handle(.timer).offers == [])
      #expect(world.handle(.accepted(world.editor, world.offer, world.request)).failure != nil)
    }
  }

  @Test func theClockAloneEndsOffersAndSetBackBringsThemBack() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    var state = world.state([world.snapshot()])
    state.lifetime = 60
    let shown = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    #expect(shown.offers?.count == 1)
    world.pass(.seconds(660))
    #expect(world.handle(.timer).offers == nil, "the other device's clock may be wrong by ten minutes")
    world.pass(.seconds(1))
    #expect(world.handle(.timer).offers == [])
    #expect(world.handle(.timer).offers == nil)
    world.wall = WallTime(milliseconds: world.wall.milliseconds - 1000)
    #expect(world.handle(.timer).offers?.count == 1)
  }
}
