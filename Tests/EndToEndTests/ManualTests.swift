// SPDX-License-Identifier: MIT

import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Manual pages, as `make manuals` writes them.
@Suite(.waiting, .timeLimit(.minutes(20))) struct ManualTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path
  private static let generator = root + "/.build/manual-tool/debug/generate-manual"
  private static var isBuilt: Bool { FilePath(generator).allows(.execute) }

  /// Runs what `make manuals` runs.
  private static func write(to folder: String, day: String = "1767225600") throws -> [String: [UInt8]] {
    let programs = URL(filePath: try Home().sandbox.programs["continuo"]).deletingLastPathComponent().path
    let child = try ChildProcess(
      root + "/Sources/Packaging/manuals.sh", [programs, generator, "0.1", folder],
      environment: ["PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": day])
    #expect(try child.waitForExit(within: 120) == .code(0), "\(child.state)")
    var files: [String: [UInt8]] = [:]
    for part in ["man/man1", "completions"] {
      for name in Scratch.names(in: "\(folder)/\(part)") {
        files["\(part)/\(name)"] = Array((Files.text("\(folder)/\(part)/\(name)") ?? "").utf8)
      }
    }
    return files
  }

  @Test(.enabled(if: isBuilt, "`make manuals` builds what writes them"))
  func eachCommandHasAPageThatSaysItsExitCodes() throws {
    let folder = try Scratch("manuals")
    let files = try Self.write(to: folder.path)
    for command in try CommandLineTests.commands() {
      let page = "man/man1/\(command.words.joined(separator: "-")).1"
      let text = String(decoding: try #require(files[page], "\(page)"), as: UTF8.self)
      #expect(text.contains(".Dd January 1, 2026\n"), "\(page)")
      for end in command.ends where page != "man/man1/continuo-watch.1" {
        #expect(text.contains(".It \(end[0])\n"), "\(page) of \(end)")
      }
      #expect(!text.contains("\n\n") && !text.contains("Exit codes:"), "\(page)")
    }
    for name in ["continuo", "continuo-edit"] {
      for file in ["completions/\(name).bash", "completions/_\(name)", "completions/\(name).fish"] {
        #expect(files[file]?.isEmpty == false, "\(file)")
      }
    }
    for name in ["continuo-edit", "continuo-desktop", "continuo-lan"] {
      #expect(files["man/man1/\(name).1"] != nil, "\(name)")
    }
  }

  @Test(.enabled(if: isBuilt, "`make manuals` builds what writes them"))
  func theSameReleaseGivesTheSameBytes() throws {
    let (one, two) = (try Scratch("manuals"), try Scratch("manuals"))
    #expect(try Self.write(to: one.path) == Self.write(to: two.path))
  }

  @Test(.enabled(if: isBuilt, "`make manuals` builds what writes them"))
  func noReaderOfManualPagesComplains() throws {
    let folder = try Scratch("manuals")
    let pages = try Self.write(to: folder.path).keys.filter { $0.hasPrefix("man/") }.map {
      folder.path + "/" + $0
    }
    let readers = [["mandoc", "-Tlint", "-W", "warning"], ["groff", "-mandoc", "-ww", "-Tutf8", "-z"]]
    for reader in readers {
      guard SearchPath.holds(reader[0]) else {
        Skipped.say("\(reader[0]) is not installed: it does not read the manual pages")
        continue
      }
      for page in pages {
        let child = try ChildProcess(reader[0], Array(reader.dropFirst()) + [page], environment: [:])
        // mandoc has a code for what it has no more to say about than style.
        try child.waitForExit(within: 60)
        let told = (child.outputText + child.errorText).split(separator: "\n")
          .filter { !$0.contains("new sentence, new line") }
        #expect(told.isEmpty, "\(told)")
      }
    }
  }

  /// The page of `continuo watch` and `continuo-watch` is written by hand.
  @Test func thePageWrittenByHandHasEachOption() throws {
    let page = try #require(Files.text(Self.root + "/Sources/Packaging/continuo-watch.1"))
    let programs = try Home().sandbox.programs
    let helps = [
      try ChildProcess.run(programs["continuo"], ["watch", "--help"], environment: [:]),
      try ChildProcess.run(programs["continuo-watch"], ["--help"], environment: [:]),
    ]
    let options = helps.joined().matches(of: #/--([a-z]+)/#).map { String($0.1) }
    #expect(Set(options).isSuperset(of: ["json", "raw", "settled", "text"]))
    for option in Set(options).subtracting(["version"]) {
      #expect(page.contains("Fl -\(option)") || page.contains(", -\(option)"), "--\(option)")
    }
  }
}
