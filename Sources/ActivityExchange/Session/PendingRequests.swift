// SPDX-License-Identifier: MIT

import ActivityModel

// Saved activities: semantics 11. Wishes are kept in their order until the agent has answered, and said again
// after a reconnect: saving and deleting twice is the same as once.
extension SessionMachine {
  struct Wish: Hashable, Sendable {
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
  static let unansweredSaves = 64

  /// Only the last state of what is saved matters.
  mutating func keep(_ snapshot: ActivitySnapshot, _ request: RequestID, at now: Instant) -> [Action] {
    wishes.removeAll { $0.saves(snapshot.persistentIdentifier) }
    if wishes.count(where: { !$0.isDeletion }) >= Self.unansweredSaves,
      let oldest = wishes.firstIndex(where: { !$0.isDeletion })
    {
      wishes.remove(at: oldest)
    }
    return wish(Wish(request: request, content: .save(snapshot), deadline: now))
  }

  mutating func deleteSaved(
    _ request: RequestID, _ identifiers: [String]?, at now: Instant
  ) -> [Action] {
    wish(Wish(request: request, content: .delete(identifiers), deadline: now + pace.withoutAgent))
  }

  private mutating func wish(_ wish: Wish) -> [Action] {
    wishes.append(wish)
    return say(wish.message)
  }

  mutating func takeKept(_ request: RequestID, _ error: ContinuityError?) -> [Action] {
    guard let index = wishes.firstIndex(where: { $0.request == request }) else { return [] }
    wishes.remove(at: index)
    return [.answered(request, .kept(error))]
  }

  /// Deletions that nobody answered fail: somebody waits for them.
  mutating func endUnanswered(at now: Instant) -> [Action] {
    let late = wishes.filter { $0.isDeletion && $0.deadline <= now }
    wishes.removeAll { $0.isDeletion && $0.deadline <= now }
    return late.map {
      .answered(
        $0.request,
        .kept(
          ContinuityError(
            .connectionUnavailable, subject: "agent",
            "The continuo agent did not answer, so saved activities may still be there; start it with "
              + "`continuo agent` and delete them again.")))
    }
  }

  var nextUnanswered: Instant? { wishes.lazy.filter(\.isDeletion).map(\.deadline).min() }
}
