// SPDX-License-Identifier: MIT

public import Continuo

/// What the message line says, and which keys answer it; the keys stay visible when the sentence is too long.
struct MessageLine: Hashable {
  /// Cleaned for display: names of files and devices stand in it.
  var text: String {
    didSet { text = DisplayText.shown(text) }
  }
  var keys = ""
  var style = Frame.Style.prompt

  init(text: String, keys: String = "", style: Frame.Style = .prompt) {
    self.text = DisplayText.shown(text)
    (self.keys, self.style) = (keys, style)
  }

  /// One row.
  func fitted(to columns: Int) -> String {
    let room = columns - keys.count - 2
    guard !keys.isEmpty, room >= 12 else { return whole.fitted(to: columns, .unicode) }
    return text.fitted(to: room, .unicode) + "  " + keys
  }

  /// Two rows, broken between words; nil when one is enough.
  func broken(at columns: Int) -> (first: String, second: String)? {
    guard Self.cells(whole) > columns else { return nil }
    var words = text.split(separator: " ")[...]
    var first = ""
    while let word = words.first, Self.cells(first) + Self.cells(word) < columns {
      first += (first.isEmpty ? "" : " ") + word
      words = words.dropFirst()
    }
    guard !first.isEmpty else { return nil }
    var rest = self
    rest.text = words.joined(separator: " ")
    return (first, rest.fitted(to: columns))
  }

  private var whole: String { keys.isEmpty ? text : text + "  " + keys }

  private static func cells(_ text: some StringProtocol) -> Int {
    LineLayout(text: String(text), widths: .unicode).cell(at: text.utf8.count)
  }
}

extension EditorMachine {
  /// What the message line says, by urgency: what waits for the person, what was just said, what is offered.
  func line(_ document: DocumentFacts) -> MessageLine? {
    if let question, !continuation.isChoosing { return line(question, document) }
    switch continuation.state {
    case .waiting(let title, let status): return waitLine(title, status)
    case .starting: return MessageLine(text: "Continuing …", keys: "Esc cancels")
    case .idle: break
    }
    let said = message.flatMap { $0.text.isEmpty ? nil : $0 }.map { MessageLine(text: $0.text, style: .hint) }
    guard let offer = continuation.offer, message?.isUrgent != true else { return said }
    let key = isUntouched ? "Enter" : "Ctrl-R"
    let count = continuation.besideCount
    let all = count > 0 ? ", all \(count + 1) with F2" : ""
    let invitation = "\(offer.invitation) – \(key)\(all)"
    return MessageLine(text: said.map { "\(invitation)  (\($0.text))" } ?? invitation)
  }

  func line(_ question: Question, _ document: DocumentFacts) -> MessageLine {
    switch question {
    case .unsaved where document.isBeingSaved: return MessageLine(text: "Saving …", keys: "Esc stays")
    case .savedMeanwhile(let isQuitting):
      return MessageLine(
        text: "Everything is saved now, nothing is left to discard",
        keys: isQuitting ? "Enter quits, Esc stays" : "Enter closes, Esc stays")
    case .unsaved(let names, _):
      return MessageLine(text: Question.sentence(ofUnsaved: names), keys: "s saves, d discards, Esc stays")
    case .changedOnDisk:
      return MessageLine(
        text: "\(document.name) changed on disk", keys: "k keep yours, l load theirs, Esc later")
    case .kept: return MessageLine(text: Question.ofKept, keys: "a number goes on with it, Esc closes")
    case .copies: return MessageLine(text: "\(document.name) has conflict copies", keys: "Esc later")
    case .replacing(let search, let text):
      return MessageLine(
        text: "Replace \(search.text) with \(text)?", keys: "y yes, n no, a all, Esc ends")
    }
  }

  private func waitLine(_ title: String, _ status: ArrivalStatus) -> MessageLine {
    if continuation.isChoosing {
      let text = status.arrival == .diverged ? status.sentence(title) : status.reason
      return MessageLine(text: text, keys: "o open read-only, w wait, g give up")
    }
    return MessageLine(
      text: status.sentence(title, progress: status.progress), keys: "Ctrl-R chooses, Esc cancels")
  }

  /// The status line; its beginning, `name  Ln 1, Col 1`, is the same whatever follows.
  func status(_ editor: TextEditor, _ document: DocumentFacts, isNarrow: Bool) -> String {
    let place = editor.portableCursor
    if isNarrow { return "\(place.line):\(place.column)\(document.isEdited ? "*" : "") \(document.name)" }
    var status = "\(document.name)  Ln \(place.line), Col \(place.column)"
    if document.isEdited { status += "  edited" }
    if document.isReadOnly { status += "  read-only" }
    if document.isNew { status += "  new file in \(document.folder)" }
    if document.isInSyncedFolder == false { status += "  not synced" }
    if let selection = editor.selection { status += "  \(editor.selectionSize(selection)) selected" }
    if document.count > 1 { status += "  \(document.number)/\(document.count)" }
    if !document.others.isEmpty { status += "  \(document.others)" }
    if isConnected == false { status += "  not connected" }
    return status
  }
}

extension Offer {
  /// The document's name, which says more on one line than its title; the title without a document.
  public var shownTitle: String { path?.displayName ?? displayTitle }

  /// What it brings, and from where.
  var invitation: String { "Continue \(shownTitle) from \(deviceName)" }
}

extension ArrivalStatus {
  /// What is awaited, with how much of it is here, and why.
  func sentence(_ title: String, progress: String? = nil) -> String {
    if arrival == .diverged { return "\(title) diverged: \(reason)" }
    return "Waiting for \(title)\(progress.map { " \($0)" } ?? ""): \(reason)"
  }

  /// The share that is here, from 0 to 1; nil where that is not known.
  var share: Double? {
    guard received > 0, expected > 0 else { return nil }
    return min(1, Double(received) / Double(expected))
  }

  /// How much is here of how much, with a bar; nil where that is not known.
  var progress: String? {
    guard received > 0, expected > 0 else { return nil }
    let share = min(100, received.multipliedFullWidth(by: 100).high > 0 ? 100 : received * 100 / expected)
    let filled = Int(share / 10)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 10 - filled)
    return "[\(bar)] \(share) % of \(Self.size(expected))"
  }

  static func size(_ bytes: UInt64) -> String {
    switch bytes {
    case 0..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}

extension TextEditor {
  /// What is selected, counted: characters inside a line, else lines.
  func selectionSize(_ range: Range<Position>) -> String {
    let lines = range.upperBound.line - range.lowerBound.line
    if lines > 0 { return "\(lines + (range.upperBound.offset > 0 ? 1 : 0)) lines" }
    return "\(buffer.text(in: range).count)"
  }
}
