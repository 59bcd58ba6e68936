// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// Both pipes of the watch process: frames in pieces, and names that are one file's name each.
struct WatchTarget: FuzzTarget {
  static let name = "watch"
  static let longest = 4096
  static let words = CBORWords.all + [WatchCookie.name(for: [1, 2]), [0, 0, 0, 4]]

  func seeds() throws -> [[UInt8]] {
    let root = RootNumber(rawValue: 3)
    let path: [[UInt8]] = [[0x61], [0xff, 0x62]]
    let commands: [WatchCommand] = [
      .watch(root, path: Array("/home/me/Notes".utf8)), .unwatch(root), .prefer(root, paths: [path, []]),
      .poll(root),
    ]
    let hints: [FolderHint] = [
      .watching(root, folders: 300), .moved(root, from: path, to: [[0x63]], isFolder: true),
      .rescan(root, path: []), .rootLost(root, reason: "gone"), .watchLimit(root, path: path, limit: 8192),
      .synchronized(root, cookie: [1, 2, 3]), .polling(root, folders: 2, reason: "a network"),
    ]
    let changes = (0...8).compactMap { FolderHint.Change(rawValue: $0) }
      .map { FolderHint.changed(root, path: path, change: $0) }
    return commands.map { [0] + Cuts.seed() + $0.frame }
      + (hints + changes).map { [1] + Cuts.seed() + $0.frame }
      + [[0] + Cuts.seed([1]) + commands.flatMap(\.frame), [1] + Cuts.seed([5, 0]) + hints.flatMap(\.frame)]
      + [[2] + WatchCookie.name(for: [7, 8, 9])]
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let form = reader.choice(of: 3)
    if form == 2 { return try Self.checkCookie(reader.rest) }
    let cuts = reader.cuts()
    let whole = SocketTarget.read([reader.rest])
    try expect(
      whole == SocketTarget.read(cuts.pieces(of: reader.rest)), "a pipe in pieces gives other frames")
    for content in whole.contents {
      if form == 0 { try Self.checkCommand(content) } else { try Self.checkHint(content) }
    }
  }

  private static func checkCommand(_ content: [UInt8]) throws {
    guard let command = try? WatchCommand(content: content) else { return }
    let again = try? WatchCommand(content: Array(command.frame.dropFirst(4)))
    if case .prefer(let root, let paths) = command, case .prefer(root, let fitting)? = again {
      // What does not fit into a frame is left out at the end.
      return try expect(paths.starts(with: fitting), "other folders are preferred")
    }
    try expect(again == command, "a command is another one when read again")
  }

  private static func checkHint(_ content: [UInt8]) throws {
    guard let hint = try? FolderHint(content: content) else { return }
    let frame = hint.frame
    try expect(frame.count - 4 <= CBOR.Limits.message.bytes, "a hint does not fit into its frame")
    let again = try? FolderHint(content: Array(frame.dropFirst(4)))
    try expect(again?.root == hint.root, "a hint is about another root when read again")
    if case .rescan? = again {} else { try expect(again == hint, "a hint is another one when read again") }
    var appended: [UInt8] = [9]
    hint.appendFrame(to: &appended)
    try expect(appended == [9] + frame, "a hint is written in two ways")
  }

  private static func checkCookie(_ name: [UInt8]) throws {
    guard let cookie = WatchCookie.cookie(inName: name) else { return }
    try expect(WatchCookie.name(for: cookie) == name, "a cookie has two names")
    try expect(RelativePath.isName(name), "a cookie's name is no file name")
  }
}
