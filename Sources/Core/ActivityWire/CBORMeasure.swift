// SPDX-License-Identifier: MIT

/// What a decoder would have to hold for a value: counted without encoding it.
struct CBORMeasure {
  private(set) var bytes = 0
  private(set) var items = 0
  private(set) var depth = 0
  /// Of the container with the most.
  private(set) var entries = 0

  init(of value: CBOR) { add(value, depth: 0) }

  /// Whether a decoder with these limits takes the encoded value.
  func fits(_ limits: CBOR.Limits) -> Bool {
    bytes <= limits.bytes && items <= limits.items && depth <= limits.depth && entries <= limits.entries
  }

  private mutating func add(_ value: CBOR, depth: Int) {
    items += 1
    switch value {
    case .unsigned(let number), .negative(let number): head(number)
    case .bytes(let content):
      head(UInt64(content.count))
      bytes += content.count
    case .text(let content):
      let count = content.utf8.count
      head(UInt64(count))
      bytes += count
    case .array(let elements):
      open(elements.count, depth: depth + 1)
      for element in elements { add(element, depth: depth + 1) }
    case .map(let fields):
      open(fields.count, depth: depth + 1)
      for field in fields {
        head(field.key)
        add(field.value, depth: depth + 1)
      }
    case .double(let number): bytes += number.isFinite ? 9 : 1
    case .bool, .null: bytes += 1
    }
  }

  private mutating func open(_ count: Int, depth: Int) {
    head(UInt64(count))
    entries = max(entries, count)
    self.depth = max(self.depth, depth)
  }

  private mutating func head(_ argument: UInt64) { bytes += 1 + CBORWriter.following(argument) }
}
