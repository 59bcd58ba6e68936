// SPDX-License-Identifier: MIT

public import ActivityModel

/// Whether another computer speaks as this device: its state was copied (threat T41), and is not merely set
/// back to a backup (T03).
///
/// Each run of an agent says its boot nonce in every record. A record of this device with a number that was
/// not used here yet comes from a run that this disk knows nothing of. If that run is over, the disk was set
/// back, and this device goes on above its numbers. If that run still speaks, there are two computers: it
/// says something after it was first seen, or names a number that was used in this run. Then both say one
/// last thing, without any activity, that the other can tell by the same rule; and nothing more, for each
/// would only drown the other.
public struct TwinWatch: Hashable, Sendable {
  /// A record of this device, whose seal and signature were checked.
  public struct Sighting: Hashable, Sendable {
    /// Its number.
    public var sequence: UInt64
    /// Which run of an agent wrote it.
    public var bootNonce: [UInt8]
    /// When, by that computer's clock.
    public var issuedAt: WallTime
    /// The highest number that this run had seen of another one under the same identity.
    public var acknowledged: UInt64?

    /// A sighting of that record.
    public init(sequence: UInt64, bootNonce: [UInt8], issuedAt: WallTime, acknowledged: UInt64? = nil) {
      self.sequence = sequence
      self.bootNonce = bootNonce
      self.issuedAt = issuedAt
      self.acknowledged = acknowledged
    }

    /// What the record `state` of the device `id` shows.
    public init(sequence: UInt64, state: DeviceState, of id: DeviceID) {
      self.init(
        sequence: sequence, bootNonce: state.bootNonce, issuedAt: state.issuedAt,
        acknowledged: state.acknowledgements[id])
    }
  }

  /// What a record of this device means for it.
  public enum Finding: Hashable, Sendable {
    /// Nothing.
    case known
    /// This device was set back: it goes on above that number, and its person hears of it.
    case setBack
    /// Two computers are one device: it says its last word above that number, and nothing more.
    case copied
    /// The other computer became a device of its own: this one goes on above that number.
    case released
  }

  /// The nonce of a last word with which a computer leaves its identity to the other one.
  public static let leaving = [UInt8](repeating: 0, count: 16)

  /// Whether this device has fallen silent. To be kept durably.
  public private(set) var isCopied: Bool
  /// The highest number of this device that another run used beside this one, for
  /// `DeviceState.acknowledgements`; nil when none was seen.
  public private(set) var seen: UInt64?

  private let bootNonce: [UInt8]
  private var published: ClosedRange<UInt64>?
  private var others: [[UInt8]: Run] = [:]
  private static let memory = 64

  /// Another run under this identity: when it was seen first, by this device's clock, and its highest number.
  private struct Run: Hashable, Sendable {
    var first: WallTime
    var sequence: UInt64
  }

  /// The watch of one run of an agent; `isCopied` as it was found out before.
  public init(bootNonce: [UInt8], isCopied: Bool = false) {
    self.bootNonce = bootNonce
    self.isCopied = isCopied
  }

  /// This run used the number.
  public mutating func used(_ sequence: UInt64) {
    published = (published?.lowerBound ?? sequence)...max(sequence, published?.upperBound ?? 0)
  }

  /// Takes in a record of this device; `isNews` when no number so high was used here. `wall` is this device's
  /// civil time.
  public mutating func handle(_ sighting: Sighting, isNews: Bool, wall: WallTime) -> Finding {
    if sighting.bootNonce == Self.leaving {
      guard isNews || isCopied else { return .known }
      (isCopied, others, published) = (false, [:], nil)
      return .released
    }
    guard sighting.bootNonce != bootNonce || isNews else { return .known }
    // The last word of the run before this one is no sign of life: this disk knows its number.
    if isNews || published?.contains(sighting.sequence) ?? false { seen = max(seen ?? 0, sighting.sequence) }
    let former = others[sighting.bootNonce]
    if former != nil || others.count < Self.memory {
      let highest = max(former?.sequence ?? 0, sighting.sequence)
      others[sighting.bootNonce] = Run(first: former?.first ?? wall, sequence: highest)
    }
    guard isNews, !isCopied else { return .known }
    let hasHeardThisRun = sighting.acknowledged.map { published?.contains($0) ?? false } ?? false
    let isMoving = former.map { sighting.sequence > $0.sequence && sighting.issuedAt > $0.first } ?? false
    published = nil
    guard hasHeardThisRun || isMoving else { return .setBack }
    isCopied = true
    return .copied
  }
}
