// SPDX-License-Identifier: MIT

/// Bytes of a text that are no white space, in order, each with its place. They are what an anchor compares:
/// indentation, line breaks and the width of lines leave them as they are.
struct Content {
  var bytes: [UInt8] = []
  var places: [BytePlace] = []

  /// Where the scalar begins that `index` lies in; `index` itself between two, and at a byte that is in none,
  /// as texts in another encoding have them.
  func scalarBeginning(at index: Int) -> Int {
    guard index < bytes.count else { return index }
    var start = index
    while start > 0, index - start < 3, bytes[start].isContinuation { start -= 1 }
    let length = bytes.withUnsafeBufferPointer { $0.scalarLength(at: start) }
    // What ends one line and what begins the next make no scalar.
    let isWhole =
      places[start].line == places[index].line && places[index].byte - places[start].byte == index - start
    return isWhole && start + length > index ? start : index
  }
}

/// How far one looks for content, so that no text makes it long.
enum ReadingLimit {
  /// Lines passed in one direction: enough for as many bytes as are asked for, one in each.
  static let lines = 400
  /// Bytes read of one of them.
  static let bytesOfLine = 4096
  /// Content bytes that a line's fingerprint covers.
  static let fingerprint = 128
}

extension AnchorableText {
  /// The last `limit` content bytes before `place`, in the text's order.
  func content(before place: BytePlace, limit: Int) -> Content {
    var found = Content()
    var line = place.line
    var end = place.byte
    while line >= 0, line > place.line - ReadingLimit.lines, found.bytes.count < limit {
      withUTF8(ofLine: line) { bytes in
        var index = min(end, bytes.count)
        let stop = max(0, index - ReadingLimit.bytesOfLine)
        while index > stop, found.bytes.count < limit {
          index -= 1
          guard bytes[index].isContent else { continue }
          found.bytes.append(bytes[index])
          found.places.append(BytePlace(line: line, byte: index))
        }
      }
      line -= 1
      end = .max
    }
    found.bytes.reverse()
    found.places.reverse()
    return found
  }

  /// The first `limit` content bytes from `place` on.
  func content(after place: BytePlace, limit: Int) -> Content {
    var found = Content()
    var line = place.line
    var start = place.byte
    while line < lineCount, line < place.line + ReadingLimit.lines, found.bytes.count < limit {
      withUTF8(ofLine: line) { bytes in
        var index = start
        let stop = min(bytes.count, index + ReadingLimit.bytesOfLine)
        while index < stop, found.bytes.count < limit {
          if bytes[index].isContent {
            found.bytes.append(bytes[index])
            found.places.append(BytePlace(line: line, byte: index))
          }
          index += 1
        }
      }
      line += 1
      start = 0
    }
    return found
  }

  /// FNV-1a of a line's first content bytes, and how many these are; nil for a line without content.
  func fingerprint(ofLine line: Int) -> (hash: UInt32, length: Int)? {
    var hash: UInt32 = 0x811C_9DC5
    var length = 0
    withUTF8(ofLine: line) { bytes in
      var index = 0
      let stop = min(bytes.count, ReadingLimit.bytesOfLine)
      while index < stop, length < ReadingLimit.fingerprint {
        if bytes[index].isContent {
          hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193
          length += 1
        }
        index += 1
      }
    }
    return length > 0 ? (hash, length) : nil
  }

  /// Fingerprints of the lines nearest to `line` on one side (`step` is 1 or -1) that have content.
  func fingerprints(from line: Int, step: Int, count: Int) -> [UInt32] {
    var found: [UInt32] = []
    var next = line
    var looked = 0
    while next >= 0, next < lineCount, looked < ReadingLimit.lines, found.count < count {
      if let print = fingerprint(ofLine: next) { found.append(print.hash) }
      next += step
      looked += 1
    }
    return found
  }
}
