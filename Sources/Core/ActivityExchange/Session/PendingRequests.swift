// SPDX-License-Identifier: MIT

public import ActivityModel

extension SessionMachine {
  /// What an app asks of its agent, and is answered.
  public enum Question: Hashable, Sendable {
    /// Keep this state for search.
    case keep(ActivitySnapshot)
    /// Delete the app's saved activities with these identifiers, or all of them.
    case deleteSaved([String]?)
    /// Of what MIME type a file is: its name, and its first bytes. Answered within `Pace.typeAnswer`.
    case contentType(name: [UInt8], beginning: [UInt8])
  }

  /// The answer to a question.
  public enum Answer: Hashable, Sendable {
    /// What was to be kept or deleted is, durably, or failed.
    case kept(ContinuityError?)
    /// The MIME types of the file that was asked about; none when nobody could tell, with the reason.
    case contentTypes([String], ContinuityError?)
  }
}

/// What an app asked its agent for and has no answer to: saved activities (semantics 11), and types of files.
///
/// Wishes are kept in their order until the agent has answered, and said again after a reconnect: saving and
/// deleting twice is the same as once.
struct PendingRequests: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  /// What the agent was asked to keep or delete, oldest first.
  private var wishes: [Wish] = []
  /// Questions about types of files, and when they end without an answer.
  private var typeQuestions: [RequestID: Instant] = [:]
  private let pace: SessionMachine.Pace

  init(pace: SessionMachine.Pace) { self.pace = pace }

  /// When something ends without an answer.
  var nextDeadline: Instant? {
    guard !wishes.isEmpty || !typeQuestions.isEmpty else { return nil }
    return [nextUnanswered, typeQuestions.values.min()].compactMap { $0 }.min()
  }

  mutating func ask(
    _ question: SessionMachine.Question, _ request: RequestID, isConnected: Bool, at now: Instant
  ) -> [Action] {
    switch question {
    case .keep(let snapshot): keep(snapshot, request, at: now)
    case .deleteSaved(let identifiers): deleteSaved(request, identifiers, at: now)
    case .contentType(let name, let beginning):
      askType(request, name, beginning, isConnected: isConnected, at: now)
    }
  }

  /// Takes an answer; other reports are none.
  mutating func receive(_ report: AgentReport) -> [Action] {
    switch report {
    case .kept(let request, let error): takeKept(request, error)
    case .contentType(let request, let types, let error): takeType(request, types, error)
    default: []
    }
  }

  /// What a new connection's agent has to hear.
  var messages: [AgentRequest] { wishes.map(\.message) }

  /// Questions end with their agent.
  mutating func disconnect() -> [Action] { endTypeQuestions { _ in true } }

  /// Ends what was not answered in time.
  mutating func endLate(at now: Instant) -> [Action] {
    endUnanswered(at: now) + endTypeQuestions { $0 <= now }
  }

  // MARK: Saved activities

  private struct Wish: Hashable, Sendable {
    var request: RequestID
    var content: Content
    /// When a deletion fails for want of an answer.
    var deadline: Instant

    enum Content: Hashable, Sendable {
      case save(ActivitySnapshot)
      case delete([String]?)
    }

    var message: AgentRequest {
      switch content {
      case .save(let snapshot): .save(request, snapshot)
      case .delete(let identifiers): .deleteSaved(request, identifiers: identifiers)
      }
    }

    func saves(_ identifier: String?) -> Bool {
      if case .save(let snapshot) = content { snapshot.persistentIdentifier == identifier } else { false }
    }

    var isDeletion: Bool { if case .delete = content { true } else { false } }
  }
  /// More unanswered wishes to save than this, and the oldest is forgotten.
  private static let unansweredSaves = 64

  /// Only the last state of what is saved matters.
  private mutating func keep(_ snapshot: ActivitySnapshot, _ request: RequestID, at now: Instant) -> [Action]
  {
    wishes.removeAll { $0.saves(snapshot.persistentIdentifier) }
    if wishes.count(where: { !$0.isDeletion }) >= Self.unansweredSaves,
      let oldest = wishes.firstIndex(where: { !$0.isDeletion })
    {
      wishes.remove(at: oldest)
    }
    return wish(Wish(request: request, content: .save(snapshot), deadline: now))
  }

  private mutating func deleteSaved(
    _ request: RequestID, _ identifiers: [String]?, at now: Instant
  ) -> [Action] {
    wish(Wish(request: request, content: .delete(identifiers), deadline: now + pace.withoutAgent))
  }

  private mutating func wish(_ wish: Wish) -> [Action] {
    wishes.append(wish)
    return [.send(wish.message)]
  }

  private mutating func takeKept(_ request: RequestID, _ error: ContinuityError?) -> [Action] {
    guard let index = wishes.firstIndex(where: { $0.request == request }) else { return [] }
    wishes.remove(at: index)
    return [.answered(request, .kept(error))]
  }

  /// Deletions that nobody answered fail: somebody waits for them.
  private mutating func endUnanswered(at now: Instant) -> [Action] {
    let late = wishes.filter { $0.isDeletion && $0.deadline <= now }
    wishes.removeAll { $0.isDeletion && $0.deadline <= now }
    return late.map {
      .answered(
        $0.request,
        .kept(
          ContinuityError(
            .connectionUnavailable, subject: "agent",
            description:
              "The continuo agent did not answer, so saved activities may still be there; start it with "
              + "`continuo agent` and delete them again.")))
    }
  }

  private var nextUnanswered: Instant? { wishes.lazy.filter(\.isDeletion).map(\.deadline).min() }

  // MARK: Types

  /// Somebody waits for a document meanwhile: without an agent nobody is asked.
  private mutating func askType(
    _ request: RequestID, _ name: [UInt8], _ beginning: [UInt8], isConnected: Bool, at now: Instant
  ) -> [Action] {
    guard isConnected else { return [.answered(request, .contentTypes([], Self.noAgent))] }
    typeQuestions[request] = now + pace.typeAnswer
    return [.send(.askContentType(request, name: name, beginning: beginning))]
  }

  private mutating func takeType(_ request: RequestID, _ types: [String], _ error: ContinuityError?)
    -> [Action]
  {
    guard typeQuestions.removeValue(forKey: request) != nil else { return [] }
    return [.answered(request, .contentTypes(types, error))]
  }

  /// Ends the questions whose deadline is such a one.
  private mutating func endTypeQuestions(where isOver: (Instant) -> Bool) -> [Action] {
    guard !typeQuestions.isEmpty else { return [] }
    let ended = typeQuestions.filter { isOver($0.value) }.map(\.key).sorted()
    for request in ended { typeQuestions[request] = nil }
    return ended.map { .answered($0, .contentTypes([], Self.noAgent)) }
  }

  private static let noAgent = ContinuityError(
    .connectionUnavailable, subject: "agent",
    description:
      "The continuo agent, which asks the desktop for MIME types, did not answer; look at `continuo status`.")
}
