// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

/// The real program on a real terminal. With `CONTINUO_SCREENS` each last screen is also written to that
/// folder.
@Suite(.waiting, .serialized) struct ScreenTests {
  @Test func thereAreScreens() throws {
    #expect(try ScreenScript.all().count >= 12)
  }

  @Test(arguments: try ScreenScript.all())
  func theScreenShowsWhatTheScriptExpects(_ script: ScreenScript) throws {
    guard getuid() == 0 || !script.steps.contains(where: { $0.verb == "small disk" }) else {
      return  // Only root may mount the small disk.
    }
    let player = try ScreenPlayer(script)
    defer { player.stop() }
    try player.play()
    guard let folder = ProcessInfo.processInfo.environment["CONTINUO_SCREENS"] else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = script.name.replacing(".script", with: ".txt")
    try Data((player.shown.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: folder).appending(path: name))
  }
}
