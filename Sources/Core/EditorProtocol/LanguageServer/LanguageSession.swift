// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

/// What an editor of the Language Server Protocol and the session have to do with each other, once the editor
/// is known: documents that are followed, places that are inferred, offers, and what is restored.
struct LanguageSession: Hashable {
  /// How long nobody may have typed before a question comes.
  static let pause = Duration.milliseconds(1500)
  /// How long a document that was opened waits for the place in it before it is offered.
  static let opening = Duration.milliseconds(300)
  /// Within which an editor that closes a document and opens it has only read it again.
  static let closing = Duration.milliseconds(500)
  /// How long an editor may take to read a changed file again by itself.
  static let reloading = Duration.seconds(2)
  /// After which a wait asks what to do.
  static let choosing = Duration.seconds(5)
  /// How long what is not saved stays so before the person is told that it is not handed over.
  static let unsaved = Duration.seconds(30)
  /// How long an offer is waited for that the person asked for.
  static let patience = Duration.seconds(5)
  /// How long an editor may take to show a document.
  static let showing = Duration.seconds(10)

  /// What an answer of the editor is for.
  enum Question: Hashable {
    case offer(String)
    case listed([String])
    case choice(String)
    case conflict([UInt8], FileURI)
    case moved(FileURI)
    case document(Restoring)
    case jump
    case progress(String)
  }

  /// What an answer of the session is for.
  enum Call: Hashable {
    case open([UInt8])
    case accept(String)
    case versions([UInt8], keep: FileURI?)
    case resolve([UInt8])
    case others([UInt8])
    case plain
  }

  /// What a file is looked at for.
  enum Look: Hashable {
    case open([UInt8])
    case change([UInt8], EditorPlace.Position?)
    case save([UInt8])
    case round([UInt8], Int64)
    case disk([UInt8])
    case restore(Restoring)
    case jump(LanguagePlace)
  }

  /// A document that the session wants to be shown.
  struct Restoring: Hashable {
    /// The session's question.
    var number: Int64
    var target: LanguagePlace
    var hasPlace: Bool
    var isSure: Bool
    var isReadOnly: Bool
  }

  /// What comes later by itself.
  enum Timer: Hashable {
    case prompt
    case front([UInt8])
    case close([UInt8])
    case stale([UInt8])
    case choice(String)
    case unsaved([UInt8])
    case showing(Int64)
    case resume
  }

  var client: LanguageClient
  /// How far the clock on the wall is ahead of UTC.
  var minutesEast = 0
  /// By path.
  var documents: [[UInt8]: LanguageDocument] = [:]
  var current: [UInt8]?
  var offers = LanguageOffers()
  var timers: [Timer: Instant] = [:]
  var lastPlace: LanguagePlace?
  var isConnected = true
  /// Sentences that are told once.
  var told: Set<String> = []
  /// A question with buttons that waits for the person.
  var isAsking = false
  /// Whether a document was too large to be followed: others may be open than those that are known.
  var hasUnseen = false
  /// When the person last typed, in any document.
  var typedAt: Instant?
  private(set) var now: Instant
  private var actions: [ConversationAction] = []
  private var questions: [Int64: Question] = [:]
  private var calls: [Int64: Call] = [:]
  private var looks: [Int64: Look] = [:]
  private var lastNumber: Int64 = 0
  /// What is said before the editor takes anything.
  private var held: [RPCMessage]? = []

  init(_ client: LanguageClient, minutesEast: Int, at now: Instant) {
    (self.client, self.minutesEast, self.now) = (client, minutesEast, now)
  }

  var nextDeadline: Instant? { timers.values.min() }

  /// Whether a file is looked at; what comes meanwhile has to wait, for it may change what is compared.
  var isLooking: Bool { !looks.isEmpty }

  /// Lets `body` happen, and gives what is to be done.
  mutating func act(at now: Instant, _ body: (inout Self) -> Void) -> [ConversationAction] {
    self.now = now
    body(&self)
    defer { actions = [] }
    return actions
  }

  mutating func tick() {
    for (timer, _) in timers.filter({ $0.value <= now }).sorted(by: { $0.value < $1.value }) {
      timers[timer] = nil
      ring(timer)
    }
  }

  private mutating func ring(_ timer: Timer) {
    switch timer {
    case .prompt: prompt()
    case .front(let path): comeToFront(path)
    case .close(let path): close(path)
    case .stale(let path): look(at: path, for: .disk(path))
    case .choice(let request): askChoice(request)
    case .unsaved(let path): tellUnsaved(path)
    case .resume: tellNothing()
    case .showing(let number):
      if let question = questions.removeValue(forKey: number) { receive(nil, question) }
    }
  }

  // MARK: Talking

  private mutating func number() -> Int64 {
    lastNumber += 1
    return lastNumber
  }

  private mutating func say(_ message: RPCMessage) {
    if held != nil {
      held?.append(message)
    } else {
      actions.append(.send(MessageFraming.frame(message.json.encoded)))
    }
  }

