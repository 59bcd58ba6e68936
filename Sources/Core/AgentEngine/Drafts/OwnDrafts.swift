// SPDX-License-Identifier: MIT

import ActivityModel

/// The drafts that this device's apps hand over when another device goes on with them: which text belongs to
/// which activity, while that is being kept and afterwards. Loop thread only.
final class OwnDrafts {
  private struct Keeping {
    let client: UInt64
    /// The last state that was said meanwhile: it is told after the one whose text is being kept.
    var next: (() -> Void)?
  }

  private let ports: AgentPorts
  private let hasher: HashQueue
  private var keeping: [ActivityID: Keeping] = [:]
  private var kept: [ActivityID: Draft] = [:]

  init(ports: AgentPorts, hasher: HashQueue) { (self.ports, self.hasher) = (ports, hasher) }

  /// Calls `done` with the state and the draft that belongs to it: what `file` holds, where the app handed
  /// over text beside the state, else what it handed over before. In the order of the states; one that
  /// another overtakes is left out.
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
      keeping[id]?.next = { [weak self] in
        snapshot.flags.formUnion(handsOver ? .withDraft : [])
        self?.attach(snapshot, file: file, of: client, done: done)
      }
      return
    }
    guard handsOver, let file else { return done(withKept(snapshot)) }
    keeping[id] = Keeping(client: client)
    hasher.keep(file, size: file.size, in: ports.drafts) { [weak self] result in
      guard let self, let ended = keeping.removeValue(forKey: id) else { return }
      switch result {
      case .success(let text):
        kept[id] = Draft(digest: text.digest, size: text.size, changedAt: snapshot.changedAt)
      case .failure(let error): ports.log("a draft is not handed over: code \(error.code)")
      }
      done(withKept(snapshot))
      ended.next?()
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
  func clientEnded(_ client: UInt64) { keeping = keeping.filter { $0.value.client != client } }
}
