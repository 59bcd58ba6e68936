// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import SyncedFolders
import TestSupport
import Testing

@testable import fixtures

/// Recordings of real engines and editors, and what the replayer says of machines that break a rule.
@Suite(.waiting) struct ReplayTests {
  private static let recordings = URL(filePath: #filePath + "/../../../Fixtures/recordings").standardized.path

  private func recording(_ name: String) throws -> FolderRecording {
    try FolderRecording(path: Self.recordings + "/" + name + ".json")
  }

  /// A folder in which each file of the announced size seems to hold the announced bytes: what a machine
  /// concludes that trusts the size and `CLOSE_WRITE`.
  private struct Credulous: FolderContents {
    let contents: any FolderContents
    let announced: [RelativePath: (size: UInt64, digest: ContentDigest)]

    init(_ contents: any FolderContents, _ recording: FolderRecording) {
      self.contents = contents
      var announced: [RelativePath: (size: UInt64, digest: ContentDigest)] = [:]
      for entry in recording.arrival {
        guard let path = entry.path.flatMap({ RelativePath(components: $0.names) }), let size = entry.size,
          let digest = RecordedDisk.digest(entry.sha256)
        else { continue }
        announced[path] = (size, digest)
      }
      self.announced = announced
    }

    func entries(of folder: RelativePath?) -> [FolderEntry]? { contents.entries(of: folder) }
    func observe(_ path: RelativePath) -> FileObservation { contents.observe(path) }

    func digest(of path: RelativePath) -> HashOutcome {
      guard case .stable(let digest, let stamp, let quiet) = contents.digest(of: path) else {
        return .unstable
      }
      let expected = announced[path].flatMap { $0.size == stamp.size ? $0.digest : nil }
      return .stable(expected ?? digest, stamp, quiet: quiet)
    }
  }

  @Test(arguments: [
    "rsync-inplace__interrupted-transfer", "rclone-bisync__modify-same-size-same-mtime",
    "editor-gio-replace__edit-existing", "unison__rename-dir", "git-pull__conflict-edit-edit",
  ])
  func aRecordingPasses(name: String) throws {
    #expect(PlainReplay.failures(of: try recording(name)) == [])
  }

  @Test(arguments: ["rsync-inplace__interrupted-transfer", "rclone-bisync__modify-same-size-same-mtime"])
  func aMachineThatTrustsTheSizeFails(name: String) throws {
    let recording = try recording(name)
    let failures = PlainReplay.failures(of: recording) { Credulous($0, recording) }
    #expect(failures.contains { $0.hasPrefix("R2 ") }, "\(failures)")
  }

  @Test func recordingsPassOnRealFilesToo() throws {
    let watch = try RealWatch(Programs()["continuo-watch"])
    for name in ["editor-vim-yes__edit-hardlink", "unison__rename-dir", "syncthing__conflict-edit-edit"] {
      #expect(try RealReplay.failures(of: try recording(name), under: watch) == [], "\(name)")
    }
  }

  @Test(arguments: ["cp", "cp-a"])
  func aNewRecordingPasses(name: String) throws {
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    let engine = try #require(RecordedEngine.all.first { $0.id == name })
    for scenario in RecordedScenario.all {
      let file = sandbox.directory + "/\(scenario.id).json"
      try Files.replace(file, with: Array(engine.record(scenario).utf8))
      let recording = try FolderRecording(path: file)
      #expect(!recording.events.isEmpty, "\(scenario.id)")
      #expect(PlainReplay.failures(of: recording) == [], "\(scenario.id)")
    }
  }

  @Test func theClosingLineCountsRecordingsAndWhatCannotBeReadIsNamed() throws {
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    func replay(_ arguments: String...) throws -> (ChildProcess.Exit?, String) {
      let child = try ChildProcess(
        sandbox.programs["fixtures"], ["replay"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
      return (try child.waitForExit(), child.outputText)
    }
    let folder = sandbox.directory + "/recordings"
    let text = try #require(Files.text(Self.recordings + "/cp__modify-small.json"))
    try Files.makeDirectory(folder)
    try Files.writeInPlace(folder + "/good.json", Array(text.utf8))
    try Files.writeInPlace(folder + "/notes.txt", Array("no recording".utf8))
    let unknown = text.replacing("\"scenario\":", with: "\"new\":[{\"a\":1}],\"scenario\":")
      .replacing("\"id\":\"cp\"", with: "\"id\":\"unheard-of\"")
    try Files.writeInPlace(folder + "/other.json", Array(unknown.utf8))
    #expect(try replay(folder) == (.code(0), "2 passed, 0 failed\n"))

    try Files.writeInPlace(folder + "/broken.json", Array(text.utf8.dropLast(20)))
    let wrong = text.replacing("\"status\":\"arrived\"", with: "\"status\":\"never\"")
    try Files.writeInPlace(folder + "/wrong.json", Array(wrong.utf8))
    let (exit, output) = try replay(folder)
    #expect(exit == .code(1))
    #expect(output.contains("broken.json") && output.contains("continuation-sync-trace/1"))
    #expect(output.contains("wrong.json  R2 wrong claim: notes/a.txt"))
    #expect(output.hasSuffix("2 passed, 2 failed\n"))

    #expect(try replay(sandbox.directory + "/nowhere").0 == .code(2))
  }
}
