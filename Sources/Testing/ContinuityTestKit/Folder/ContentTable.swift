// SPDX-License-Identifier: MIT

import ActivityModel

/// Bytes of a file without the bytes: so many of `text` were written over `under`.
///
/// Always in one shape for one sequence of bytes, so that equal values mean equal bytes, and different ones
/// different bytes.
struct Content: Hashable, Sendable {
  var text: UInt32
  var written: UInt32
  var under: UInt32
  var size: UInt32

  static let empty = Content(text: 0, written: 0, under: 0, size: 0)
}

/// All texts and records of one world: what each was made from, how long it is, and what it hashes to.
struct ContentTable {
  private struct Entry {
    var size: UInt32
    /// What a person, or an engine that merges, had before them when they made it.
    var parents: [UInt32]
    var digest: ContentDigest
    /// Real bytes, of records only.
    var bytes: [UInt8]?
  }

  private var entries: [Entry] = []
  private var mixtures: [Content: UInt32] = [:]
  private var texts: [ContentDigest: UInt32] = [:]
  /// Records by a quick code of their bytes, which are compared.
  private var records: [UInt64: [(bytes: [UInt8], content: Content)]] = [:]

  init() { _ = add(size: 0, parents: [], bytes: nil) }

  mutating func text(size: UInt32, parents: [UInt32]) -> UInt32 {
    let number = add(size: size, parents: parents, bytes: nil)
    texts[entries[Int(number)].digest] = number
    return number
  }

  /// The text that hashes to `digest`; nil for bytes that nobody ever wrote as a text.
  func text(of digest: ContentDigest) -> UInt32? { texts[digest] }

  mutating func record(_ bytes: [UInt8]) -> UInt32 {
    add(size: UInt32(clamping: bytes.count), parents: [], bytes: bytes)
  }

  /// A file that holds these bytes: the same one for the same bytes.
  mutating func wholeRecord(_ bytes: [UInt8]) -> Content {
    if bytes.isEmpty { return .empty }
    let code = QuickCode.code(bytes[...], 0)
    if let known = records[code]?.first(where: { $0.bytes == bytes }) { return known.content }
    let number = record(bytes)
    let content = whole(number)
    records[code, default: []].append((bytes, content))
    return content
  }

  private mutating func add(size: UInt32, parents: [UInt32], bytes: [UInt8]?) -> UInt32 {
    let number = UInt32(clamping: entries.count)
    entries.append(
      Entry(
        size: size, parents: parents, digest: Self.digest(UInt64(number) | UInt64(size) << 32, 0),
        bytes: bytes))
    return number
  }

  func size(of text: UInt32) -> UInt32 { entries[Int(text)].size }
  func parents(of text: UInt32) -> [UInt32] { entries[Int(text)].parents }

  func whole(_ text: UInt32) -> Content {
    let size = size(of: text)
    return Content(text: size == 0 ? 0 : text, written: size, under: 0, size: size)
  }

  /// The text that these bytes are, whole; nil for a torn or half-written file.
  func wholeText(_ content: Content) -> UInt32? {
    content.under == 0 && content.written == content.size && content.size == size(of: content.text)
      ? content.text : nil
  }

  /// The file after `written` bytes of `text` were laid over `old`, at least `size` bytes long or cut there.
  mutating func laid(_ text: UInt32, _ written: UInt32, over old: Content, size: UInt32) -> Content {
    if size == 0 { return .empty }
    let written = min(written, size, self.size(of: text))
    if written == 0, size == old.size { return old }
    if written == size, size == self.size(of: text) { return whole(text) }
    let under = written == size || old.size <= written ? 0 : layer(old)
    return Content(text: written == 0 ? 0 : text, written: written, under: under, size: size)
  }

  /// What lies below, as one number.
  private mutating func layer(_ content: Content) -> UInt32 {
    if let text = wholeText(content) { return text }
    if let known = mixtures[content] { return known }
    let number = add(size: content.size, parents: [], bytes: bytes(of: content))
    mixtures[content] = number
    return number
  }

  func digest(of content: Content) -> ContentDigest {
    if let text = wholeText(content) { return entries[Int(text)].digest }
    return Self.digest(
      UInt64(content.text) << 32 | UInt64(content.written), UInt64(content.under) << 32 | UInt64(content.size)
    )
  }

  /// The bytes of a file that holds a record, or pieces of such; nil for a text.
  func bytes(of content: Content) -> [UInt8]? {
    if let text = wholeText(content), let bytes = entries[Int(text)].bytes { return bytes }
    guard let over = entries[Int(content.text)].bytes ?? (content.text == 0 ? [] : nil) else { return nil }
    let below = entries[Int(content.under)].bytes ?? []
    var bytes = Array(over.prefix(Int(content.written)))
    if bytes.count < Int(content.size), below.count > bytes.count {
      bytes += below[bytes.count..<min(below.count, Int(content.size))]
    }
    return bytes + [UInt8](repeating: 0, count: max(0, Int(content.size) - bytes.count))
  }

  /// Whether a person who made `text` had `ancestor` before them, at any time before.
  func descends(_ text: UInt32, from ancestor: UInt32) -> Bool {
    guard text > ancestor else { return text == ancestor }
    var waiting = [text]
    var seen: Set<UInt32> = []
    while let next = waiting.popLast() {
      if next == ancestor { return true }
      for parent in parents(of: next) where parent >= ancestor && seen.insert(parent).inserted {
        waiting.append(parent)
      }
    }
    return false
  }

  private static func digest(_ first: UInt64, _ second: UInt64) -> ContentDigest {
    var seed = Randomness.mixed(first) ^ (second &* 0x9e37_79b9_7f4a_7c15)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for _ in 0..<4 {
      let word = Randomness.splitMix(&seed)
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    return ContentDigest(bytes: bytes) ?? nothing
  }

  private static let nothing = ZeroDigest.digest
}

/// 32 zero bytes, for a branch that no input reaches.
private enum ZeroDigest {
  static var digest: ContentDigest {
    guard let digest = ContentDigest(bytes: [UInt8](repeating: 0, count: 32)) else {
      preconditionFailure("a digest has 32 bytes")
    }
    return digest
  }
}
