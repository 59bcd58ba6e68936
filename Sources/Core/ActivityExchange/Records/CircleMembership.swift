// SPDX-License-Identifier: MIT

public import ActivityModel

/// Who belongs to a circle, from what its devices stated (records.md 5): the rule alone, for statements
/// whose signatures somebody else has checked.
///
/// The statements only grow in number, and who belongs is a function of the set: devices that learn the same
/// statements in any order, once or many times, agree. A removal is final; it counts whoever removed its
/// signer, so that two who remove each other are both out. What a removed device let in stays where every
/// removal of it says so, whatever number or time the device wrote on its statement: with its keys, a thief
/// can write any.
public struct CircleMembership: Hashable, Sendable {
  /// What one device states about another, or about itself.
  public enum Statement: Hashable, Sendable {
    /// The device belongs.
    case added(DeviceID, by: DeviceID)
    /// The device belongs no more.
    case removed(DeviceID, by: DeviceID, Removal)
  }

  /// What a removal says besides.
  public struct Removal: Hashable, Sendable {
    /// The number of the newest record of the device that its remover believed; those above are void.
    public var lastGoodSequence: UInt64
    /// The devices that it had let in, and that stay.
    public var kept: Set<DeviceID>

    /// A removal after the record of that number.
    public init(lastGoodSequence: UInt64, kept: Set<DeviceID> = []) {
      self.lastGoodSequence = lastGoodSequence
      self.kept = kept
    }
  }

  /// The device that everybody was let in by, directly or not.
  public let founder: DeviceID
  /// The devices that belong.
  public private(set) var members: Set<DeviceID>
  /// The devices that belong no more, and never will.
  public private(set) var removed: Set<DeviceID> = []
  /// Every device that somebody let in, wrongly or not, removed or not: whose removals count.
  public private(set) var known: Set<DeviceID>
  /// Who is let in by statements that count, removed or not, by whom.
  public private(set) var admitted: [DeviceID: Set<DeviceID>] = [:]
  private var additions: [DeviceID: Set<DeviceID>] = [:]
  private var removals: [DeviceID: [DeviceID: Removal]] = [:]

  /// A circle of its founder.
  public init(founder: DeviceID) {
    self.founder = founder
    members = [founder]
    known = [founder]
  }

  /// Takes in statements; false when nothing about who belongs is changed by them.
  @discardableResult
  public mutating func insert(_ statements: some Sequence<Statement>) -> Bool {
    let before = self
    for statement in statements {
      switch statement {
      case .added(let subject, let signer): additions[signer, default: []].insert(subject)
      case .removed(let subject, let signer, let removal):
        let other = removals[subject]?[signer] ?? removal
        removals[subject, default: [:]][signer] = Self.stricter(removal, other)
      }
    }
    settle()
    return members != before.members || removed != before.removed
  }

  /// Takes in all that another device knows.
  @discardableResult
  public mutating func merge(_ other: CircleMembership) -> Bool { insert(other.statements) }

  /// All that is known, in no order.
  public var statements: [Statement] {
    additions.flatMap { signer, subjects in subjects.map { .added($0, by: signer) } }
      + removals.flatMap { subject, signed in signed.map { .removed(subject, by: $0.key, $0.value) } }
  }

  /// The last record of a removed device that still counts, as the strictest remover says; nil for a device
  /// that was not removed.
  public func lastGoodSequence(of device: DeviceID) -> UInt64? { removal(of: device)?.lastGoodSequence }

  /// Whether a record of that number is believed: not that of a stranger, nor what a removed device wrote
  /// after its last good record.
  public func counts(_ sequence: UInt64, of device: DeviceID) -> Bool {
    if let last = lastGoodSequence(of: device) { return sequence <= last }
    return members.contains(device)
  }

  /// What all who may remove say of a removed device together.
  private func removal(of device: DeviceID) -> Removal? {
    let valid = removals[device]?.filter { known.contains($0.key) }.map(\.value) ?? []
    guard let first = valid.first else { return nil }
    return valid.dropFirst().reduce(first, Self.stricter)
  }

  private static func stricter(_ one: Removal, _ other: Removal) -> Removal {
    Removal(
      lastGoodSequence: min(one.lastGoodSequence, other.lastGoodSequence),
      kept: one.kept.intersection(other.kept))
  }

  private mutating func settle() {
    (known, admitted) = reached { _, _ in true }
    removed = Set(removals.keys.filter { removal(of: $0) != nil })
    var standing = known
    // Where nobody is out all additions count.
    if !removed.isEmpty {
      let kept = removed.reduce(into: [DeviceID: Set<DeviceID>]()) { $0[$1] = removal(of: $1)?.kept }
      (standing, admitted) = reached { subject, signer in kept[signer]?.contains(subject) ?? true }
    }
    members = standing.subtracting(removed)
  }

  /// The founder, and whom additions that count lead to from there; and by whom those were let in.
  private func reached(
    _ counts: (DeviceID, DeviceID) -> Bool
  ) -> (devices: Set<DeviceID>, admitted: [DeviceID: Set<DeviceID>]) {
    var reached: Set<DeviceID> = [founder]
    var admitted: [DeviceID: Set<DeviceID>] = [:]
    var open = [founder]
    while let signer = open.popLast() {
      for subject in additions[signer] ?? [] where counts(subject, signer) {
        admitted[subject, default: []].insert(signer)
        if reached.insert(subject).inserted { open.append(subject) }
      }
    }
    return (reached, admitted)
  }
}
