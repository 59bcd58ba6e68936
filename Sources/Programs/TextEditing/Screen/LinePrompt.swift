// SPDX-License-Identifier: MIT

/// A question that is answered by typing one line.
struct LinePrompt: Hashable, Sendable {
  /// What the answer is for.
  enum Purpose: Hashable, Sendable {
    case saveAs(then: AfterSaving)
    case open
    /// Words of what apps kept for search; none for the newest.
    case kept
    case find
    case replace
    case replacement(of: TextSearch)
    case goToLine

    /// Whether the answer names a file.
    var isForPath: Bool {
      switch self {
      case .saveAs, .open: true
      case .kept, .find, .replace, .replacement, .goToLine: false
      }
    }

    /// Whether an empty answer is one.
    var takesNothing: Bool {
      switch self {
      case .kept, .find, .replacement: true
      case .saveAs, .open, .replace, .goToLine: false
      }
    }
  }

  var purpose: Purpose
  var answer = ""

  /// What stands before the answer.
  func question(isNarrow: Bool) -> String {
    switch purpose {
    case .saveAs: isNarrow ? "Save as: " : "Save as (Esc: not now): "
    case .open: "Open: "
    case .kept: isNarrow ? "Recently: " : "Recently, anywhere (words, or Enter for the newest): "
    case .find: isNarrow ? "Find: " : "Find (Enter or Ctrl-G: next): "
    case .replace: isNarrow ? "Replace: " : "Replace (Esc: not now): "
    case .replacement: "Replace with: "
    case .goToLine: isNarrow ? "Line: " : "Go to line: "
    }
  }

  /// Takes a key that writes; false for any other.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .text(let text): answer.append(text)
    case .paste(let text): answer.append(contentsOf: text.prefix { !$0.isNewline })
    case .tab where !purpose.isForPath: answer.append("\t")
    case .backspace: _ = answer.popLast()
    default: return false
    }
    return true
  }
}

/// A question that is answered by one key.
enum Question: Hashable, Sendable {
  /// Quitting, or closing one document, with changes in the named documents.
  case unsaved([String], isQuitting: Bool)
  /// The same, when the documents have saved themselves while the person was asked.
  case savedMeanwhile(isQuitting: Bool)
  /// The file of an edited text was changed by somebody else.
  case changedOnDisk
  /// Which conflict copy to look at.
  case copies([ConflictCopy])
  /// What to go on with of what apps kept for search.
  case kept([KeptActivity])
  /// What is selected was found: is it to be replaced?
  case replacing(TextSearch, with: String)

  /// What it says of activities.
  static let ofKept = "Kept on your devices"

  /// What it says of texts with unsaved changes.
  static func sentence(ofUnsaved names: [String]) -> String {
    names.count == 1 ? "Unsaved changes in \(names[0])" : "Unsaved changes in \(names.count) texts"
  }
}
