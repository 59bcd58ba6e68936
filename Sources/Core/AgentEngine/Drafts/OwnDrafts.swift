// SPDX-License-Identifier: MIT

import ActivityModel

/// The drafts that this device's apps hand over when another device goes on with them: which text belongs to
/// which activity, while that is being kept and afterwards. Loop thread only.
final class OwnDrafts {
  private struct Keeping {
    let number: UInt64
    let client: UInt64
    /// The states that were said meanwhile, and by whom: each is told after the one whose text is being kept.
    var next: [(client: UInt64, say: () -> Void)] = []
  }

  private let ports: AgentPorts
  private let hasher: HashQueue
  private var keeping: [ActivityID: Keeping] = [:]
  private var kept: [ActivityID: Draft] = [:]
  /// So many are known at a time; the oldest are forgotten, and asked for again.
  private static let limit = 256
  private var counted: UInt64 = 0

  init(ports: AgentPorts, hasher: HashQueue) { (self.ports, self.hasher) = (ports, hasher) }

  /// Calls `done` with the state and the draft that belongs to it: what `file` holds, where the app handed
  /// over text beside the state, else what it handed over before. In the order of the states.
  func attach(
    _ snapshot: ActivitySnapshot, file: (any OpenFile)?, of client: UInt64,
    done: @escaping (ActivitySnapshot) -> Void
  ) {
    var snapshot = snapshot
    // Only the agent says what it keeps.
    snapshot.draft = nil
    let handsOver = snapshot.flags.contains(.withDraft)
    snapshot.flags.remove(.withDraft)
    let id = snapshot.id
    if keeping[id] != nil {
      let say = { [weak self] in
        snapshot.flags.formUnion(handsOver ? .withDraft : [])
        self?.attach(snapshot, file: file, of: client, done: done)
      }
      keeping[id]?.next.append((client, say))
      return
    }
    guard handsOver, let file else { return done(withKept(snapshot)) }
    counted += 1
    let number = counted
    keeping[id] = Keeping(number: number, client: client)
    hasher.keep(file, size: file.size, in: ports.drafts) { [weak self] result in
      guard let self, keeping[id]?.number == number, let ended = keeping.removeValue(forKey: id) else {
        return
      }
      switch result {
      case .success(let text):
        kept[id] = Draft(digest: text.digest, size: text.size, changedAt: snapshot.changedAt)
        if kept.count > Self.limit, let oldest = kept.min(by: { $0.value.changedAt < $1.value.changedAt }) {
          kept[oldest.key] = nil
        }
      case .failure(let error): ports.log("a draft is not handed over: code \(error.code)")
      }
      done(withKept(snapshot))
      for each in ended.next { each.say() }
    }
  }

  /// Once a file has all of the text, there is no draft any more.
  private func withKept(_ snapshot: ActivitySnapshot) -> ActivitySnapshot {
    guard snapshot.flags.contains(.unsavedChanges) || snapshot.flags.contains(.draft) else {
      kept[snapshot.id] = nil
      return snapshot
    }
    var snapshot = snapshot
    snapshot.draft = kept[snapshot.id]
    return snapshot
  }

  /// The activity has ended.
  func forget(_ activity: ActivityID) { (keeping[activity], kept[activity]) = (nil, nil) }

  /// What that app was about to say is not said; what it has handed over stands, as all that it leaves open.
  func clientEnded(_ client: UInt64) {
    for (activity, ended) in keeping.sorted(by: { $0.key < $1.key }) where ended.client == client {
      keeping[activity] = nil
      // The app may be back already.
      for each in ended.next where each.client != client { each.say() }
    }
  }
}
