// SPDX-License-Identifier: MIT

import ActivityWire
import Glibc
import TestSupport
import Testing

@testable import continuo_desktop

/// What `continuo-desktop` writes to its standard error, which the agent's unit keeps in the journal, tells
/// nothing of what a person works on (T31).
@Suite("The log of the desktop's service", .serialized) struct LogSecrecyTests {
  let desktop: ServedDesktop
  /// Beside words, bytes that make GLib complain.
  private let words = (0..<9).map { number in
    "w\(number)" + (0..<12).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "q" }
  }

  init() throws { desktop = try ServedDesktop() }

  private func path(_ word: String) -> String { "\(desktop.scratch.path)/home/\(word).md" }

  /// Orders of all kinds, that can be carried out and that cannot, with words for all that a person or
  /// another device names.
  private var orders: [[[UInt8]]] {
    let texts: [[String]] = [
      ["show", "1", words[0], words[1], words[2], "0", "", "1", "resume", words[3]],
      ["show", "1", words[0] + "\u{1b}[2J\u{202e}", "<b>\(words[1])", "", "1", "40", "0"],
      ["withdraw", "1"],
      ["open", "2", "", path(words[4]), "", "0", "0"],
      ["open", "3", "", "/nowhere/\(words[5])/plan.md", "text/plain", "0", "0"],
      ["open", "4", "", words[5], "", "0", "0"],
      ["open", "5", "", path(words[4]), "x-\(words[6])/none", "0", "0"],
      ["default", "6", "\(words[6]).md", ""],
      ["browse", "7", "", "https://example.org/\(words[7])", "0", "0"],
      ["browse", "8", "", "x-\(words[7])://a", "0", "0"],
      ["start", "9", "", "exec", words[2], "0", "2", "/nowhere/\(words[8])", path(words[4]), "0", "0"],
      ["start", "10", "", "exec", words[2], "1", "2", "true", path(words[4]), "0", "0"],
      ["start", "11", "", "entry", words[8], "0", "0"],
      ["start", "12", "", "entry", "broken", "0", "0"],
      ["open", "13", "", path(words[4]), "text/x-broken", "0", "0"],
    ]
    let odd: [[UInt8]] = [
      Array("show".utf8), Array("2".utf8), Array(words[0].utf8) + [0xff], [0xfe], [], [0x30], [], [0x30],
    ]
    return texts.map { $0.map { Array($0.utf8) } } + [odd]
  }

  /// A desktop entry that GLib cannot start, for a type of its own.
  private func addBrokenEntry() throws {
    try Scratch.write(
      "[Desktop Entry]\nType=Application\nName=\(words[8])\nMimeType=text/x-broken;\nExec=/bin/sh -c \"%k\n",
      to: "\(desktop.scratch.path)/data/applications/broken.desktop")
    try Scratch.write(
      "[Default Applications]\ntext/x-broken=broken.desktop\n",
      to: "\(desktop.scratch.path)/config/mimeapps.list")
  }

  @Test(arguments: ["willing", "refusing"]) func whateverIsOrderedTheLogTellsNothing(_ mode: String) throws {
    try addBrokenEntry()
    try Scratch.write("# \(words[4])\n", to: path(words[4]))
    let (service, _) = try desktop.notifying(mode: mode)
    var answered: Set<String> = []
    for order in orders { try service.send(bytes: DesktopFrame.bytes(of: order)) }
    while answered.count < 12 {
      let answer = try service.next()
      if ["done", "failed"].contains(answer[0]) { answered.insert(answer[1]) }
    }
    // An order that is none, after which it ends.
    try service.send("show", words[0], words[1])
    #expect(try service.exitStatus() == 1)
    try expectNothing(in: service.errorText(), orMore: "is cut")
  }

  @Test func neitherOfItsShortLivesTellsAnything() throws {
    try Scratch.write("<xbel>\(words[0])", to: "\(desktop.scratch.path)/home/list")
    let list = Array("\(desktop.scratch.path)/home/list".utf8)
    let fields: [(mode: String, request: [[UInt8]])] = [
      ("recent", [list, Array(path(words[1]).utf8), Array(words[2].utf8), Array(words[3].utf8)]),
      ("recent", [list + Array("/\(words[4])".utf8), Array(path(words[1]).utf8), [0xff], []]),
      ("recent", [Array(words[5].utf8)]), ("type", [Array("\(words[6]).md".utf8), Array("0".utf8)]),
      (words[7], []),
    ]
    for (mode, request) in fields {
      let program = try ServedDesktop.program([mode], environment: desktop.environment)
      try program.send(bytes: DesktopFrame.bytes(of: request))
      program.closeInput()
      _ = try program.exitStatus()
      try expectNothing(in: program.errorText(), orMore: "")
    }
  }

  private func expectNothing(in log: String, orMore sentence: String) throws {
    #expect(log.contains(sentence), "it says what it says: \(log)")
    for word in words { #expect(!log.contains(word), "the log tells \(word): \(log)") }
    #expect(!log.contains(desktop.scratch.path + "/home"), "the log tells a path: \(log)")
  }
}
