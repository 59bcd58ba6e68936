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

extension AgentCore {
  func pair(_ deviceName: String?) throws(ContinuityError) -> AgentAnswer {
    guard folders.roots.contains(where: { $0.presence != nil }) else {
      throw ContinuityError(
        .pairingFailed,
        "Devices are paired through a synced folder: register one with `continuo folder add PATH` first.")
    }
    try rename(deviceName)
    let before = store.identity.pairing
    let sequence = try store.nextSequence()
    let invitation = try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      return try identity.invite(at: ports.wall, sequence: sequence, using: &generator)
    }
    if let before { records.retract(before.file.name) }
    do throws(ContinuityError) {
      try records.publishPairing()
    } catch {
      // Nobody could find it: its words must not be carried anywhere.
      _ = try cancelPairing()
      throw error
    }
    return .words(invitation.words.text.split(separator: " ").map(String.init))
  }

  func cancelPairing() throws(ContinuityError) -> AgentAnswer {
    guard case .invited(let invitation) = store.identity.pairing else {
      return .done("No invitation was open.")
    }
    records.retract(invitation.file.name)
    _ = try store.changeIdentity { (identity) throws(ContinuityError) in identity.cancelPairing() }
    return .done("The invitation is closed; its words are worth nothing any more.")
  }

  func join(
    _ words: String, _ deviceName: String?, client: UInt64, command: UInt64
  ) throws(ContinuityError) {
    let parsed = try PairingWords(parsing: words, ciphers: ports.ciphers)
    guard folders.roots.contains(where: { $0.presence != nil }) else {
      throw ContinuityError(
        .pairingFailed,
        "Devices are paired through a synced folder: register its local copy with "
          + "`continuo folder add PATH` first."
      )
    }
    let pending = PendingJoin(
      client: client, command: command, words: parsed, deviceName: deviceName,
      patience: (ports.now + patience.others, ports.now + patience.none))
    joins.append(pending)
    invitationSearch = nil
    tryJoins()
    for moment in [pending.patience.others, pending.patience.none] {
      ports.scheduler.schedule(at: moment) { [weak self] in self?.tryJoins() }
    }
  }

  /// Tries every waiting `join`; one whose patience has ended is answered with what failed.
  func tryJoins() {
    guard !joins.isEmpty else { return }
    let search = invitationSearch ?? InvitationSearch(for: joins.map(\.words))
    search.look(in: folders.roots.compactMap(\.presence))
    // The next search begins anew: an invitation may have been taken back.
    invitationSearch = search.hasMore ? search : nil
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
    records.leaveCircle(of: before)
    do throws(ContinuityError) {
      try records.publishPairing()
    } catch {
      ports.log("the answer waits until a folder takes it: code \(error.code)")
    }
    finish(
      pending,
      .joined(
        inviter: deviceName(inviter.id),
        devices: ([store.identity.id] + store.identity.otherDevices.map(\.id)).map(deviceName)))
    readEverythingAgain()
    feed(.audienceChanged)
  }

  private func finish(_ pending: PendingJoin, _ answer: AgentAnswer) {
    joins.removeAll { $0.client == pending.client && $0.command == pending.command }
    clients[pending.client]?.connection.send(.answer(pending.command, answer))
  }

  /// Gives this device another name; the circle learns it from the roster.
  func renameDevice(_ name: String) throws(ContinuityError) -> AgentAnswer {
    func refused(_ sentence: String) -> ContinuityError {
      ContinuityError(.invalidRequest, subject: name, sentence)
    }
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw refused("The name is empty: give another.")
    }
    if let removal { throw ContinuityError(.invalidRequest, subject: name, because: removal) }
    guard store.identity.isConfirmed else {
      throw refused("This device waits to be let into its circle: rename it when the answer has come.")
    }
    try rename(name)
    // Of two devices of one name, both are shown otherwise.
    readEverythingAgain()
    let shown = deviceName(store.identity.id)
    let isAlone = store.identity.otherDevices.isEmpty
    let others = isAlone ? "" : "; the others show it once their folders are in step"
    guard shown == store.identity.name else {
      return .done(
        "This device is called \(store.identity.name) now\(others). Another device is called so, too: this "
          + "one is shown as \(shown).")
    }
    return .done("This device is called \(shown) now\(others).")
  }

  private func rename(_ name: String?) throws(ContinuityError) {
    guard let name, name != store.identity.name else { return }
    try store.changeIdentity { (identity) throws(ContinuityError) in
      try identity.rename(to: name, at: ports.wall)
    }
    if store.identity.circle.roster.devices.count > 1 { publishRoster() }
  }

  /// Ends an invitation that nobody answered in time.
  func expirePairing() {
    guard let pairing = store.identity.pairing else { return }
    do throws(ContinuityError) {
      let expired = try store.changeIdentity { (identity) throws(ContinuityError) in
        identity.expirePairing(at: ports.wall)
      }
      if expired { records.retract(pairing.file.name) }
    } catch {
      ports.log("the invitation's end could not be written: code \(error.code)")
    }
  }
}

/// Looks through the folders for the invitations that certain words open, a part at a time: junk may lie
/// there by the thousand. Loop thread only.
final class InvitationSearch {
  private let tags: Set<[UInt8]>
  private var readers: [ObjectIdentifier: FolderTransport] = [:]
  /// Those for the words.
  private(set) var found: [[UInt8]] = []
  /// Whether there are some for other words.
  private(set) var hasOthers = false
  /// Whether a part of the files is still to be looked at.
  private(set) var hasMore = false

  init(for words: [PairingWords]) { tags = Set(words.map(\.circleTag)) }

  func look(in folders: [FolderRegistry.Presence]) {
    hasMore = false
    for folder in folders {
      let key = ObjectIdentifier(folder.records as AnyObject)
      let reader = readers[key] ?? FolderTransport(folder: folder.directory, records: folder.records)
      readers[key] = reader
      for record in reader.hasMore ? reader.collectRest() : reader.collect() {
        // What is no record is no invitation.
        guard let header = try? RecordHeader(record: record), header.kind == .invitation else { continue }
        if tags.contains(header.circleTag) { found.append(record) } else { hasOthers = true }
      }
      if reader.hasMore { hasMore = true }
    }
  }
}
