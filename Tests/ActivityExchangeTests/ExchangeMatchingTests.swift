// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Which app is offered what (semantics 35), and two processes of one app.
@Suite struct ExchangeMatchingTests {
  private static let type = "org.example.sketch"
  private static let red = [UInt8](repeating: 1, count: 32)
  private static let blue = [UInt8](repeating: 2, count: 32)

  struct Pairing: CustomTestStringConvertible {
    var offered: (app: String, team: [UInt8]?)
    var asking: (app: String, team: [UInt8]?)
    var isOffered: Bool
    var testDescription: String { "\(offered.app) to \(asking.app)" }
  }

  static let pairings = [
    Pairing(offered: ("org.example.a", nil), asking: ("org.example.a", nil), isOffered: true),
    Pairing(offered: ("org.example.a", nil), asking: ("org.example.b", nil), isOffered: false),
    Pairing(offered: ("org.example.a", red), asking: ("org.example.b", red), isOffered: true),
    Pairing(offered: ("org.example.a", red), asking: ("org.example.b", blue), isOffered: false),
    // One name used by two makers is not one app.
    Pairing(offered: ("org.example.a", red), asking: ("org.example.a", blue), isOffered: false),
    Pairing(offered: ("org.example.a", red), asking: ("org.example.a", nil), isOffered: false),
    Pairing(offered: ("org.example.a", nil), asking: ("org.example.a", red), isOffered: false),
  ]

  private func offer(_ type: String, _ app: String, _ team: [UInt8]?) -> Offer {
    var snapshot = ExchangeWorld().snapshot(type: type)
    (snapshot.appID, snapshot.team) = (app, team)
    return Offer(
      id: ExchangeWorld().offer, deviceName: "desktop", snapshot: snapshot, folderName: "",
      status: ArrivalStatus(.current))
  }

  private func manifest(_ app: String, _ team: [UInt8]?, types: [String] = [type]) -> AppManifest {
    var manifest = ExchangeWorld.manifest(app, types: types)
    manifest.team = team
    return manifest
  }

  @Test(arguments: pairings) func s35a_theTeamDecidesElseTheAppItself(_ pairing: Pairing) {
    let offer = offer(Self.type, pairing.offered.app, pairing.offered.team)
    let asking = manifest(pairing.asking.app, pairing.asking.team)
    #expect(ExchangeMachine.matches(offer, manifest: asking) == pairing.isOffered)
  }

  @Test func s35a_aDocumentTypesEntryDeclaresATypeToo() {
    let offer = offer(Self.type, "org.example.a", nil)
    #expect(!ExchangeMachine.matches(offer, manifest: manifest("org.example.a", nil, types: [])))
    var entry = AppManifest.DocumentType(name: "Sketch")
    entry.activityType = Self.type
    let declaring = AppManifest(appID: "org.example.a", name: "A", documentTypes: [entry])
    #expect(ExchangeMachine.matches(offer, manifest: declaring))
  }

  @Test func s35b_aTypeThatTheAppNeverCreatesIsOfferedToIt() {
    var world = ExchangeWorld()
    let viewer = manifest("org.example.viewer", Self.red, types: ["org.example.other", Self.type])
    _ = world.handle(.connected(world.editor, viewer))
    var sketch = world.snapshot(type: Self.type)
    (sketch.appID, sketch.team) = ("org.example.drawing", Self.red)
    let state = world.state([sketch])
    let actions = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    #expect(actions.offers?.map(\.type) == [Self.type])
  }

  @Test func s35c_publicTypesBelongToNoTeam() {
    let offer = offer("public.text-editing", "org.example.a", Self.red)
    for team in [nil, Self.red, Self.blue] {
      #expect(
        ExchangeMachine.matches(
          offer, manifest: manifest("org.example.b", team, types: ["public.text-editing"])))
    }
  }

  @Test func s35a_anAppCannotSpeakForAnotherAppOrTeam() {
    var world = ExchangeWorld()
    _ = world.handle(.connected(world.editor, manifest("org.example.a", Self.red)))
    var claimed = world.snapshot(type: Self.type)
    (claimed.appID, claimed.team) = ("org.example.b", Self.blue)
    let said = world.handle(.updated(world.editor, claimed)).published?.activities.first
    #expect(said?.appID == "org.example.a" && said?.team == Self.red)
  }

  @Test func twoProcessesOfOneAppAreBothOfferedAndEachHasItsOwnActivities() {
    var world = ExchangeWorld()
    for client in [world.editor, world.other] {
      _ = world.handle(.connected(client, ExchangeWorld.manifest()))
    }
    let first = world.handle(.updated(world.editor, world.snapshot())).published?.activities
    world.pass(.seconds(2))
    #expect(world.handle(.withdrew(world.other, world.activity)).published == nil)
    #expect(world.machine.holder(of: world.activity) == world.editor)
    #expect(first?.count == 1)

    var desktop = world.snapshot(version: world.version())
    desktop.id = ExchangeWorld.id(0xbb, ActivityID.self)
    let actions = world.handle(
      .received(world.desktop, name: "desktop", sequence: 1, world.state([desktop])))
    let told = actions.compactMap { if case .report(let client, .offers) = $0 { client } else { nil } }
    #expect(told == [world.editor, world.other])
    let offer = OfferID(device: world.desktop, activity: desktop.id)
    _ = world.handle(.arrival(offer, ArrivalStatus(.current)))
    // Each asks for itself; the end of one leaves the other's activity and continuation alone.
    _ = world.handle(.accepted(world.editor, offer, world.request))
    let second = ExchangeWorld.id(2, RequestID.self)
    _ = world.handle(.accepted(world.other, offer, second))
    _ = world.handle(.disconnected(world.other))
    #expect(world.machine.isOpening(world.request, for: world.editor))
    #expect(world.machine.holder(of: world.activity) == world.editor)
  }
}
