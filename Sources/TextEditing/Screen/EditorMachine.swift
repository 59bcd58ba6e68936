// SPDX-License-Identifier: MIT

public import Continuo

/// Decides what a key means, what the screen says, and what of other devices' offers it shows.
///
/// An offer never takes a key from the person: Return accepts only while nothing was typed into this
/// document, afterwards Control-R does. Pure; the owner carries the actions out and reports back.
public struct EditorMachine: Sendable {
  /// What was said last; the next key takes it away.
  private(set) var message: Message?
  private(set) var continuation = ContinuationPrompt()
  /// The name being typed for an untitled text; nil while nobody asks for it.
  private(set) var saveName: String?
  private var isQuitArmed = false
  private var isOverwriteArmed = false
  private var closesAfterSaving = false
  /// Nil before the agent's first word, and before its absence is certain.
  private(set) var isConnected: Bool?

  /// When `tick` is wanted; nil for never.
  public var wakeAt: Instant? { continuation.resumeDeadline }

  /// A sentence for the message line.
  struct Message: Hashable, Sendable {
    var text: String
    /// It must not be overlooked for an offer.
    var isUrgent = false
  }

  /// An editor that shows its first document. With `resumingUntil` it accepts the newest offer that comes
  /// before, of those whose ID begins with `offer`.
  public init(resumingUntil deadline: Instant? = nil, offer: String = "") {
    continuation.resumeDeadline = deadline
    continuation.resumePrefix = offer
    if deadline != nil { message = Message(text: "Looking for an activity to continue …") }
  }

  /// Whether the person has done nothing to the document on the screen yet.
  public var isUntouched: Bool { !continuation.isTouched }

  /// Takes note of an event and says what to do about it, in order. `document` is as it was before the event.
  public mutating func handle(_ event: EditorEvent, document: DocumentFacts, at now: Instant)
    -> [EditorAction]
  {
    switch event {
    case .key(let key): return press(key, document)
    case .offers(let offers, let shown): return take(offers, shown)
    case .connection(let connected): isConnected = connected
    case .tick: noteTick(now)
    case .continuing: continuation.begin()
    case .waiting(let title, let status): continuation.wait(title, status)
    case .continued(let how): message = Message(text: continuation.finish(how))
    case .failed(let error): continuation.fail(error).map { say($0, isUrgent: true) }
    case .saved(let name): return noteSaved(name)
    case .notSaved(let reason, let isChangedOnDisk): noteNotSaved(reason, isChangedOnDisk)
    case .fileChanged(let news): noteFileChange(news, document)
    case .notice(let sentence): say(sentence)
    }
    return []
  }

  private mutating func say(_ text: String, isUrgent: Bool = false) {
    message = Message(text: text, isUrgent: isUrgent)
  }

  // MARK: Keys

  private mutating func press(_ key: Key, _ document: DocumentFacts) -> [EditorAction] {
    if saveName != nil { return typeName(key) }
    let wasQuitArmed = isQuitArmed
    let wasOverwriteArmed = isOverwriteArmed
    (isQuitArmed, isOverwriteArmed) = (false, false)
    if let actions = continuation.press(key) {
      message = nil
      return actions
    }
    message = nil
    switch key {
    case .control("q"): return quit(document, isSure: wasQuitArmed)
    case .control("s"): return save(document, overwriting: wasOverwriteArmed)
    default: break
    }
    guard let command = key.editCommand else { return [] }
    return edit(command, document)
  }

  private mutating func edit(_ command: EditCommand, _ document: DocumentFacts) -> [EditorAction] {
    continuation.isTouched = true
    if case .move = command { return [.edit(command)] }
    guard !document.isReadOnly else {
      say("\(document.name) is open read-only: what is typed here would be lost.")
      return []
    }
    return [.edit(command)]
  }

  private mutating func quit(_ document: DocumentFacts, isSure: Bool) -> [EditorAction] {
    if isSure || !document.isEdited { return [.close] }
    isQuitArmed = true
    say("Unsaved changes: Ctrl-Q again discards, Ctrl-S saves", isUrgent: true)
    return []
  }

  private mutating func save(_ document: DocumentFacts, overwriting: Bool) -> [EditorAction] {
    guard !document.isReadOnly else {
      say("\(document.name) is open read-only and was not saved.")
      return []
    }
    guard document.hasFile else {
      saveName = ""
      return []
    }
    return [.save(overwriting: overwriting)]
  }

  private mutating func typeName(_ key: Key) -> [EditorAction] {
    switch key {
    case .text(let text): saveName?.append(text)
    case .backspace: _ = saveName?.popLast()
    case .enter:
      guard let name = saveName, !name.isEmpty else { return [] }
      saveName = nil
      return [.saveAs(name)]
    case .escape, .control("q"), .control("g"):
      saveName = nil
      say("Not saved")
    default: break
    }
    return []
  }

  // MARK: News

  private mutating func take(_ offers: [Offer], _ shown: Set<OfferID>) -> [EditorAction] {
    let actions = continuation.take(offers, shown: shown)
    if !actions.isEmpty { message = nil }
    return actions
  }

  private mutating func noteSaved(_ name: String) -> [EditorAction] {
    say("Saved \(name)")
    return []
  }

  private mutating func noteNotSaved(_ reason: String, _ isChangedOnDisk: Bool) {
    isOverwriteArmed = isChangedOnDisk
    say(
      isChangedOnDisk ? "Not saved: changed on disk. Ctrl-S again overwrites it" : "Not saved: \(reason)",
      isUrgent: true)
  }

  private mutating func noteTick(_ now: Instant) {
    guard let deadline = continuation.resumeDeadline, now >= deadline else { return }
    continuation.resumeDeadline = nil
    say(
      isConnected == true
        ? "Nothing to continue: no device offers anything"
        : "Nothing to continue: no agent answers")
  }

  private mutating func noteFileChange(_ news: FileNews, _ document: DocumentFacts) {
    switch news {
    case .reloaded:
      continuation.isWorkedHere = false
      say("\(document.name) changed on disk; its new text is shown")
    case .kept:
      say("\(document.name) changed on disk; your text is kept and not saved yet", isUrgent: true)
    case .moved(let name): say("The file is called \(name) now")
    case .deleted: say("\(document.name) was deleted on disk; Ctrl-S writes it again", isUrgent: true)
    case .conflict(let copies):
      say("\(document.name) has a conflict copy: \(copies.joined(separator: ", "))", isUrgent: true)
    }
  }
}
