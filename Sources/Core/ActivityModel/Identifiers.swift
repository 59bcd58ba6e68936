// SPDX-License-Identifier: MIT

/// Sixteen bytes that name one thing of one kind; the kind keeps a folder's ID from standing for a device's.
///
/// Identifiers are keys in most tables: what is asked of them there is inlined in other rooms.
public struct Identifier<Kind>: Hashable, Sendable, Comparable, CustomStringConvertible {
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64

  /// Nil unless there are exactly 16 bytes.
  @inlinable public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    (high, low) = (bytes.bigEndianWord(0), bytes.bigEndianWord(8))
  }

  /// A fresh ID. Machines take the generator as an argument, so that a history can be replayed.
  public init(using generator: inout some RandomNumberGenerator) {
    high = generator.next()
    low = generator.next()
  }

  /// A fresh ID from the system's generator; for shells, never for machines.
  public static func random() -> Self {
    // Not by way of `init(using:)`: the system's generator has no bytes, so passing it inout writes, for
    // Thread Sanitizer, to whatever lies there.
    Self(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Nil unless `hex` is 32 hexadecimal digits.
  public init?(hex: some StringProtocol) {
    guard let bytes = [UInt8](hexadecimal: hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// The sixteen bytes, most significant first.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { bytes.hexadecimal }

  /// Whether both name the same.
  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.low == right.low && left.high == right.high
  }

  /// By all sixteen bytes.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }

  /// Orders as the bytes do, so that "the smallest ID" means the same on every device.
  @inlinable public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The kind of `DeviceID`.
public enum DeviceKind {}
/// The kind of `FolderID`.
public enum FolderKind {}
/// The kind of `ActivityID`.
public enum ActivityKind {}
/// The kind of `RequestID`.
public enum RequestKind {}

/// One installation: the first 16 bytes of the SHA-256 of its public signing key.
public typealias DeviceID = Identifier<DeviceKind>
/// One synced folder; travels with the folder, in its `.continuo` directory.
public typealias FolderID = Identifier<FolderKind>
/// One `UserActivity` object, from its creation to its end.
public typealias ActivityID = Identifier<ActivityKind>
/// One continuation, chosen by the app that asks for it.
public typealias RequestID = Identifier<RequestKind>

/// Another device's activity that could be continued here.
public struct OfferID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The device that offers.
  public let device: DeviceID
  /// What that device offers.
  public let activity: ActivityID

  /// Names the offer of `activity` by `device`.
  public init(device: DeviceID, activity: ActivityID) {
    self.device = device
    self.activity = activity
  }

  /// What the command line prints and takes: the activity's ID, which is random enough to stand alone.
  public var description: String { activity.description }

  /// By device, then activity.
  @inlinable public static func < (left: Self, right: Self) -> Bool {
    (left.device, left.activity) < (right.device, right.activity)
  }
}

extension Collection<UInt8> {
  /// So many bytes from `start` on, at most 8, the most significant first; the caller has counted them.
  /// Identifiers and digests are read for each entry of each record, and byte by byte through a protocol took
  /// most of that time.
  @inlinable func bigEndianWord(_ start: Int, _ count: Int = 8) -> UInt64 {
    let word = withContiguousStorageIfAvailable { bytes in
      var word: UInt64 = 0
      for index in start..<start + count { word = word << 8 | UInt64(bytes[index]) }
      return word
    }
    return word ?? Array(self).bigEndianWord(start, count)
  }
}

extension [UInt8] {
  /// The lowest `count` bytes of `word`, the most significant first.
  mutating func append(bigEndian word: UInt64, count: Int = 8) {
    Swift.withUnsafeBytes(of: word.bigEndian) { append(contentsOf: $0[(8 - count)...]) }
  }

  /// Nil unless `text` is an even number of hexadecimal digits.
  public init?(hexadecimal text: some StringProtocol) {
    let digits = Array<UInt8>(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.hexadecimalValue(digits[index]),
        let low = Self.hexadecimalValue(digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self = bytes
  }

  /// Two lower-case digits a byte.
  public var hexadecimal: String {
    let digits = Array<UInt8>("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
