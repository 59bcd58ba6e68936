// SPDX-License-Identifier: MIT

/// A promise that was broken in a history.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// Which promise; the numbers are those of docs/reliability.md.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// What opened is not what that device offered under that number.
    case rightDocument = "S1"
    /// The bytes that opened are not the version that was offered, and nobody chose so.
    case rightVersion = "S2"
    /// Something is offered that no member of the circle ever offered.
    case noInvention = "S3"
    /// Something is offered again although something newer was seen.
    case noResurrection = "S4"
    /// One request opened twice, or ended twice.
    case noDuplicate = "S5"
    /// The agent wrote what is not its own.
    case confinement = "S6"
    /// A title or a name can be read in a record.
    case secrecy = "S7"
    /// One number was published with different bytes.
    case monotone = "S8"
    /// Two versions were called diverged although one descends from the other.
    case noFalseDivergence = "S9"
    /// What is offered was not offered elsewhere in time after all faults had ended.
    case offeredInTime = "L1"
    /// Something is tried again and again.
    case boundedRetries = "L2"
    /// Something that should be idle is not.
    case idle = "L3"
    /// A canary that the caller asked for.
    case canary = "canary"
  }

  /// The promise.
  public var rule: Rule
  /// What happened instead, in one sentence.
  public var sentence: String
  /// In which step; steps after the faults ended go on counting.
  public var step: Int

  /// For people.
  public var description: String { "\(rule.rawValue) in step \(step): \(sentence)" }
}

/// How a history ended.
public struct Outcome: Hashable, Sendable {
  /// Broken promises, in the order in which they showed; at most eight.
  public var violations: [Violation]
  /// A hash of all that happened: equal for equal histories, in every process.
  public var trace: UInt64
  /// How many steps were taken while there were faults, and after.
  public var steps: (faulty: Int, healed: Int) { (faultySteps, healedSteps) }
  var faultySteps: Int
  var healedSteps: Int
  /// How often something of interest happened, to see that a world is not too tame.
  public var counts: [Count: Int]

  /// Events of interest, each with how often it happened.
  public enum Count: String, Hashable, Sendable, CaseIterable, Comparable {
    /// State records that agents wrote.
    case records
    /// Lists that apps were shown.
    case offers
    /// Tries to hand a document to an app.
    case deliveries
    /// Activities that reached a person.
    case opened
    /// Sources that learned of it.
    case claims
    /// Verdicts that two versions exclude each other.
    case diverged
    /// Verdicts that the local version is older.
    case behind
    /// Verdicts that the local version is newer.
    case ahead
    /// Files that an engine found changed on two sides.
    case conflicts
    /// Losses of power, and apps that died.
    case crashes
    /// Records that gave a clone away.
    case clones
    /// Devices that learned that one of them, or another, was removed.
    case removals
    /// Removals by a device that was stolen, or that others had removed.
    case retaliations
    /// Deliveries that found other bytes than expected.
    case postponed
    /// Devices that ended linked, each with each other one.
    case links
    /// Documents that were laid into the folder ahead of the engine, or written back into it.
    case laid
    /// Documents that came into private copies.
    case copied
    /// Queues of events that ran over.
    case overflows
    /// Comparisons by the oracle.
    case checks

    /// By name.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
