// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Which program an app is (threat T22): what `continuo apps` says of processes that really connected.
@Suite(.waiting) final class ConnectedAppsTests {
  private let home: Home

  init() throws {
    home = try Home()
    try home.addFolder()
  }

  deinit { home.device.endAgent() }

  /// Greets the agent at a socket with the frames in hexadecimal digits, says `ready` and stays until the
  /// agent goes; with a third word in a process that it started, after it has ended itself.
  private static let client = """
    import os, socket, sys
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    s.sendall(bytes.fromhex(sys.argv[2]))
    s.recv(1)
    if len(sys.argv) > 3 and os.fork():
        os._exit(0)
    print("ready", flush=True)
    while s.recv(1 << 16):
        pass
    """

  private static func greeting(_ manifest: AppManifest) -> String {
    let messages: [ClientMessage] = [.version(ClientMessage.currentVersion), .request(.hello(manifest))]
    return messages.flatMap { FrameBuffer.frame($0.encoded) }.map { String(format: "%02x", $0) }.joined()
  }

  private func python(_ words: String...) -> [String] {
    let greeting = Self.greeting(AppManifest(appID: "org.example.notes", name: "Notes\u{1b}[2J"))
    return ["/usr/bin/python3", "-c", Self.client, home.device.socket, greeting] + words
  }

  private func start(_ command: [String]) throws -> ChildProcess {
    let child = try ChildProcess(
      "/usr/bin/env", command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    try child.waitForOutput("a client that has greeted") { $0.contains("ready") }
    return child
  }

  private func connected() throws -> [[String: Any]] {
    let told = try home.device.continuo("apps", "connected", "--json")
    return try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
  }

  private static let interpreter = try? FilePath("/usr/bin/python3").realPath()

  @Test func anAppIsShownWithTheProgramThatItIs() throws {
    let child = try start(python())
    let path = try #require(Self.interpreter)
    let row =
      "org.example.notes  Notes\u{fffd}[2J  \(path.shown)  process \(child.process)  no sandbox"
    #expect(try home.device.continuo("apps", "connected") == row + "\n")
    #expect(try home.device.continuo("apps") == "Connected  \(row)\n")
    let app = try #require(try connected().first)
    #expect(app["identifier"] as? String == "org.example.notes")
    let program = try #require(app["program"] as? [String: Any])
    #expect(program["process"] as? Int == Int(child.process))
    #expect(program["url"] as? String == FileURL.text(of: path.bytes))
    #expect(program["sandbox"] as? String == "none" && program["sandboxName"] == nil)
  }

  @Test func anAppThatIsGoneIsShownNoMore() throws {
    let child = try start(python())
    #expect(try connected().count == 1)
    child.signal(.kill)
    try child.waitForExit()
    #expect(try connected().isEmpty)
  }

  @Test func ofAProcessThatHasEndedNothingIsShown() throws {
    let child = try ChildProcess("/usr/bin/env", python("leave"), environment: ["PATH": "/usr/bin:/bin"])
    #expect(try child.waitForExit() == .code(0))
    let app = try #require(try connected().first)
    #expect(app["identifier"] as? String == "org.example.notes" && app["program"] == nil)
    let told = try home.device.continuo("apps", "connected")
    #expect(told.contains("its program has ended") && !told.contains("python"), "\(told)")
  }

  @Test func anInstalledAppSaysWhatIsConnectedUnderItsName() throws {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    let trails = try #require(Files.text(root + "/Tests/DocumentsTests/Trails/Trails.Info.plist"))
    let place = home.device.root + "/data/continuo/apps/org.example.notes/Info.plist"
    try Files.replace(
      place, with: Array(trails.replacing("org.example.trails", with: "org.example.notes").utf8))
    let child = try start(python())
    let rows = try JSONSerialization.jsonObject(with: Data(home.device.continuo("apps", "--json").utf8))
    let connected = (rows as? [[String: Any]])?.first?["connected"] as? [[String: Any]]
    let program = connected?.first?["program"] as? [String: Any]
    #expect(program?["process"] as? Int == Int(child.process), "\(rows)")
  }

  /// As Flatpak makes it: a root of its own, with what the app is called in `/.flatpak-info`.
  @Test(arguments: [
    (
      "printf '[Application]\\nname=org.example.Sandboxed\\n' > \"$0/.flatpak-info\"", "org.example.Sandboxed"
    ),
    // What an app may put there to hold up the agent.
    ("mkfifo \"$0/.flatpak-info\"", "none"), ("ln -s /dev/zero \"$0/.flatpak-info\"", "none"),
  ]) func anAppInASandboxIsShownWithItsName(_ making: String, _ expected: String) throws {
    let script = """
      set -e
      mount -t tmpfs none "$0"
      for each in /*; do
        name="$0$each"
        if [ -L "$each" ]; then cp -P "$each" "$name"
        elif [ -d "$each" ]; then mkdir "$name" && mount --rbind "$each" "$name"
        fi
      done
      \(making)
      exec chroot "$0" "$@"
      """
    let root = home.device.root + "/root"
    try Files.makeDirectory(root)
    let namespaces = ["unshare", "-Urm", "sh", "-c", script, root]
    let trial = try ChildProcess(
      "/usr/bin/env", namespaces + ["true"], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard try trial.waitForExit() == .code(0) else {
      print("sandboxes: mount namespaces are refused here; ClientAppTests read the files alone")
      return
    }
    let child = try start(namespaces + python())
    let program = try #require(try connected().first?["program"] as? [String: Any])
    #expect(program["process"] as? Int == Int(child.process))
    #expect(program["sandbox"] as? String == (expected == "none" ? "none" : "flatpak"))
    #expect(program["sandboxName"] as? String == (expected == "none" ? nil : expected))
  }
}
