// SPDX-License-Identifier: MIT

/// Text that no file has, or not the one that its document is saved to: what is handed over of a document
/// that was never saved, or that cannot be saved without a question.
public struct Draft: Hashable, Sendable {
  /// Of its bytes.
  public var digest: ContentDigest
  /// In bytes, at most `byteLimit`.
  public var size: UInt64
  /// The state of the activity that it belongs to: what was typed after that is not in it.
  public var changedAt: WallTime

  /// The most bytes that are handed over.
  public static let byteLimit: UInt64 = 16 << 20

  /// Text of that digest and size, as of a state of its activity.
  public init(digest: ContentDigest, size: UInt64, changedAt: WallTime) {
    (self.digest, self.size, self.changedAt) = (digest, size, changedAt)
  }

  /// Throws `invalidBytes` for no text at all, `userInfoTooLarge` for more than is handed over: each a
  /// sentence that is shown on the other device.
  public static func check(size: Int) throws(ContinuityError) {
    guard size > 0 else { throw isEmpty }
    guard size <= byteLimit else {
      throw ContinuityError(
        .userInfoTooLarge, subject: "draft",
        description:
          "A text of \(size) bytes that is not saved is not handed over: \(byteLimit) are the most.")
    }
  }

  /// No text at all.
  public static var isEmpty: ContinuityError {
    ContinuityError(.invalidBytes, subject: "draft", description: "There is no text to hand over.")
  }
}

extension ActivitySnapshot {
  /// The draft with which the activity is continued: where nothing was typed since it was handed over, and
  /// always where no file has any of the text.
  public var continuedDraft: Draft? {
    guard let draft, document == nil || draft.changedAt == changedAt else { return nil }
    return draft
  }

  /// What is continued: the draft, or the document's version; nil without either.
  public var continuedDigest: ContentDigest? { continuedDraft?.digest ?? document?.version.digest }

  /// Whether its app has text that what is continued does not hold.
  public var hasTextAfter: Bool {
    if let continuedDraft { return continuedDraft.changedAt != changedAt }
    return needsDraft || flags.contains(.unsavedChanges)
  }

  /// What its document is called for people; the title where no file has it.
  public var shownDocument: String {
    document?.path.displayName ?? (title.isEmpty ? type : DisplayText.shown(title))
  }

  /// Whether it is of no use without a draft: no file has its text.
  public var needsDraft: Bool { flags.contains(.draft) && document == nil }
}
