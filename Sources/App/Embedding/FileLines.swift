// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import TextAnchors

/// Where the lines of a file begin, as far as it takes to find one quickly: the place of every 256th. Read in
/// pieces, so that a file of any size costs little memory.
struct LineIndex {
  /// The file that was read; another one has another index.
  let mark: FileMark
  /// The number of lines; one that ends with a line break has an empty last one.
  let lineCount: Int
  private let places: [Int]

  static let step = 256
  private static let piece = 256 * 1024

  /// Nil when the file cannot be read.
  init?(_ file: OpenedFile) {
    var places = [Self.hasByteOrderMark(file) ? 3 : 0]
    var count = 1
    var offset = places[0]
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    while true {
      guard let read = file.read(into: &bytes, at: offset) else { return nil }
      guard read > 0 else { break }
      Self.eachBreak(in: bytes, read) { place in
        if count % Self.step == 0 { places.append(offset + place + 1) }
        count += 1
      }
      offset += read
    }
    (mark, lineCount, self.places) = (file.mark, count, places)
  }

  /// A line at or before `line`, and where it begins.
  func nearest(_ line: Int) -> (line: Int, offset: Int) {
    let index = min(max(0, line) / Self.step, places.count - 1)
    return (index * Self.step, places[index])
  }

  private static func hasByteOrderMark(_ file: OpenedFile) -> Bool {
    var first = [UInt8](repeating: 0, count: 3)
    return file.read(into: &first, at: 0) == 3 && first == [0xEF, 0xBB, 0xBF]
  }

  private static func eachBreak(in bytes: [UInt8], _ count: Int, _ body: (Int) -> Void) {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var from = 0
      while from < count, let found = memchr(start + from, Int32(UInt8(ascii: "\n")), count - from) {
        let place = start.distance(to: UnsafeRawPointer(found))
        body(place)
        from = place + 1
      }
    }
  }
}

/// The lines around one line of a file: all that an anchor reads. Others seem empty.
struct FileLines: AnchorableText {
  let lineCount: Int
  private let first: Int
  private let bytes: [UInt8]
  /// Where each held line begins in `bytes`, and behind them where the next one would.
  private let starts: [Int]

  /// More than an anchor looks at on either side.
  private static let reach = 402
  private static let piece = 64 * 1024

  /// Nil when the file cannot be read.
  init?(around line: Int, of file: OpenedFile, _ index: LineIndex) {
    let line = min(max(0, line), index.lineCount - 1)
    let (near, offset) = index.nearest(line - Self.reach)
    let end = min(index.lineCount, line + Self.reach + 1)
    var bytes: [UInt8] = []
    var starts = [0]
    var piece = [UInt8](repeating: 0, count: Self.piece)
    while near + starts.count <= end {
      guard let read = file.read(into: &piece, at: offset + bytes.count) else { return nil }
      guard read > 0 else {
        // The last line has no break behind it.
        starts.append(bytes.count + 1)
        break
      }
      for place in 0..<read where piece[place] == UInt8(ascii: "\n") {
        starts.append(bytes.count + place + 1)
      }
      bytes += piece.prefix(read)
    }
    (lineCount, first, self.bytes, self.starts) = (index.lineCount, near, bytes, starts)
  }

  /// Whether a line is among those that do not only seem empty.
  func holds(_ line: Int) -> Bool { line >= first && line - first + 1 < starts.count }

  func withUTF8(ofLine line: Int, body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let held = line - first
    guard holds(line) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    var end = starts[held + 1] - 1
    if end > starts[held], bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[starts[held]..<end])) }
  }
}

extension OpenedFile {
  /// How many bytes from `offset` were read, 0 at the end; nil when that fails.
  func read(into bytes: inout [UInt8], at offset: Int) -> Int? {
    try? file.read(into: &bytes, at: offset)
  }

  /// The whole file; nil when it cannot be read.
  func contents() -> [UInt8]? {
    var contents: [UInt8] = []
    contents.reserveCapacity(Int(clamping: mark.size))
    var piece = [UInt8](repeating: 0, count: 256 * 1024)
    while let count = read(into: &piece, at: contents.count) {
      guard count > 0 else { return contents }
      contents += piece.prefix(count)
    }
    return nil
  }
}
