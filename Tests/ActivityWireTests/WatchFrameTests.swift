// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing

@Suite("Frames of the watch process")
struct WatchFrameTests {
  static let root = RootNumber(rawValue: 7)
  static let odd: [[UInt8]] = [Array("a\nb".utf8), [0xff, 0x00 + 1], Array(repeating: 0x7a, count: 255)]

  static let hints: [FolderHint] =
    FolderHint.Change.allCases.map { .changed(root, path: odd, change: $0) } + [
      .watching(root, folders: .max), .moved(root, from: odd, to: [], isFolder: true),
      .moved(root, from: [odd[0]], to: odd, isFolder: false), .rescan(root, path: []),
      .rootLost(root, reason: "The folder was deleted."), .watchLimit(root, path: odd, limit: 8192),
      .synchronized(root, cookie: [1, 2, 3]), .polling(root, folders: 3, reason: "It is on nfs."),
    ]

  private func contents(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var reader = FrameBuffer()
    reader.append(bytes)
    var found: [[UInt8]] = []
    while let content = try reader.next() { found.append(content) }
    #expect(reader.isAtBoundary)
    return found
  }

  @Test("Every hint comes back as it was", arguments: hints)
  func hintRoundTrip(hint: FolderHint) throws {
    #expect(try contents(hint.frame).map { try FolderHint(content: $0) } == [hint])
  }

  @Test("A frame that is appended is the same, whatever the lengths")
  func appendedFrames() {
    let name: (Int) -> [UInt8] = { [UInt8](repeating: 0x61, count: $0) }
    let paths =
      [1, 23, 24, 255].map { [name($0)] } + [[], Array(repeating: name(3), count: 300)]
      + [Array(repeating: name(250), count: 300), Array(repeating: name(1), count: 3000)]
    var hints = Self.hints
    for root in [0, 23, 24, 255, 256, 65535, 65536, .max as UInt64] {
      hints += paths.map { .changed(RootNumber(rawValue: root), path: $0, change: .written) }
    }
    for hint in hints {
      var bytes: [UInt8] = [7]
      hint.appendFrame(to: &bytes)
      #expect(bytes == [7] + hint.frame)
    }
  }

  @Test("Every command comes back as it was")
  func commandRoundTrip() throws {
    let commands: [WatchCommand] = [
      .watch(Self.root, path: [0x2f, 0xff, 0x0a]), .unwatch(Self.root),
      .prefer(Self.root, paths: [[], Self.odd]), .poll(Self.root),
    ]
    let bytes = commands.flatMap(\.frame)
    #expect(try contents(bytes).map { try WatchCommand(content: $0) } == commands)
  }

  @Test("Frames may come in pieces of any size")
  func pieces() throws {
    let bytes = Self.hints.flatMap(\.frame)
    for size in [1, 2, 3, 5, 64, 1000] {
      var reader = FrameBuffer()
      var found: [FolderHint] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.append(bytes[start..<min(start + size, bytes.count)])
        while let content = try reader.next() { found.append(try FolderHint(content: content)) }
      }
      #expect(found == Self.hints)
      #expect(reader.isAtBoundary)
    }
  }

  @Test("Broken contents are refused, never taken for something else")
  func brokenContents() throws {
    for hint in Self.hints {
      let content = Array(hint.frame.dropFirst(4))
      for length in 0..<content.count {
        #expect(throws: ContinuityError.self) { try FolderHint(content: Array(content[..<length])) }
      }
      #expect(throws: ContinuityError.self) { try FolderHint(content: content + [0]) }
    }
    let dots = FolderHint.rescan(Self.root, path: [Array("..".utf8)]).frame.dropFirst(4)
    #expect(throws: ContinuityError.self) { try FolderHint(content: Array(dots)) }
    let relative = WatchCommand.watch(Self.root, path: Array("home".utf8)).frame.dropFirst(4)
    #expect(throws: ContinuityError.self) { try WatchCommand(content: Array(relative)) }
  }

  @Test("A length over the limit ends the stream")
  func lengthOverTheLimit() {
    var reader = FrameBuffer()
    reader.append([0x00, 0x01, 0x00, 0x01])
    #expect(throws: ContinuityError.self) { try reader.next() }
  }

  @Test("A path that no frame holds is told as a rescan of a folder above")
  func pathsTooLong() throws {
    let deep = Array(repeating: Array("d".utf8), count: 5000)
    let long = Array(repeating: Array(repeating: UInt8(0x7a), count: 255), count: 1000)
    for path in [deep, long] {
      let kept = try contents(FolderHint.changed(Self.root, path: path, change: .written).frame)
      guard case .rescan(Self.root, let above) = try FolderHint(content: kept[0]) else {
        Issue.record("not a rescan")
        return
      }
      #expect(!above.isEmpty && above.count < path.count)
      #expect(path.starts(with: above))
    }
    let move = FolderHint.moved(Self.root, from: [[0x61], [0x62]], to: [[0x61]] + long, isFolder: false)
    #expect(try FolderHint(content: try contents(move.frame)[0]) == .rescan(Self.root, path: [[0x61]]))
  }

  @Test("Cookie names are recognised, look-alikes are not")
  func cookieNames() {
    #expect(WatchCookie.name(for: [0, 255]) == Array(".continuo-cookie-00ff~".utf8))
    #expect(WatchCookie.cookie(inName: Array(".continuo-cookie-00ff~".utf8)) == [0, 255])
    for name in [
      ".continuo-cookie-~", ".continuo-cookie-0~", ".continuo-cookie-00FF~", ".continuo-cookie-00ff",
    ] {
      #expect(WatchCookie.cookie(inName: Array(name.utf8)) == nil)
    }
  }
}
