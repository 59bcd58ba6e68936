// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Embedding
import LinuxSystem

/// Between an editor's messages and the session that it stands for. One thread; writes nothing by itself.
final class StdioServer {
  /// Set when the editor is served: the process's exit code.
  private(set) var exitCode: Int32?
  private(set) var session: EmbeddedSession?
  /// How each open document is called by the editor.
  var names: [DocumentHandle: FileURI] = [:]
  /// How each open document stands, as the editor was told last.
  var standings: [DocumentHandle: JSONValue] = [:]
  /// What the editor was asked and has not answered.
  var questions: [Int64: Question] = [:]
  /// Offers that are being continued.
  var continued: [RequestID: Offer] = [:]
  /// Since when each offer is known; by the other device's clock.
  var offeredSince: [OfferID: WallTime] = [:]
  /// Opened documents whose answer waits for the list of folders.
  var opening: [Opening] = []
  /// What is to be deleted, and who waits for that.
  var deleting: [RequestID: RPCID] = [:]
  /// The editor's continuation streams.
  var streams = ServedStreams()
  var positionEncoding = PositionEncoding.utf32
  /// What both speak.
  var protocolVersion = Introduction.protocolVersion

  private let places: AgentPlaces
  private var machine: any EditorConversation
  private var frames: [[UInt8]] = []
  private var lastQuestion: Int64 = 0
  private var ending: Ending?

  enum Question {
    case update(ActivityID, DocumentHandle?)
    case continueActivity(RequestID)
    case restore(RequestID)
  }

  struct Opening {
    let id: RPCID
    let document: DocumentHandle
    let uri: FileURI
    let deadline: Instant
  }

  /// The last round is under way.
  private struct Ending {
    /// Nil when a signal ends the process.
    let id: RPCID?
    let deadline: Instant
  }

  /// How long the agent may take to tell the folders before a document is said to be in none.
  static let openingLimit = Duration.seconds(2)
  /// How long the last round may take.
  static let endingLimit = Duration.seconds(2)

  /// `conversation` speaks the editor's language.
  init(places: AgentPlaces, conversation: any EditorConversation) {
    self.places = places
    machine = conversation
  }

  /// To be polled for input, for `dispatch()`; -1 without a session.
  var descriptor: Int32 { session?.descriptor ?? -1 }

  /// When `tick()` is wanted.
  var nextDeadline: Instant? {
    [machine.nextDeadline, opening.map(\.deadline).min(), ending?.deadline].compactMap { $0 }.min()
  }

  /// What is to be written, in order.
  func takeFrames() -> [[UInt8]] {
    defer { frames = [] }
    return frames
  }

  // MARK: What happens

  func handle(_ event: ConversationEvent) {
    for action in machine.handle(event, at: Instant.now) { perform(action) }
  }

  func dispatch() { session?.dispatch() }

  func tick() {
    let now = Instant.now
    if let deadline = machine.nextDeadline, deadline <= now { handle(.tick) }
    answerOpenings { $0.deadline <= now }
    if let ending, ending.deadline <= now { finishEnding() }
  }

  /// A signal: the last state is published, if the editor tells it in time. A second one ends at once.
  func endBySignal() {
    guard ending == nil else { return handle(.ended) }
    beginEnding(nil)
  }

  private func perform(_ action: ConversationAction) {
    switch action {
    case .send(let frame): frames.append(frame)
    case .call(let id, let call): receive(call, id)
    case .answered(let number, let result):
      if let question = questions.removeValue(forKey: number) { receive(result, to: question) }
      if ending != nil, !isInRound { finishEnding() }
    case .look(let number, let file, let known): handle(.found(number, FileLook.of(file, known: known)))
    case .complain(let sentence): Terminal.complain(sentence)
    case .finish(let code):
      streams = ServedStreams()
      session?.close()
      session = nil
      exitCode = code
    }
  }

  private func receive(_ call: ClientCall, _ id: RPCID?) {
    if case .shutdown = call { return beginEnding(id) }
    do throws(RPCError) {
      guard let result = try perform(call, id) else { return }
      if let id { handle(.answer(id, .success(result))) }
    } catch {
      guard let id else { return Terminal.complain(error.message) }
      handle(.answer(id, .failure(error)))
    }
  }

  // MARK: Talking

  func ask(_ question: Question, _ method: ServerMethod, _ params: JSONValue) {
    lastQuestion += 1
    questions[lastQuestion] = question
    handle(.ask(lastQuestion, method, params))
  }

  func notify(_ method: ServerMethod, _ params: JSONValue) { handle(.tell(method, params)) }

  // MARK: Beginning and ending

  func begin(_ introduction: Introduction) throws(RPCError) -> JSONValue {
    do {
      let session = try EmbeddedSession(manifest: introduction.manifest, places: places)
      session.asksToContinue = introduction.continuesActivities
      session.takesDrafts = introduction.takesDrafts
      session.offersOpenDocuments = introduction.offersOpenDocuments
      session.onEvent = { [unowned self] in receive($0) }
      positionEncoding = introduction.positionEncoding
      protocolVersion = introduction.protocolVersion
      self.session = session
      session.connect()
      return [
        "protocolVersion": .int(protocolVersion),
        "server": ["name": "continuo", "version": .text(ContinuoCommand.version)],
        "positionEncoding": .text(positionEncoding.rawValue), "connected": .bool(session.isConnected),
      ]
    } catch {
      throw RPCError(error)
    }
  }

  private var isInRound: Bool {
    questions.values.contains { if case .update = $0 { true } else { false } }
  }

  private func beginEnding(_ id: RPCID?) {
    answerOpenings { _ in true }
    ending = Ending(id: id, deadline: Instant.now + Self.endingLimit)
    session?.hasten()
    session?.dispatch()
    if !isInRound { finishEnding() }
  }

  private func finishEnding() {
    guard let ending else { return }
    self.ending = nil
    endStreams()
    session?.close()
    session = nil
    guard let id = ending.id else { return handle(.ended) }
    handle(.answer(id, .success(.null)))
  }

  /// Answers those that wait no longer.
  func answerOpenings(_ isDue: (Opening) -> Bool) {
    let due = opening.filter(isDue)
    opening.removeAll(where: isDue)
    for each in due {
      let standing = standing(of: each.document, called: each.uri)
      standings[each.document] = standing
      handle(.answer(each.id, .success(standing)))
    }
  }
}
