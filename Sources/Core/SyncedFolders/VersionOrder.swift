// SPDX-License-Identifier: MIT

public import ActivityModel

/// How local bytes stand to a version, by what both sides know of their past (semantics 45).
public enum VersionOrder {
  /// `current`, `behind`, `ahead` or `diverged`.
  ///
  /// - Parameters:
  ///   - local: what the bytes here hash to.
  ///   - history: what the path had on this device.
  /// - ancestors: ancestors of `version` that its lineage may have lost, from earlier records of its source.
  /// - isMoved: the bytes lie under another name than the version's own. An ancestor there is an older copy:
  ///   nobody was seen to go back to it under that name.
  public static func standing(
    of local: ContentDigest, to version: DocumentVersion, history: DocumentHistory = DocumentHistory(),
    ancestors: Set<DigestPrefix> = [], isMoved: Bool = false
  ) -> Arrival {
    if local == version.digest { return .current }
    let isAncestor = version.lineage.contains(local.prefix) || ancestors.contains(local.prefix)
    switch (isAncestor, history.contains(version.digest)) {
    case (true, false): return .behind
    case (false, true): return .ahead
    case (false, false): return .diverged
    case (true, true) where isMoved: return .behind
    case (true, true): return returning(local, to: version, history: history)
    }
  }

  /// Each side has had the other's version: somebody went back to an earlier text. The side that lived
  /// through more turns between the two is the later one; with as many, only a person can tell.
  private static func returning(
    _ local: ContentDigest, to version: DocumentVersion, history: DocumentHistory
  ) -> Arrival {
    let pair: Set = [local.prefix, version.digest.prefix]
    let there = turns(of: pair, in: [version.digest.prefix] + version.lineage)
    let before = history.versions.first == local.prefix ? [] : [local.prefix]
    let here = turns(of: pair, in: before + history.versions)
    if there == here { return .diverged }
    return there > here ? .behind : .ahead
  }

  private static func turns(of pair: Set<DigestPrefix>, in versions: [DigestPrefix]) -> Int {
    var turns = 0
    var last: DigestPrefix?
    for version in versions where pair.contains(version) && version != last {
      turns += 1
      last = version
    }
    return turns
  }
}