  /// The editor takes messages from now on.
  mutating func begin() {
    let waiting = held ?? []
    held = nil
    for message in waiting { say(message) }
  }

  mutating func notify(_ method: String, _ params: JSONValue) { say(.notification(method: method, params)) }

  @discardableResult
  mutating func ask(_ method: String, _ params: JSONValue, _ question: Question) -> Int64 {
    let number = number()
    questions[number] = question
    say(.request(.number(number), method: method, params))
    return number
  }

  /// Withdraws the questions of which `isOver` says so; what is answered to them counts no more.
  mutating func withdraw(where isOver: (Question) -> Bool) {
    for (number, question) in questions.sorted(by: { $0.key < $1.key }) where isOver(question) {
      questions[number] = nil
      isAsking = false
      notify("$/cancelRequest", ["id": .int(number)])
    }
  }

  enum Weight: Int64 { case error = 1, warning = 2, info = 3 }

  mutating func tell(_ sentence: String, _ weight: Weight = .info) {
    notify(
      "window/showMessage", ["type": .int(weight.rawValue), "message": .text(DisplayText.shown(sentence))])
  }

  mutating func tellOnce(_ sentence: String, _ weight: Weight = .warning) {
    if told.insert(sentence).inserted { tell(sentence, weight) }
  }

  mutating func askPerson(_ sentence: String, _ buttons: [String], _ question: Question) {
    isAsking = true
    ask(
      "window/showMessageRequest",
      [
        "type": .int(Weight.info.rawValue), "message": .text(DisplayText.shown(sentence)),
        "actions": .array(buttons.map { ["title": .text(DisplayText.shown($0))] }),
      ], question)
  }

  mutating func call(_ call: ClientCall, _ purpose: Call? = nil) {
    guard let purpose else { return actions.append(.call(nil, call)) }
    let number = number()
    calls[number] = purpose
    actions.append(.call(.number(number), call))
  }

  mutating func answer(_ number: Int64, _ result: JSONValue) {
    actions.append(.answered(number, .success(result)))
  }

  /// What lies there now is told by `found`, before anything else happens.
  mutating func look(at path: [UInt8], for purpose: Look, known: FileMark? = nil) {
    let number = number()
    looks[number] = purpose
    actions.append(.look(number, documents[path]?.uri ?? FileURI(path: path), known: known))
  }

  // MARK: Listening

  mutating func found(_ number: Int64, _ file: FileLook?) {
    switch looks.removeValue(forKey: number) {
    case .open(let path): opened(path, file)
    case .change(let path, let place): changed(path, place, file)
    case .save(let path): saved(path, file)
    case .round(let path, let round): answerRound(path, round, file)
    case .disk(let path): foundOnDisk(path, file)
    case .restore(let restoring): restore(restoring, file)
    case .jump(let place): show(place, file, .jump)
    case nil: break
    }
  }

  /// The session's answer to a call; false for one that was not of these.
  mutating func answered(_ id: RPCID, _ result: Result<JSONValue, RPCError>) {
    guard case .number(let number) = id, let call = calls.removeValue(forKey: number) else { return }
    switch (call, result) {
    case (.open(let path), .success(let standing)): stands(path, standing)
    case (.accept(let offer), .failure(let error)):
      offers.refuse(offer)
      tell(error.message, .warning)
    case (.versions(let path, let kept), .success(let found)): keep(path, kept, of: found)
    case (.resolve(let path), .success(let found)): resolved(path, found)
    case (.others(let path), .success(let found)): note(found, whoEdit: path)
    case (.versions, .failure(let error)), (.resolve, .failure(let error)): tell(error.message, .warning)
    default: break
    }
  }

  /// The editor's answer to a question; one that it does not know is no answer.
  mutating func receive(_ number: Int64, _ result: Result<JSONValue, RPCError>) {
    guard let question = questions.removeValue(forKey: number) else { return }
    timers[.showing(number)] = nil
    receive(try? result.get(), question)
  }

  /// `answer` is nil where the editor failed.
  private mutating func receive(_ answer: JSONValue?, _ question: Question) {
    let button: String? = if case .text(let title)? = answer?["title"] { title } else { nil }
    switch question {
    case .document(let restoring): return shown(restoring, isShown: answer?["success"] == true)
    case .jump: return
    case .progress(let request): return beginProgress(request, isTaken: answer != nil)
    default: isAsking = false
    }
    // An editor without such questions is told sentences from now on.
    if answer == nil { client.prompt = .tell }
    switch question {
    case .offer(let offer): answerOffer(offer, button, isKnown: answer != nil)
    case .listed(let ids):
      if let index = ids.firstIndex(where: { offers.find($0)?.label == button }) { accept(ids[index]) }
    case .choice(let request): answerChoice(request, button, isKnown: answer != nil)
    case .conflict(let path, let copy): answerConflict(path, copy, button, isKnown: answer != nil)
    case .moved(let uri): if button == Self.open { open(uri) }
    default: break
    }
    promptSoon()
  }
}
