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
  /// The line being typed for an answer; nil while nobody asks.
  var prompt: LinePrompt?
  /// What the next key answers.
  var question: Question?
  /// The list of keys covers the text.
  private(set) var showsHelp = false
  /// What Control-G looks for.
  var search: TextSearch?
  /// The documents that were said to be in no synced folder.
  var toldPlaces: Set<String> = []
  /// Nil before the agent's first word, and before its absence is certain.
  private(set) var isConnected: Bool?

  /// When `tick` is wanted; nil for never.
  public var wakeAt: Instant? { continuation.resumeDeadline }

  /// A sentence for the message line.
  struct Message: Hashable, Sendable {
    var text: String
    /// It must not be overlooked for an offer.
    var isUrgent = false
    /// It tells of changes that are not saved, and is untrue once they are.
    var isOfChanges = false
    /// It tells of conflict copies.
    var isOfCopies = false
  }

  /// An editor that shows its first document. With `resumingUntil` it accepts the newest offer that comes
  /// before, of those whose ID begins with `offer`; with `isAll` what is open there beside it, too.
  public init(resumingUntil deadline: Instant? = nil, offer: String = "", isAll: Bool = false) {
    continuation.resumesAll = isAll
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
    reviseQuestion(document)
    if message?.isOfChanges == true, !document.isEdited { message = nil }
    switch event {
    case .key(let key): return press(key, document)
    case .used:
      continuation.noteUse()
      if message?.isUrgent != true { message = nil }
    case .offers(let offers, let shown, let beside):
      continuation.beside = beside
      return handle(offers, shown)
    case .connection(let connected): isConnected = connected
    case .tick: noteTick(now)
    case .continuing: continuation.begin()
    case .waiting(let title, let status, let copies, let comesAlong):
      continuation.wait(title, status, copies, comesAlong: comesAlong)
    case .continued(let how):
      (prompt, question) = (nil, nil)
      message = Message(text: continuation.finish(how))
    case .failed(let error): continuation.fail(error).map { say($0, isUrgent: true) }
    case .saved(let name): say("Saved \(name)")
    case .notSaved(let reason, let isChangedOnDisk): noteNotSaved(reason, isChangedOnDisk, document)
    case .fileChanged(let news): noteFileChange(news, document)
    case .searched(let outcome): noteSearch(outcome)
    case .replaced(let count): say(count == 0 ? notFound : "Replaced \(count)")
    case .found(let kept, let words): noteFound(kept, having: words)
    case .shown:
      (prompt, question, message, showsHelp) = (nil, nil, nil, false)
      noteFolder(document)
    case .foldersChanged: noteFolder(document)
    case .documentsChanged: break
    case .needsName(let after): (prompt, question) = (LinePrompt(purpose: .saveAs(then: after)), nil)
    case .notice(let sentence): say(sentence)
    }
    return []
  }

  mutating func say(_ text: String, isUrgent: Bool = false, isOfChanges: Bool = false) {
    message = Message(text: text, isUrgent: isUrgent, isOfChanges: isOfChanges)
  }

  // MARK: Keys

  private mutating func press(_ key: Key, _ document: DocumentFacts) -> [EditorAction] {
    if prompt != nil { return type(key) }
    if let answer = answer(key, document) { return answer }
    let hadHelp = showsHelp
    showsHelp = false
    if hadHelp, key == .escape || key == .function(1) { return [] }
    if let actions = continuation.press(key) {
      message = nil
      return actions
    }
    if !key.isMouse { message = nil }
    return command(key, document)
  }

  private mutating func command(_ key: Key, _ document: DocumentFacts) -> [EditorAction] {
    switch key {
    case .function(1): showsHelp = true
    case .control("f"): prompt = LinePrompt(purpose: .find, answer: "")
    case .control("g"), .function(3): return findNext()
    case .function(4): prompt = LinePrompt(purpose: .kept)
    case .control("l"): prompt = LinePrompt(purpose: .goToLine)
    case .control("o"): prompt = LinePrompt(purpose: .open)
    case .control("d"): decide(document)
    case .control("q"): return quit(document)
    case .control("w"): return close(document)
    case .control("s"): return save(document)
    case .control("c"): return [.copy(cutting: false)]
    case .alternate(let number): return number <= document.count ? [.show(number)] : []
    default: return edit(key, document)
    }
    return []
  }

  /// The keys that change the text, which one that is only for reading refuses.
  private mutating func edit(_ key: Key, _ document: DocumentFacts) -> [EditorAction] {
    let command = key.editCommand
    if let command, command.onlyMoves {
      continuation.isTouched = true
      return [.edit(command)]
    }
    guard command != nil || [.control("x"), .control("v"), .control("t")].contains(key) else { return [] }
    continuation.isTouched = true
    guard !document.isReadOnly else {
      say("\(document.name) is open read-only: what is typed here would be lost.")
      return []
    }
    switch key {
    case .control("x"): return [.copy(cutting: true)]
    case .control("v"): return [.paste]
    case .control("t"): prompt = LinePrompt(purpose: .replace)
    default: return command.map { [.edit($0)] } ?? []
    }
    return []
  }

  private mutating func save(_ document: DocumentFacts) -> [EditorAction] {
    guard !document.isReadOnly else {
      say("\(document.name) is open read-only and was not saved.")
      return []
    }
    guard document.hasFile else {
      prompt = LinePrompt(purpose: .saveAs(then: .nothing))
      return []
    }
    return [.save(overwriting: false)]
  }

  private mutating func quit(_ document: DocumentFacts) -> [EditorAction] {
    let unsaved = document.unsaved(isQuitting: true)
    if unsaved.isEmpty { return [.quit(saving: false)] }
    question = .unsaved(unsaved, isQuitting: true)
    return []
  }

  private mutating func close(_ document: DocumentFacts) -> [EditorAction] {
    let unsaved = document.unsaved(isQuitting: false)
    if unsaved.isEmpty { return [.close(saving: false)] }
    question = .unsaved(unsaved, isQuitting: false)
    return []
  }

  private mutating func findNext() -> [EditorAction] {
    guard let search else {
      prompt = LinePrompt(purpose: .find)
      return []
    }
    continuation.isTouched = true
    return [.find(search, next: true)]
  }

  // MARK: News

  private mutating func handle(_ offers: [Offer], _ shown: Set<OfferID>) -> [EditorAction] {
    let actions = continuation.update(offers, shown: shown)
    if !actions.isEmpty { message = nil }
    return actions
  }

  private mutating func noteTick(_ now: Instant) {
    guard let deadline = continuation.resumeDeadline, now >= deadline else { return }
    continuation.resumeDeadline = nil
    say(
      isConnected == true
        ? "Nothing to continue: no device offers anything"
        : "Nothing to continue: no agent answers")
  }

  /// What a search says that found nothing.
  private var notFound: String { "\(search.map(\.text) ?? "Text") was not found" }

  private mutating func noteSearch(_ outcome: TextEditor.SearchOutcome) {
    switch outcome {
    case .found: message = nil
    case .foundFromTheStart: say("Found again from the start")
    case .notFound:
      if case .replacing = question { question = nil }
      say(notFound)
    }
  }

  private mutating func noteFileChange(_ news: FileNews, _ document: DocumentFacts) {
    if news == .reloaded { continuation.isWorkedHere = false }
    let (text, isUrgent) = Self.sentence(news, document.name)
    let isOfCopies = if case .conflict = news { true } else { false }
    // An engine brings a text and the copy that it left of another one together, in any order.
    if !isUrgent, !isOfCopies, message?.isOfCopies == true { return }
    message = Message(text: text, isUrgent: isUrgent, isOfCopies: isOfCopies && isUrgent)
  }
}
