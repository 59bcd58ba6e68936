// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// What is told on standard error while a person waits: on a terminal one line that is drawn again in its
/// place, elsewhere a row for each news. It uses neither colours nor escape sequences.
struct WaitingLine {
  /// Whether the stream goes back to the beginning of a row.
  let isInPlace: Bool
  /// The cells that are drawn.
  private var width = 0
  private var told: Reason?

  /// For standard error as it is.
  init() {
    self.init(
      isTerminal: BorrowedDescriptor.standardError.isTerminal, environment: CurrentProcess.environment)
  }

  init(isTerminal: Bool, environment: [String: String]) {
    isInPlace = isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Tells what a document waits for, when it is news.
  mutating func tell(_ reason: Reason?, of document: String) {
    Terminal.draw(text(telling: reason, of: document))
  }

  /// Draws `text` in place of what was drawn; writes nothing where nothing is drawn in place.
  mutating func draw(_ text: String) {
    if isInPlace { Terminal.draw(drawing(text)) }
  }

  /// Takes away what is drawn.
  mutating func erase() { Terminal.draw(erasing()) }

  mutating func text(telling reason: Reason?, of document: String) -> String {
    guard let reason, reason != told else { return "" }
    told = reason
    if isInPlace, let progress = reason.progress {
      return drawing("\(document.prefix(Self.nameLimit)): \(progress.text) are here")
    }
    return erasing() + DisplayText.shown(reason.sentence) + "\n"
  }

  mutating func drawing(_ text: String) -> String {
    let text = DisplayText.shown(text)
    let cells = Self.cells(of: text)
    defer { width = cells }
    return "\r" + text + String(repeating: " ", count: max(0, width - cells))
  }

  mutating func erasing() -> String {
    defer { width = 0 }
    return width == 0 ? "" : "\r" + String(repeating: " ", count: width) + "\r"
  }

  /// A line that breaks cannot be drawn over.
  private static let nameLimit = 30

  /// At most so many; too many only draw spaces.
  private static func cells(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
  }
}
