// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Records on links go at their own pace, and folders get the newest of them at theirs.
@Suite struct ExchangeLinkTests {
  private func linked() -> ExchangeWorld {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    _ = world.handle(.linksChanged(isLinked: true))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version(1))))
    return world
  }

  @Test func aSaveGoesOverLinksAfterAFiftyMillisecondsAndIntoFoldersWithTheNextTurn() {
    var world = linked()
    world.pass(.milliseconds(10))
    let second = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    #expect(second.saidOnLinks == nil && second.published == nil)
    #expect(second.wake == world.now + .milliseconds(40))
    world.pass(.milliseconds(40))
    let said = world.handle(.timer)
    #expect(said.saidOnLinks?.activities.first?.document?.version == world.version(2))
    #expect(said.published == nil && said.wake == world.now + .milliseconds(1950))
    world.pass(.milliseconds(60))
    let third = world.handle(.updated(world.editor, world.snapshot(version: world.version(3))))
    #expect(third.saidOnLinks?.activities.first?.document?.version == world.version(3))
    world.pass(.milliseconds(1890))
    let laid = world.handle(.timer)
    #expect(laid.contains(.layRecord) && laid.published == nil, "the record that links have")
    world.pass(.seconds(1))
    #expect(!world.handle(.timer).contains(.layRecord))
  }

  @Test func theFirstRecordIsOneForAll() {
    var world = linked()
    world.pass(.seconds(3))
    let actions = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    #expect(actions.published != nil && actions.saidOnLinks == nil && !actions.contains(.layRecord))
  }

  @Test func whatIsSaidAfterTheLastLinkWentIsSealedAnewForFolders() {
    var world = linked()
    world.pass(.milliseconds(60))
    let second = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    #expect(second.saidOnLinks != nil)
    _ = world.handle(.linksChanged(isLinked: false))
    let third = world.handle(.updated(world.editor, world.snapshot(version: world.version(3))))
    #expect(third.saidOnLinks == nil && third.published == nil)
    world.pass(.milliseconds(1940))
    let laid = world.handle(.timer)
    #expect(laid.published?.activities.first?.document?.version == world.version(3))
    #expect(!laid.contains(.layRecord))
  }

  @Test func anAgentThatEndsLaysIntoFoldersWhatLinksHave() {
    var world = linked()
    world.pass(.milliseconds(60))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    #expect(world.handle(.stopping).contains(.layRecord))
  }

  @Test func whatTheDiskRefusesIsSaidNowhereAndTriedAgain() {
    var world = linked()
    world.pass(.milliseconds(60))
    _ = world.handle(.updated(world.editor, world.snapshot(version: world.version(2))))
    let refused = world.handle(.publishFailed)
    #expect(refused.saidOnLinks == nil && refused.wake == world.now + .seconds(30))
    world.pass(.seconds(30))
    #expect(world.handle(.timer).published?.activities.first?.document?.version == world.version(2))
  }
}

extension [ExchangeMachine.Action] {
  fileprivate var saidOnLinks: DeviceState? {
    for case .publishOnLinks(let state) in self { return state }
    return nil
  }
}
