// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// A `join` that waits for its invitation to come through the folder.
struct PendingJoin {
  let client: UInt64
  let command: UInt64
  let words: PairingWords
  let deviceName: String?
  /// Until when, with and without any invitation in the folders: other words' invitations are a sign of wrong
  /// words.
  let patience: (others: Instant, none: Instant)
}

/// How devices come into one circle: an invitation in the synced folders, and the words that open it. Loop
/// thread only.
final class PairingSession {
  private let ports: AgentPorts
  private let store: StateStore
  private let folders: FolderRegistry
  private let records: DeviceRecords
  private let circle: DeviceCircle
  /// Answers the `join` that a client waits for.
  private let answer: (PendingJoin, AgentAnswer) -> Void
  /// This device belongs to another circle now.
  private let onJoined: () -> Void
  private var joins: [PendingJoin] = []
  /// The part of the folders that was looked through for their invitations; nil when none is left over.
  private var search: InvitationSearch?
  /// How long a `join` waits for its invitation, with and without invitations for other words in the folders.
  var patience = (others: Duration.seconds(8), none: Duration.seconds(60))

  init(
    ports: AgentPorts, store: StateStore, folders: FolderRegistry, records: DeviceRecords,
    circle: DeviceCircle,
    answer: @escaping (PendingJoin, AgentAnswer) -> Void, onJoined: @escaping () -> Void
  ) {
    self.ports = ports
    self.store = store
    self.folders = folders
    self.records = records
    self.circle = circle
    self.answer = answer
    self.onJoined = onJoined
  }

  /// Nobody waits for the answer any more.
  func clientEnded(_ client: UInt64) { joins.removeAll { $0.client == client } }

  /// Invites a device into this circle, and gives the words that open the invitation.
  func invite(as deviceName: String?) throws(ContinuityError) -> AgentAnswer {
    guard folders.roots.contains(where: { $0.presence != nil }) else {
      throw ContinuityError(
        .pairingFailed,
        description:
          "Devices are paired through a synced folder: register one with `continuo folder add PATH` first.")
    }
    if let deviceName { try circle.rename(to: deviceName) }
    let before = store.identity.pairing
    let sequence = try store.nextSequence()
    let invitation = try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      return try identity.invite(at: ports.wall, sequence: sequence, using: &generator)
    }
    if let before { records.publisher.retract(before.file.name) }
    do throws(ContinuityError) {
      try records.publisher.publishPairing()
    } catch {
      // Nobody could find it: its words must not be carried anywhere.
      _ = try cancel()
      throw error
    }
    return .words(invitation.words.text.split(separator: " ").map(String.init))
  }

  func cancel() throws(ContinuityError) -> AgentAnswer {
    guard case .invited(let invitation) = store.identity.pairing else {
      return .done("No invitation was open.")
    }
    records.publisher.retract(invitation.file.name)
    _ = try store.changeIdentity { (identity) throws(ContinuityError) in identity.cancelPairing() }
    return .done("The invitation is closed; its words are worth nothing any more.")
  }

  func join(
    with words: String, as deviceName: String?, client: UInt64, command: UInt64
  ) throws(ContinuityError) {
    let parsed = try PairingWords(parsing: words, ciphers: ports.ciphers)
    guard folders.roots.contains(where: { $0.presence != nil }) else {
      throw ContinuityError(
        .pairingFailed,
        description: "Devices are paired through a synced folder: register its local copy with "
          + "`continuo folder add PATH` first."
      )
    }
    let pending = PendingJoin(
      client: client, command: command, words: parsed, deviceName: deviceName,
      patience: (ports.now + patience.others, ports.now + patience.none))
    joins.append(pending)
    search = nil
    tryJoins()
    for moment in [pending.patience.others, pending.patience.none] {
      ports.scheduler.schedule(at: moment) { [weak self] in self?.tryJoins() }
    }
  }

  /// Tries every waiting `join`; one whose patience has ended is answered with what failed.
  func tryJoins() {
    guard !joins.isEmpty else { return }
    let search = self.search ?? InvitationSearch(for: joins.map(\.words))
    search.look(in: folders.roots.compactMap(\.presence))
    // The next search begins anew: an invitation may have been taken back.
    self.search = search.hasMore ? search : nil
    if search.hasMore {
      ports.scheduler.schedule(at: ports.now + .milliseconds(50)) { [weak self] in self?.tryJoins() }
    }
    for pending in joins {
      do throws(ContinuityError) {
        try complete(pending, search.found)
      } catch {
        let isNone = search.found.isEmpty && !search.hasOthers
        let patience = isNone ? pending.patience.none : pending.patience.others
        // Only `words` may come right by waiting: the invitation may still be on its way.
        let isWaiting = search.hasMore || ports.now < patience
        if error.code == .pairingFailed, error.subject == "words", isWaiting { continue }
        finish(pending, .failed(error))
      }
    }
  }

  private func complete(_ pending: PendingJoin, _ invitations: [[UInt8]]) throws(ContinuityError) {
    let before = store.identity
    // Numbers are for records: without an invitation there is none to write.
    let sequence = invitations.isEmpty ? 0 : try store.nextSequence()
    let inviter = try store.changeIdentity { (identity) throws(ContinuityError) in
      if let name = pending.deviceName { try identity.rename(to: name, at: ports.wall) }
      var generator = ports.random
      return try identity.join(
        pending.words, records: invitations, at: ports.wall, sequence: sequence, using: &generator)
    }
    records.publisher.leaveCircle(of: before)
    do throws(ContinuityError) {
      try records.publisher.publishPairing()
    } catch {
      ports.log("the answer waits until a folder takes it: code \(error.code)")
    }
    finish(
      pending,
      .joined(
        inviter: circle.name(of: inviter.id),
        devices: ([store.identity.id] + store.identity.otherDevices.map(\.id)).map(circle.name)))
    onJoined()
  }

  private func finish(_ pending: PendingJoin, _ answer: AgentAnswer) {
    joins.removeAll { $0.client == pending.client && $0.command == pending.command }
    self.answer(pending, answer)
  }

  /// Ends an invitation that nobody answered in time.
  func expire() {
    guard let pairing = store.identity.pairing else { return }
    do throws(ContinuityError) {
      let expired = try store.changeIdentity { (identity) throws(ContinuityError) in
        identity.expirePairing(at: ports.wall)
      }
      if expired { records.publisher.retract(pairing.file.name) }
    } catch {
      ports.log("the invitation's end could not be written: code \(error.code)")
    }
  }
}
