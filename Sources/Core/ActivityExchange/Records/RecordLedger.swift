// SPDX-License-Identifier: MIT

/// Which records were accepted, so that none older than those is ever believed again (records.md 7).
///
/// A value: whoever keeps it writes a changed mark durably before anybody hears of the record.
public enum RecordLedger {
  /// The newest accepted record of one device and kind.
  public struct Mark: Hashable, Sendable {
    /// Its number.
    public var sequence: UInt64
    /// The hash of its bytes.
    public var hash: [UInt8]
    /// The number of the key it is sealed with.
    public var epoch: UInt32

    /// The mark of a record that was accepted.
    public init(sequence: UInt64, hash: [UInt8], epoch: UInt32 = 1) {
      self.sequence = sequence
      self.hash = hash
      self.epoch = epoch
    }
  }

  /// What a verified record is to this device.
  public enum Verdict: Hashable, Sendable {
    /// Newer than all before it: its mark is to be made durable, then it may be believed.
    case newest
    /// The newest one again, byte by byte: believed, for this run may not have seen it yet.
    case known
    /// Older than what was accepted, or sealed with a former key: a stale or replayed copy.
    case outdated
    /// The number of the newest one with other bytes: two computers use one identity.
    case clone
  }

  /// What the record is, whose seal and signature were checked before.
  public static func verdict(on record: Mark, after mark: Mark?) -> Verdict {
    guard let mark else { return .newest }
    if record.sequence < mark.sequence || record.epoch < mark.epoch { return .outdated }
    if record.sequence > mark.sequence { return .newest }
    return record.hash == mark.hash ? .known : .clone
  }
}

/// The numbers of this device's own records: each is used once, also across crashes and restored backups
/// (threats T03, T44).
public struct SequenceCounter: Hashable, Sendable {
  /// The next number to be used.
  public private(set) var next: UInt64
  /// Numbers below this are reserved durably; what was reserved and not used is never used.
  public private(set) var reserved: UInt64

  /// Numbers are reserved in blocks of this size, so that most records need no write for theirs.
  public static let block: UInt64 = 64
  /// A number that no counter reaches is somebody's mistake, and would end ours.
  public static let limit: UInt64 = 1 << 62

  /// After a start: everything below `reserved` may have been used.
  public init(reserved: UInt64) {
    next = reserved
    self.reserved = reserved
  }

  /// What has to be reserved durably before `advance` may give the next number; nil when it is reserved.
  public var neededReservation: UInt64? { next >= reserved ? next + Self.block : nil }

  /// Others saw `seen` as a number of this device: what has to be reserved durably before `skip`; nil when
  /// it is no news, or no number that a counter reaches.
  public func reservation(toSkip seen: UInt64) -> UInt64? {
    guard seen >= next, seen < Self.limit else { return nil }
    return max(reserved, seen + 1)
  }

  /// The reservation is durable.
  public mutating func reserve(_ limit: UInt64) { reserved = max(reserved, limit) }

  /// The next number, which must be reserved.
  public mutating func advance() -> UInt64 {
    defer { next += 1 }
    return next
  }

  /// Goes on above `seen`, which must be reserved.
  public mutating func skip(through seen: UInt64) { next = max(next, seen + 1) }
}
