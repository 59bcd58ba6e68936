// SPDX-License-Identifier: MIT

import ActivityModel
import SyncEngines
import Testing

@testable import continuo

/// What setup makes of what it found, without a disk.
@Suite struct SetupPlanTests {
  private func plan(_ kept: [KeptFolder], registered: [String: String] = [:], gone: Set<String> = [])
    -> SetupPlan
  {
    let roots = registered.map { name, path in
      SyncedRoot(
        id: FolderID(bytes: Array(repeating: 7, count: 16)) ?? .random(), name: name, path: Array(path.utf8))
    }
    return SetupPlan(kept, registered: roots) { path in
      let text = String(decoding: path, as: UTF8.self)
      return gone.contains(text) ? nil : Array((text == "/link" ? "/notes" : text).utf8)
    }
  }

  private func kept(_ path: String, _ engine: SyncEngine = .syncthing, isPaused: Bool = false) -> KeptFolder {
    KeptFolder(engine: engine, label: "L", path: Array(path.utf8), isPaused: isPaused)
  }

  @Test func eachFolderHasOneState() {
    let found = plan(
      [kept("/notes"), kept("/old"), kept("/known"), kept("/known/below"), kept("/rest", isPaused: true)],
      registered: ["Known": "/known"], gone: ["/old"])
    #expect(found.places.map(\.state) == [.ready, .missing, .registered("Known"), .within("Known"), .paused])
    #expect(found.ready.map(\.path) == [Array("/notes".utf8)])
  }

  @Test func oneFolderOfTwoEnginesIsOnePlace() {
    let found = plan([kept("/notes", isPaused: true), kept("/link", .unison), kept("/notes")])
    #expect(found.places.count == 1 && found.places[0].state == .ready)
    #expect(found.places[0].engines == [.syncthing, .unison])
    #expect(plan([kept("/notes"), kept("/notes", .unison, isPaused: true)]).places[0].state == .ready)
  }

  @Test(
    arguments: [
      ("", 2, .all), (" ", 2, .all), ("", 0, .none), ("n", 2, .none), ("0", 2, .none), ("1", 2, .some([0])),
      ("2 1", 2, .some([0, 1])), ("1,2", 2, .some([0, 1])), ("2,2", 2, .some([1])), ("3", 2, .unclear),
      ("1", 0, .unclear), ("1 x", 2, .unclear), ("yes", 2, .unclear), ("/a b ", 2, .path("/a b")),
      ("~/Notes", 0, .path("~/Notes")), ("./x", 1, .path("./x")), ("-1", 2, .unclear),
      ("99999999999999999999", 2, .unclear),
    ] as [(String, Int, SetupChoice)])
  func whatIsTypedIsUnderstood(typed: String, count: Int, choice: SetupChoice) {
    #expect(SetupChoice(typed, count: count) == choice)
  }
}
