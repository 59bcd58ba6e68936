// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// `webpageURL` and `referrerURL`: the web, and nothing that another scheme could start (T54).
@Suite struct ExchangeAddressTests {
  static let web = [
    "https://example.org/a%2Fb;c?q=%20x&r=1+2&&#frag?/ment", "http://user@example.org:8080/%C3%BC",
    "HTTPS://e",
  ]
  static let others = [
    "file:///etc/passwd", "FILE:///etc/passwd", "javascript:alert(1)", "vscode://file/etc/passwd", "data:,x",
    "mailto:a@example.org", "org.example.app:chapter/3", "https:", "https:javascript", "http:/etc/passwd",
    " https://example.org", "https://example.org/\nx", "httpsx://example.org", "", "//example.org", "--help",
    "https", "http//", "ssh://-oProxyCommand=x/",
  ]

  static let leftOut = Reason.addressesLeftOut("webpageURL", and: "referrerURL")

  private func snapshot(_ world: ExchangeWorld, _ url: String) -> ActivitySnapshot {
    var snapshot = world.snapshot()
    snapshot.webpageURL = url
    snapshot.referrerURL = url
    return snapshot
  }

  @Test(arguments: others) func s12b_anotherSchemeDoesNotLeaveThisDevice(_ url: String) throws {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let actions = world.handle(.updated(world.editor, snapshot(world, url)))
    let said = try #require(actions.published?.activities.first)
    #expect(said.webpageURL == nil && said.referrerURL == nil)
    #expect(world.machine.ownActivities(wall: world.wall).first?.notes == [Self.leftOut])
  }

  @Test(arguments: others) func s12b_anotherSchemeOfALyingDeviceReachesNoAppAndIsTold(_ url: String) throws {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let news = world.state([snapshot(world, url)])
    let told = world.handle(.received(world.desktop, name: "desktop", sequence: 1, news)).offers
    #expect(told?.first?.notes == [Self.leftOut])
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.first?.notes == [Self.leftOut])
    let actions = world.handle(.accepted(world.editor, world.offer, world.request))
    var opened: ActivitySnapshot?
    for case .open(_, _, _, let snapshot, _) in actions { opened = snapshot }
    #expect(opened != nil && opened?.webpageURL == nil && opened?.referrerURL == nil)
  }

  @Test(arguments: others) func s12b_whatWasLeftOpenBeforeThisReleaseIsNotSaidAgain(_ url: String) throws {
    var world = ExchangeWorld()
    _ = world.handle(.restored(world.state([snapshot(world, url)])))
    let said = world.handle(.audienceChanged).published?.activities.first
    #expect(said != nil && said?.webpageURL == nil && said?.referrerURL == nil)
  }

  @Test(arguments: web) func s12a_anAddressOfTheWebTravelsUnmodified(_ url: String) throws {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let actions = world.handle(.updated(world.editor, snapshot(world, url)))
    let said = try #require(actions.published?.activities.first)
    #expect(said.webpageURL == url && said.referrerURL == url)
    #expect(world.machine.ownActivities(wall: world.wall).first?.notes == [])
  }
}
