// SPDX-License-Identifier: MIT

import Continuo

/// Lines that cover the lower part of the text while something is to be chosen, or the keys are listed.
extension EditorMachine {
  func panel(_ document: DocumentFacts) -> [String] {
    if showsHelp { return Self.help(document) }
    switch question {
    case .changedOnDisk:
      return [
        "\(document.name) changed on disk, and here. Nothing is lost either way:",
        " k  keep yours and save it; theirs goes into \(document.name)~theirs",
        " l  load theirs; yours goes into \(document.name)~mine",
      ]
    case .copies(let copies): return Self.rows(copies)
    case .kept(let kept):
      return kept.enumerated().map { "\($0.offset + 1)  \(DisplayText.shown($0.element.row))" }
    case .unsaved(let names, _) where names.count > 1:
      return ["With unsaved changes:"] + names.map { "  \($0)" }
    case .unsaved, .savedMeanwhile, .replacing, nil: break
    }
    return continuation.isChoosing && !continuation.copies.isEmpty ? Self.rows(continuation.copies) : []
  }

  private static func rows(_ copies: [ConflictCopy]) -> [String] {
    ["Conflict copies; a number opens one for reading:"]
      + copies.prefix(9).enumerated().map { $1.row($0 + 1) }
  }

  /// The keys that do something now.
  private static func help(_ document: DocumentFacts) -> [String] {
    var rows = [
      "Shift-arrows select    Ctrl-C copies   Ctrl-A selects all",
      "Ctrl-arrows  by word   Ctrl-F finds    Ctrl-G, F3 next",
      "Ctrl-L  to a line      Ctrl-O opens    Ctrl-W closes",
      "Ctrl-Q  quits          Ctrl-R continues (F2: all)   Esc hides it",
    ]
    if !document.isReadOnly {
      rows.insert("Ctrl-S  saves          Ctrl-X cuts     Ctrl-V pastes", at: 0)
      rows.insert("Ctrl-Z  undoes         Ctrl-Y redoes   Ctrl-T replaces", at: 1)
    }
    if document.count > 1 { rows.append("Alt-1 to Alt-\(min(9, document.count))  other documents") }
    if document.isChangedOnDisk || !document.copies.isEmpty { rows.append("Ctrl-D  decides about the file") }
    return rows + ["Mouse   click, drag, wheel   F4 recently, anywhere   F1, Esc hide"]
  }
}
