// SPDX-License-Identifier: MIT

public import ActivityModel

/// A value of the deterministic CBOR subset that records, socket messages and watch frames share
/// (RFC 8949 section 4.2.1): shortest integers, definite lengths, ascending integer map keys, no tags,
/// 64-bit finite doubles, valid UTF-8.
///
/// For every byte string `x` that `init(decoding:)` accepts, `encoded` gives `x` back.
public enum CBOR: Hashable, Sendable {
  /// Zero or a positive integer.
  case unsigned(UInt64)
  /// The negative integer -1 - n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// Any number of items, in order.
  case array([CBOR])
  /// A map with unsigned keys; encoded in ascending order.
  case map(CBORMap)
  /// True or false.
  case bool(Bool)
  /// The simple value 22.
  case null
  /// A finite number; never NaN or infinite.
  case double(Double)

  /// What a decoder may be asked to hold.
  public struct Limits: Hashable, Sendable {
    /// Nesting of containers.
    public var depth = 8
    /// Entries of one container.
    public var entries = 256
    /// Items in all.
    public var items = 2048
    /// Bytes in all.
    public var bytes = 48 * 1024

    /// Limits of records: depth 8, 256 entries, 2,048 items, 48 KiB.
    public static let record = Limits()
    /// Limits of a message between two processes of one person: 64 KiB, and deeper by an envelope.
    public static let message = Limits(depth: 12, entries: 4096, items: 16384, bytes: 64 * 1024)
    /// Limits as given.
    public init(depth: Int = 8, entries: Int = 256, items: Int = 2048, bytes: Int = 48 * 1024) {
      self.depth = depth
      self.entries = entries
      self.items = items
      self.bytes = bytes
    }
  }

  /// An integer of either sign.
  public init(_ value: Int64) {
    self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
  }

  /// The bytes of the value. Total: a NaN or infinity, which no decoder would take, becomes null.
  public var encoded: [UInt8] {
    var writer = CBORWriter()
    writer.append(self)
    return writer.bytes
  }

  /// How many bytes `encoded` has, without writing them.
  package var encodedSize: Int { CBORMeasure(of: self).bytes }

  /// The value that `bytes` hold, all of them.
  ///
  /// Throws `invalidBytes` naming the offset; allocates no more than `bytes` justify.
  public init(decoding bytes: some Collection<UInt8>, limits: Limits = .record) throws(ContinuityError) {
    var reader = CBORReader(bytes: Array(bytes), limits: limits)
    self = try reader.whole()
  }
}

struct CBORWriter {
  private(set) var bytes: [UInt8] = []

  /// A writer with room for most values.
  init() { bytes.reserveCapacity(256) }

  mutating func append(_ value: CBOR) {
    switch value {
    case .unsigned(let number): head(0, number)
    case .negative(let number): head(1, number)
    case .bytes(let content):
      head(2, UInt64(content.count))
      bytes += content
    case .text(let content):
      head(3, UInt64(content.utf8.count))
      bytes += content.utf8
    case .array(let elements):
      head(4, UInt64(elements.count))
      for element in elements { append(element) }
    case .map(let entries):
      head(5, UInt64(entries.count))
      for entry in entries {
        head(0, entry.key)
        append(entry.value)
      }
    case .bool(let flag): bytes.append(flag ? 0xf5 : 0xf4)
    case .double(let number) where number.isFinite:
      bytes.append(0xfb)
      bytes += number.bitPattern.bigEndianBytes
    case .null, .double: bytes.append(0xf6)
    }
  }

  private mutating func head(_ major: UInt8, _ argument: UInt64) {
    Self.head(major, argument, to: &bytes)
  }

  /// How many bytes the argument of a head takes after the first.
  static func following(_ argument: UInt64) -> Int {
    switch argument {
    case 0..<24: 0
    case 0...0xff: 1
    case 0...0xffff: 2
    case 0...0xffff_ffff: 4
    default: 8
    }
  }

  static func head(_ major: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
    let lead = major << 5
    let following = following(argument)
    if following == 0 { return bytes.append(lead | UInt8(argument)) }
    bytes.append(lead | UInt8(24 + following.trailingZeroBitCount))
    for place in (0..<following).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: argument >> (8 * UInt64(place))))
    }
  }
}

extension FixedWidthInteger {
  /// All its bytes, most significant first.
  public var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
