// SPDX-License-Identifier: MIT

public import ActivityModel

/// The last look before a document is handed over: do the bytes that were just read from the opened file
/// stand as the person was told?
public enum DeliveryCheck {
  /// How long unknown bytes must have lain still before they count as somebody's version.
  public static let settled = Duration.seconds(1)

  /// How the bytes stand; nil when that is not what was agreed to, and the wait goes on.
  ///
  /// - Parameters:
  ///   - digest: what the opened file hashed to.
  ///   - quiet: how long before the reading the file had last changed.
  ///   - version: the version meant.
  ///   - history: what the version's own path had on this device.
  ///   - isMoved: whether the bytes lie under another name.
  ///   - agreed: the status in which the continuation was let through: found by looking, or chosen.
  public static func standing(
    of digest: ContentDigest, quiet: Duration, to version: DocumentVersion, history: DocumentHistory,
    isMoved: Bool = false, agreed: ArrivalStatus
  ) -> ArrivalStatus? {
    if digest == version.digest { return agreed.arrival == .current ? agreed : ArrivalStatus(.current) }
    guard agreed.arrival == .ahead else { return agreed.arrival == .current ? nil : agreed }
    let standing = VersionOrder.standing(of: digest, to: version, history: history, isMoved: isMoved)
    let isSettled = history.contains(digest) || quiet >= settled
    return standing == .ahead && isSettled ? agreed : nil
  }

  /// Whether both mean the same bytes at the same place, whatever their lineages know: another state may have
  /// come while a long document was read.
  public static func isSame(_ left: DocumentReference?, as right: DocumentReference?) -> Bool {
    left?.folder == right?.folder && left?.path == right?.path
      && left?.version.digest == right?.version.digest
  }
}
