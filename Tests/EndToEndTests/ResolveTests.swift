// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// `continuo resolve`: a document and its conflict copies, on the command line.
@Suite(.waiting, .timeLimit(.minutes(20))) struct ResolveTests {
  private static let copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"

  private let home: Home
  private var folder: String { home.device.folder }
  private var document: String { folder + "/plan.md" }

  init() throws {
    home = try Home()
    try Scratch.write("mine", to: document)
    try Scratch.write("theirs", to: folder + "/" + Self.copy)
  }

  private var texts: [String: String] {
    let names = Scratch.names(in: folder).filter { !$0.hasPrefix(".") }
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, String(decoding: Scratch.bytes(at: folder + "/" + $0) ?? [], as: UTF8.self))
      })
  }

  @Test func withoutATerminalItListsAndTheExitCodeIsFour() throws {
    let child = try home.continuo("resolve", document)
    #expect(child.exit == .code(4), "\(child.state)")
    for word in ["2 versions", "1  the document here", "2  \(Self.copy)", "ABCDEFG", "2026-11-22 04:00:00"] {
      #expect(child.outputText.contains(word), "\(child.state)")
    }
    #expect(try home.continuo("resolve", "--list", document).exit == .code(0))
    #expect(texts == ["plan.md": "mine", Self.copy: "theirs"])
  }

  @Test func aVersionIsKeptByNumberNameOrDigest() throws {
    let json = try home.continuo("resolve", document, "--json")
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]], "\(json.state)")
    #expect(rows.map { $0["isDocument"] as? Bool } == [true, false])
    let digest = try #require(rows.last?["version"] as? String)
    for word in ["2", Self.copy, String(digest.prefix(12))] {
      for name in texts.keys { try Files.remove(folder + "/" + name) }
      try Scratch.write("mine", to: document)
      try Scratch.write("theirs", to: folder + "/" + Self.copy)
      let kept = try home.continuo("resolve", document, "--keep", word)
      #expect(kept.exit == .code(0), "\(kept.state)")
      #expect(texts["plan.md"] == "theirs" && texts.count == 2 && texts.values.contains("mine"))
      let aside = try #require(texts.keys.first { $0 != "plan.md" })
      #expect(kept.outputText.contains(aside), "\(kept.state)")
    }
  }

  @Test func whatCannotBeResolvedIsASentenceAndChangesNothing() throws {
    let before = texts
    expectSentence(try home.continuo("resolve", document, "--keep", "7"), saying: "7", "number")
    expectSentence(try home.continuo("resolve", folder + "/other.md"), saying: "other.md", "is not there")
    expectSentence(try home.continuo("resolve", folder), saying: "folder")
    let none = try home.continuo("resolve", folder + "/" + Self.copy, "--list")
    #expect(none.exit == .code(0) && none.errorText.contains("is a conflict copy of"), "\(none.state)")
    try Scratch.write("alone", to: folder + "/alone.md")
    let alone = try home.continuo("resolve", folder + "/alone.md")
    #expect(alone.exit == .code(0) && alone.outputText.contains("nothing to resolve"), "\(alone.state)")
    try Files.remove(folder + "/alone.md")
    #expect(texts == before)
  }

  @Test func theDiffToolIsThePersonsAndNoneThatTheFolderNames() throws {
    let marker = home.device.root + "/ran"
    let config = home.device.root + "/gitconfig"
    try Scratch.write(
      "[diff]\n\ttool = mine\n[difftool \"mine\"]\n\tcmd = printf merged > \\\"$LOCAL\\\"\n", to: config)
    try FilePath(folder + "/.git").makeFolder(mode: 0o755)
    for (name, text) in [
      ("HEAD", "ref: refs/heads/main\n"),
      ("config", "[diff]\n\ttool = evil\n[difftool \"evil\"]\n\tcmd = touch \(marker)\n"),
    ] { try Scratch.write(text, to: folder + "/.git/" + name) }
    let child = try onTerminal("d 1 2\nk 1\n", ["GIT_CONFIG_GLOBAL": config])
    #expect(child.exit == .code(0), "\(child.state)")
    #expect(texts["plan.md"] == "merged" && texts.values.contains("theirs"), "\(child.state)")
    #expect(!FilePath(marker).allows())
  }

  @Test func aDiffToolThatFailsOrIsNotThereChangesNothing() throws {
    for tool in ["no-such-tool", "exit 3"] {
      let child = try onTerminal("d 1 2\nq\n", [:], "--tool", tool)
      #expect(child.exit == .code(4) && child.outputText.contains("nothing was changed"), "\(child.state)")
    }
    #expect(texts == ["plan.md": "mine", Self.copy: "theirs"])
  }

  /// By script(1), which gives it a terminal.
  private func onTerminal(
    _ input: String, _ changes: [String: String], _ arguments: String...
  ) throws -> ChildProcess {
    let words = [home.sandbox.programs["continuo"], "resolve", document] + arguments
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    let environment = home.device.environment.merging(changes) { $1 }
    let child = try ChildProcess(
      "script", ["-qec", command, "/dev/null"], environment: environment, input: input)
    try child.waitForExit(within: 30)
    return child
  }

  @Test(arguments: ["", "flags"])
  func killedAfterAnyCallEveryTextIsThereAndTheDocumentIsWhole(_ refused: String) throws {
    let third = "plan (conflicted copy 2026-11-22 050000).md"
    let library = try CrashPoints.makeLibrary(in: home.device.root)
    var ended = false
    var kills = 0
    while !ended {
      for name in texts.keys { try Files.remove(folder + "/" + name) }
      try Scratch.write("mine", to: document)
      try Scratch.write("theirs", to: folder + "/" + Self.copy)
      try Scratch.write("a third", to: folder + "/" + third)
      let child = try home.continuo(
        "resolve", document, "--keep", Self.copy,
        changing: [
          "LD_PRELOAD": library, "CONTINUO_CALLS_FOLDER": folder, "CONTINUO_CALLS_REFUSED": refused,
          "CONTINUO_CALLS_LOG": home.device.root + "/calls", "CONTINUO_CALLS_LAST": "\(kills + 1)",
        ])
      #expect(Set(texts.values) == ["mine", "theirs", "a third"], "\(kills): \(texts)")
      #expect(["mine", "theirs"].contains(texts["plan.md"]), "\(kills): \(texts)")
      ended = child.exit == .code(0)
      if !ended {
        #expect(child.exit == .signal(9), "\(child.state)")
        kills += 1
        // What is left is listed, or resolved.
        let again = try home.continuo("resolve", document, "--list")
        #expect(again.exit == .code(0), "\(again.state)")
      }
      guard kills < 60 else { throw Failure("an end", lastSeen: child.state) }
    }
    #expect(kills >= 5 && texts["plan.md"] == "theirs")
  }

  @Test func hostileNamesAreResolvedAndShownClean() throws {
    for name in try HostileNames.all() where name.count < 200 {
      let place = FilePath(folder).appending(name)
      let copy = FilePath(folder).appending(name + Array(" (conflict_on_2026-11-22)".utf8))
      for (path, text) in [(place, "mine"), (copy, "theirs")] {
        try path.open([.writeOnly, .create, .truncate], mode: 0o644).writeAll(Array(text.utf8))
      }
      defer {
        try? place.unlink()
        try? copy.unlink()
      }
      guard let word = String(validating: place.bytes, as: UTF8.self) else { continue }
      let child = try home.continuo("resolve", word, "--list")
      #expect(child.outputText.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }, "\(child.state)")
    }
  }
}
