// SPDX-License-Identifier: MIT

/// How far a content is from the one that it was counted from: edits, less edits taken back.
struct ChangeCount: Hashable {
  private var count = 0
  /// Other edits took the place of some that were taken back: no number of them leads there again.
  private var isLost = false

  /// Whether the content may differ.
  var isEdited: Bool { count != 0 || isLost }

  mutating func note(_ change: Document.ChangeType) {
    switch change {
    case .changeDone:
      if count < 0 { isLost = true }
      count += 1
    case .changeUndone: count -= 1
    case .changeCleared: self = ChangeCount()
    }
  }

  /// The content became another one altogether.
  mutating func lose() { isLost = true }
}
