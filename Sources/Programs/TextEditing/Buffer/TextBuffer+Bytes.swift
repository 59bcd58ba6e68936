// SPDX-License-Identifier: MIT

public import Continuo
import Foundation
import Glibc

extension TextBuffer {
  /// The largest file that is opened, and the most that typing makes of one: 64 MiB.
  public static let sizeLimit = 64 * 1024 * 1024

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text of a file's bytes.
  ///
  /// Throws `documentUnreadable` when they are too many, hold a NUL (a binary file), or are not UTF-8: shown
  /// with replacement characters, such a file would be damaged by the next save. `name` is for that sentence.
  public init(bytes: some Collection<UInt8>, name: String) throws(ContinuityError) {
    let read =
      bytes.withContiguousStorageIfAvailable { buffer in
        Result { () throws(ContinuityError) in
          try Self.read(buffer, name: name)
        }
      }
    if let read {
      self = try read.get()
    } else {
      self = try Self(bytes: Array(bytes), name: name)
    }
  }

  /// The file's bytes, exactly as they came where nothing was edited.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
      count = byteCount
    }
  }

  /// The same for a file: nothing is copied twice, for a person waits for it.
  var data: Data {
    guard byteCount > 0, let memory = malloc(byteCount) else { return Data(bytes) }
    copyBytes(to: UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
    return Data(bytesNoCopy: memory, count: byteCount, deallocator: .free)
  }

  private func copyBytes(to memory: UnsafeMutableRawBufferPointer) {
    var rest = memory[...]
    func put(_ bytes: some Collection<UInt8>) {
      UnsafeMutableRawBufferPointer(rebasing: rest).copyBytes(from: bytes)
      rest = rest.dropFirst(bytes.count)
    }
    if hasByteOrderMark { put(Self.byteOrderMark) }
    lines.forEach(in: 0..<lines.count) { line in
      if line.text.utf8.withContiguousStorageIfAvailable({ put($0) }) == nil { put(Array(line.text.utf8)) }
      switch line.ending {
      case .none: break
      case .lineFeed: put(CollectionOfOne(UInt8(ascii: "\n")))
      case .carriageReturnLineFeed: put([UInt8(ascii: "\r"), UInt8(ascii: "\n")])
      }
    }
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>, name: String) throws(ContinuityError) -> Self
  {
    guard bytes.count <= sizeLimit else { throw tooLarge(name) }
    let hasMark = bytes.starts(with: byteOrderMark)
    var lines: [Line] = []
    var start = hasMark ? byteOrderMark.count : 0
    if first(0, in: bytes, from: start) != nil { throw binary(name) }
    while let feed = first(UInt8(ascii: "\n"), in: bytes, from: start) {
      let hasReturn = feed > start && bytes[feed - 1] == UInt8(ascii: "\r")
      let text = try line(bytes[start..<(hasReturn ? feed - 1 : feed)], lines.count, name)
      lines.append(Line(text: text, ending: hasReturn ? .carriageReturnLineFeed : .lineFeed))
      start = feed + 1
    }
    lines.append(Line(text: try line(bytes[start...], lines.count, name), ending: .none))
    return Self(lines: lines, hasByteOrderMark: hasMark)
  }

  private static func first(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress else { return nil }
    return memchr(base + start, Int32(byte), bytes.count - start).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(base)
    }
  }

  private static func line(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ number: Int, _ name: String
  ) throws(ContinuityError) -> String {
    guard let text = String(validating: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self) else {
      throw ContinuityError(
        .documentUnreadable, subject: name,
        description: "\(name) is not UTF-8 text (line \(number + 1)): convert it first, for instance with "
          + "iconv -f ISO-8859-1 -t UTF-8.")
    }
    return text
  }

  private static func binary(_ name: String) -> ContinuityError {
    ContinuityError(
      .documentUnreadable, subject: name,
      description: "\(name) is a binary file, not text: open it with the program it was made with.")
  }

  /// What is said of a file above `sizeLimit`; also by whoever knows the size before reading.
  public static func tooLarge(_ name: String) -> ContinuityError {
    ContinuityError(
      .documentUnreadable, subject: name,
      description:
        "\(name) is larger than 64 MB, the most this editor opens: use another editor, or split it.")
  }
}
