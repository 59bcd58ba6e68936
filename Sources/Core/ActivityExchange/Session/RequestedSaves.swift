// SPDX-License-Identifier: MIT

import ActivityModel

/// Saves that other devices ask of an app, before a person goes on with its activity there: each is answered
/// once, and after the state that was saved.
struct RequestedSaves: Hashable, Sendable {
  typealias Action = SessionMachine.Action

  private struct Save: Hashable {
    let activity: ActivityID
    /// Whether the app agreed, and its round is to say what came of it; true once its document is saved.
    var isSaved: Bool?
    /// Rounds that began before are to end first: they say nothing of what was asked.
    var roundsBefore = 0
  }

  private var saves: [RequestID: Save] = [:]

  mutating func ask(_ request: RequestID, _ activity: ActivityID, device: String) -> [Action] {
    guard saves[request] == nil else { return [] }
    saves[request] = Save(activity: activity)
    return [.asksToSave(request, activity, device: device)]
  }

  /// The activity of a save that was asked for and is not answered.
  func activity(of request: RequestID) -> ActivityID? { saves[request]?.activity }

  /// Those of an activity, in order.
  func requests(of activity: ActivityID) -> [RequestID] {
    saves.isEmpty ? [] : saves.filter { $0.value.activity == activity }.keys.sorted()
  }

  /// The activity's next round is to say what comes of it, or the one after that, where one runs.
  mutating func agree(to request: RequestID, isSaved: Bool, inRound: Bool) {
    saves[request]?.isSaved = isSaved
    saves[request]?.roundsBefore = inRound ? 1 : 0
  }

  mutating func refuse(_ request: RequestID, because message: String) -> [Action] {
    guard saves.removeValue(forKey: request) != nil else { return [] }
    return [.send(.answerSave(request, .refused(message)))]
  }

  /// The state of an activity was sent; `isSaved` where its document was saved in that round.
  mutating func publish(_ snapshot: ActivitySnapshot, isSaved: Bool) -> [Action] {
    end(snapshot.id) { save in
      let isWhole = isSaved || save.isSaved == true || !snapshot.flags.contains(.unsavedChanges)
      if isWhole { return .saved(changedAt: snapshot.changedAt) }
      return save.roundsBefore > 0 ? nil : .refused("")
    }
  }

  /// The activity is not offered any more.
  mutating func withhold(_ activity: ActivityID) -> [Action] { end(activity) { _ in .refused("") } }

  /// The activity is no more, whatever its app would say.
  mutating func invalidate(_ activity: ActivityID) -> [Action] {
    requests(of: activity).flatMap { refuse($0, because: "") }
  }

  /// Nobody hears an answer any more.
  mutating func disconnect() { saves = [:] }

  private mutating func end(_ activity: ActivityID, _ answer: (Save) -> SaveAnswer?) -> [Action] {
    requests(of: activity).compactMap { request -> Action? in
      guard let save = saves[request], save.isSaved != nil else { return nil }
      guard let answer = answer(save) else {
        saves[request]?.roundsBefore -= 1
        return nil
      }
      saves[request] = nil
      return .send(.answerSave(request, answer))
    }
  }
}
