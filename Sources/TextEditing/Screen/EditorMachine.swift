// SPDX-License-Identifier: MIT

public import Continuo

/// Decides what a key means, what the screen says, and what of other devices' offers it shows.
///
/// An offer never takes a key from the person: Return accepts only while nothing was typed into this document,
/// afterwards Control-R does. Pure; the owner carries the actions out and reports back.
public struct EditorMachine: Sendable {
  /// The sentence in the message line, unless an offer or a question stands there.
  private(set) var message: String?
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

  /// An editor that shows its first document. With `resumingUntil` it accepts the newest offer that comes before.
  public init(resumingUntil deadline: Instant? = nil) {
    continuation.resumeDeadline = deadline
    if deadline != nil { message = "Looking for an activity to continue …" }
  }

  /// Whether the person has done nothing to the document on the screen yet.
  public var isUntouched: Bool { !continuation.isTouched }

  /// Takes note of an event and says what to do about it, in order. `document` is as it was before the event.
  public mutating func handle(_ event: EditorEvent, document: DocumentFacts, at now: Instant) -> [EditorAction] {
    switch event {
    case .key(let key): return press(key, document)
    case .offers(let offers, let shown): return continuation.take(offers, shown: shown, &message)
    case .connection(let connected): isConnected = connected
    case .tick: noteTick(now)
    case .continuing: continuation.begin()
    case .waiting(let title, let status): continuation.wait(title, status)
    case .continued(let how): message = continuation.finish(how)
    case .failed(let error): message = continuation.fail(error) ?? message
    case .saved(let name): return noteSaved(name)
    case .notSaved(let reason, let isChangedOnDisk): noteNotSaved(reason, isChangedOnDisk)
    case .fileChanged(let news): noteFileChange(news, document)
    case .notice(let sentence): message = sentence
    }
    return []
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
      message = "\(document.name) is open read-only: what is typed here would be lost."
      return []
    }
    return [.edit(command)]
  }

  private mutating func quit(_ document: DocumentFacts, isSure: Bool) -> [EditorAction] {
    if isSure || !document.isEdited { return [.close] }
    isQuitArmed = true
    message = "Unsaved changes: Ctrl-Q again discards, Ctrl-S saves"
    return []
  }

  private mutating func save(_ document: DocumentFacts, overwriting: Bool) -> [EditorAction] {
    guard !document.isReadOnly else {
      message = "\(document.name) is open read-only and was not saved."
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
      message = "Not saved"
    default: break
    }
    return []
  }

  // MARK: News

  private mutating func noteSaved(_ name: String) -> [EditorAction] {
    message = "Saved \(name)"
    return []
  }

  private mutating func noteNotSaved(_ reason: String, _ isChangedOnDisk: Bool) {
    isOverwriteArmed = isChangedOnDisk
    message = isChangedOnDisk ? "Not saved: changed on disk. Ctrl-S again overwrites it" : "Not saved: \(reason)"
  }

  private mutating func noteTick(_ now: Instant) {
    guard let deadline = continuation.resumeDeadline, now >= deadline else { return }
    continuation.resumeDeadline = nil
    message =
      isConnected == true
      ? "Nothing to continue: no other device offers an activity"
      : "Nothing to continue: continuo's agent does not answer (try: continuo status)"
  }

  private mutating func noteFileChange(_ news: FileNews, _ document: DocumentFacts) {
    switch news {
    case .reloaded:
      continuation.isWorkedHere = false
      message = "\(document.name) changed on disk; its new text is shown"
    case .kept:
      message = "\(document.name) changed on disk; your text is kept and not saved yet"
    case .moved(let name): message = "The file is called \(name) now"
    case .deleted: message = "\(document.name) was deleted on disk; Ctrl-S writes it again"
    case .conflict(let copies):
      message = "\(document.name) has a conflict copy: \(copies.joined(separator: ", "))"
    }
  }
}
