// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Documents of hostile names that another device really offers, continued in real editors with their servers
/// and agents: each is the file of that name, and no name ran (threats T50 and T54).
///
/// The plugins by themselves are tried with every name and byte in Neovim/Plugin, Emacs, Vim and VSCode.
@Suite("Hostile names in real editors", .waiting, .timeLimit(.minutes(20)))
struct HostileEditorTests {
  /// Those that would run something, and some of the others; as many together as a record holds.
  private static func batches() throws -> [[[UInt8]]] {
    let all = try HostileNames.all().filter { RelativePath(components: [$0]) != nil }
    let pwned = Array("pwned".utf8)
    let names = all.enumerated().filter { number, name in
      number.isMultiple(of: 12) || name.indices.contains { name[$0...].starts(with: pwned) }
    }.map(\.element)
    return stride(from: 0, to: names.count, by: 8).map { Array(names[$0..<min($0 + 8, names.count)]) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Offers all names from the desktop, and has `resume` continue each on the laptop: it gets the beginning
  /// of the offer's ID and the path's bytes in hexadecimal digits.
  private static func play(
    _ pair: NeovimPair, _ resume: (_ id: String, _ path: String) throws -> Void
  ) throws {
    for names in try batches() {
      for name in names { try pair.laptop.make(name, holding: "one\ntwo\n") }
      let offered = try OfferedDocuments(names, holding: "one\ntwo\n", on: pair.desktop)
      for (name, id) in zip(names, offered.activities) {
        let path = FilePath(pair.laptop.folder).appending(name)
        do {
          try resume(id.description, hexadecimal(path.bytes))
        } catch {
          throw Failure("\(path.shown) to be continued", lastSeen: "\(error)")
        }
        expectNothingRan(pair, name)
      }
    }
  }

  /// Neither where the editor was started nor in any folder of either device.
  private static func expectNothingRan(_ pair: NeovimPair, _ name: [UInt8]) {
    let traces = HostileNames.traces(below: pair.player.sandbox.directory)
    #expect(traces == [] && !FilePath("pwned").allows(), "\(DisplayText.shown(name)) ran")
  }

  @Test("In Neovim a name is a name")
  func neovim() throws {
    let pair = try NeovimPair()
    let there = try pair.editor(on: pair.laptop)
    try there.lua("require('continuo').start()")
    try there.lua("rawset(vim.o, 'statusline', \"%{%v:lua.require'continuo'.statusline()%} %f\")")
    let offers = "require('continuo.offers')"
    let isNamed = "vim.api.nvim_buf_get_name(0):gsub('.', function(c) return ('%02x'):format(c:byte()) end)"
    try Self.play(pair) { id, path in
      let found = "vim.tbl_filter(function(o) return vim.startswith(o.id, '\(id)') end, \(offers).list)[1]"
      try there.wait(for: "\(found) ~= nil")
      try there.lua("\(offers).accept(\(found))")
      try there.wait(
        for: "(\(isNamed)) == '\(path)' and vim.fn.getline(2) == 'two' and vim.fn.line('.') == 2")
      try there.lua("vim.api.nvim_exec('redraw! | ContinuoStatus', true)")
      #expect(
        try there.lua("tostring(rawget(_G, 'continuo_pwned') == nil and vim.g.continuo_pwned == nil)")
          == "true")
    }
  }

  @Test("In Emacs a name is a name")
  func emacs() throws {
    let pair = try NeovimPair()
    let there = try EmacsEditor(on: pair.laptop, flow: pair.player.flow)
    try Self.play(pair) { id, path in
      let found = "(seq-find (lambda (o) (string-prefix-p \"\(id)\" (plist-get o :id))) continuo--offers)"
      try there.wait(for: found)
      _ = try there.evaluate("(progn (continuo-resume \(found)) t)")
      let shown = "(window-buffer (frame-selected-window))"
      try there.wait(
        for: """
          (with-current-buffer \(shown)
            (and buffer-file-name (= 2 (line-number-at-pos)) (equal "one\\ntwo\\n" (buffer-string))
                 (equal "\(path)" (mapconcat (lambda (byte) (format "%02x" byte))
                                             (encode-coding-string buffer-file-name 'utf-8-unix) ""))))
          """)
      _ = try there.evaluate(
        "(with-current-buffer \(shown) (continuo-status) (format-mode-line mode-line-format) t)")
    }
  }
}
