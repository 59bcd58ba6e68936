// SPDX-License-Identifier: MIT

import ActivityModel

/// The versions of one document in conflict, and what is to be done to keep one of them: pure.
///
/// No step takes a file's last name from it. What is kept gets the document's name, and everything else gets
/// a name that says what it is; so a person who chose wrongly finds each version beside the document.
public struct ConflictResolution: Hashable, Sendable {
  /// The document's name.
  public let document: [UInt8]
  /// What lies under the document's name, if anything does, then the copies, newest first.
  public let versions: [ConflictVersion]

  /// What the folder holds of `document`, in any order.
  public init(of document: [UInt8], found: [ConflictVersion]) {
    self.document = document
    versions = found.sorted { left, right in
      if left.isDocument != right.isDocument { return left.isDocument }
      if left.stamp.modified != right.stamp.modified { return left.stamp.modified > right.stamp.modified }
      return left.name.lexicographicallyPrecedes(right.name)
    }
  }

  /// What lies under the document's own name; nil when nothing does.
  public var current: ConflictVersion? { versions.first(where: \.isDocument) }
  /// The copies beside it.
  public var copies: [ConflictVersion] { versions.filter { !$0.isDocument } }

  /// The version that a person means: by its number, from 1, or by its name, which may have folders before
  /// it.
  public func version(meantBy word: [UInt8]) -> ConflictVersion? {
    if let number = Int(String(decoding: word, as: UTF8.self)), versions.indices.contains(number - 1) {
      return versions[number - 1]
    }
    let name = word.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    return versions.first { $0.name == name }
  }

  /// One thing to be done.
  public enum Step: Hashable, Sendable {
    /// The copy gets the first of these names that is free, and exchanges it with the document: each has a
    /// name at every moment, and the document's former bytes get none that another device writes to.
    case exchange(ConflictVersion, with: ConflictVersion, names: [[UInt8]])
    /// The copy gets the document's name, which no file has.
    case putBack(ConflictVersion)
    /// The version gets the first of these names that is free.
    case setAside(ConflictVersion, names: [[UInt8]])
  }

  /// What is to be done, in order, to keep `version`. `day` tells when a version was last changed, as
  /// `2026-11-22`.
  public func steps(keeping version: ConflictVersion, day: (ConflictVersion) -> String) -> [Step] {
    func aside(_ version: ConflictVersion) -> [[UInt8]] { asideNames(of: version, day: day(version)) }
    var steps: [Step] = []
    if !version.isDocument {
      steps = [current.map { .exchange(version, with: $0, names: aside($0)) } ?? .putBack(version)]
    }
    return steps + copies.filter { $0 != version }.map { .setAside($0, names: aside($0)) }
  }

  /// `plan (set aside 2026-11-22).md`; of a copy whose engine named the device, with that.
  public func asideNames(of version: ConflictVersion, day: String) -> [[UInt8]] {
    let words = ["set aside", version.device, day].compactMap { $0 }.filter { !$0.isEmpty }
    return SyncNames.namesBeside(document, what: words.joined(separator: " "))
  }

  /// Which of the versions that keeping `version` exchanges is not what was listed any more, when `now` was
  /// listed since; nil when both are. The others are looked at when their turn comes.
  public func change(since now: ConflictResolution, keeping version: ConflictVersion) -> ConflictVersion? {
    [version, current].compactMap { $0 }.first { known in
      !known.isStill(now.versions.first { $0.name == known.name })
    } ?? (current == nil ? now.current : nil)
  }
}
