// SPDX-License-Identifier: MIT

import Continuo
import LinuxSystem

/// What `MessageLine` says in a terminal, for a face with buttons: a bar on top of the window.
public struct MessageBar: Hashable, Sendable {
  /// What is offered, awaited or asked, in one sentence; cleaned for display.
  public var text: String
  /// When it was left there, how much of it is here, or why it is not; empty for nothing.
  public var detail: String
  /// The share of the version that is here, from 0 to 1; nil where that is not known.
  public var share: Double?
  /// It is being worked on, and nobody knows how long that takes.
  public var isBusy: Bool
  /// What the person can say to it: the first is what they most likely want.
  public var answers: [Answer]

  /// A bar with a sentence, and what can be answered.
  public init(
    text: String, detail: String = "", share: Double? = nil, isBusy: Bool = false, answers: [Answer]
  ) {
    (self.text, self.detail, self.share) = (text, detail, share)
    (self.isBusy, self.answers) = (isBusy, answers)
  }

  /// What a button says and does.
  public enum Answer: Hashable, Sendable {
    /// Continues what is offered.
    case accept
    /// Continues so many documents that are open there.
    case acceptAll(Int)
    /// Hides the offer.
    case hide
    /// Ends the wait.
    case cancel
    /// Shows what else can be done about a version that is not here.
    case choose
    /// Opens the version that is here, for reading.
    case openHere
    /// Waits again as long.
    case keepWaiting
    /// Ends the continuation.
    case giveUp
    /// Saves over the other text, which is kept in a file beside.
    case keepMine
    /// Shows the other text; the one here is kept in a file beside.
    case loadTheirs
    /// Shows the other text beside the one here.
    case showBoth
    /// Shows a conflict copy: its number, from 1, and its name.
    case copy(Int, name: String)
    /// Goes on with what an app kept for search: its number, from 1, and its title.
    case kept(Int, title: String)
    /// Removes a conflict copy that was shown.
    case removeCopy
    /// Decides later.
    case later

    /// The key that says the same to `EditorMachine`.
    public var key: Key {
      switch self {
      case .accept, .choose: .control("r")
      case .acceptAll: .function(2)
      // A window does the last two itself: the question is settled.
      case .hide, .cancel, .later, .showBoth, .removeCopy: .escape
      case .openHere: .text("o")
      case .keepWaiting: .text("w")
      case .giveUp: .text("g")
      case .keepMine: .text("k")
      case .loadTheirs: .text("l")
      case .copy(let number, _), .kept(let number, _): .text(String(number))
      }
    }

    /// What stands on the button; an underscore stands before the letter that presses it with Alt.
    public var label: String {
      switch self {
      case .accept: "_Continue Here"
      case .acceptAll(let count): "Continue _All \(count)"
      case .hide: "_Hide"
      case .cancel: "Canc_el"
      case .choose: "_More Choices"
      case .openHere: "_Open Read-Only"
      case .keepWaiting: "_Wait"
      case .giveUp: "_Give Up"
      case .keepMine: "_Keep Yours"
      case .loadTheirs: "_Load Theirs"
      case .showBoth: "Show _Both"
      case .removeCopy: "_Remove Copy"
      case .copy(_, let name): DisplayText.shown(name).replacing("_", with: "__")
      case .kept(_, let title): DisplayText.shown(String(title.prefix(24))).replacing("_", with: "__")
      case .later: "L_ater"
      }
    }

    /// It leaves all as it is.
    public var isQuiet: Bool { [.hide, .cancel, .later].contains(self) }
  }
}

extension EditorMachine {
  /// Takes note of an event that happens now; see `handle(_:document:at:)`.
  public mutating func handle(_ event: EditorEvent, document: DocumentFacts) -> [EditorAction] {
    handle(event, document: document, at: .now)
  }

  /// What the bar shows, by urgency: what waits for the person, what is awaited, what is offered. Nil hides
  /// it.
  public func bar(_ document: DocumentFacts) -> MessageBar? {
    if let question, !continuation.isChoosing { return bar(question, document) }
    switch continuation.state {
    case .waiting(let title, let status): return waitBar(title, status)
    case .starting: return MessageBar(text: "Continuing …", isBusy: true, answers: [.cancel])
    case .idle: break
    }
    guard let offer = continuation.offer else { return nil }
    let count = continuation.besideCount
    return MessageBar(
      text: DisplayText.shown(offer.invitation), detail: offer.circumstances,
      answers: [.accept] + (count > 0 ? [.acceptAll(count + 1)] : []) + [.hide])
  }

  /// What was said last; empty for nothing, and while something is asked.
  public var said: String { question == nil ? message.map { DisplayText.shown($0.text) } ?? "" : "" }

  /// Whether what was said last must not be overlooked.
  public var isUrgent: Bool { message?.isUrgent ?? false }

  /// Where the cursor is, and in which state the document is.
  public func statusLine(_ editor: TextEditor, document: DocumentFacts) -> String {
    DisplayText.shown(status(editor, document, isNarrow: false))
  }

  private func bar(_ question: Question, _ document: DocumentFacts) -> MessageBar? {
    switch question {
    case .changedOnDisk:
      MessageBar(text: line(question, document).text, answers: [.showBoth, .keepMine, .loadTheirs, .later])
    case .copies(let copies):
      MessageBar(
        text: line(question, document).text,
        answers: answers(copies) + [.later])
    case .kept(let kept):
      MessageBar(
        text: Question.ofKept, detail: kept.first.map { DisplayText.shown($0.row) } ?? "",
        answers: kept.prefix(5).enumerated().map { .kept($0.offset + 1, title: $0.element.title) } + [.later])
    // A window asks these in a dialog, and has its own search.
    case .unsaved, .savedMeanwhile, .replacing: nil
    }
  }

  private func waitBar(_ title: String, _ status: ArrivalStatus) -> MessageBar {
    let text = status.arrival == .diverged ? "\(title) diverged" : "Waiting for \(title)"
    var bar = MessageBar(text: DisplayText.shown(text), detail: status.reason, answers: [.choose, .cancel])
    bar.share = status.share
    bar.isBusy = status.arrival != .diverged && status.share == nil
    if let share = status.share {
      bar.detail = "\(Int(share * 100)) % of \(ArrivalStatus.size(status.expected)). \(status.reason)"
    }
    if continuation.isChoosing {
      bar.answers = answers(continuation.copies) + [.openHere, .keepWaiting, .giveUp]
    }
    return bar
  }

  private func answers(_ copies: [ConflictCopy]) -> [MessageBar.Answer] {
    copies.prefix(9).enumerated().map { .copy($0.offset + 1, name: $0.element.name) }
  }
}

extension Offer {
  /// When it was left there, and how far its document is on the way.
  var circumstances: String {
    let when = LocalTime.shown(changedAt).map { "Left there at \($0.text)" } ?? ""
    return [when, status.reason].filter { !$0.isEmpty }.joined(separator: ". ")
  }
}
