// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

// The roster: told, learnt, and kept where others read it.
extension DeviceRecords {
  /// Tells the roster anew: somebody came or went. Also after this device was removed: it may be the only one
  /// to know what others must hear.
  func publishRoster() throws(ContinuityError) {
    var generator = ports.random
    bridges = try store.identity.bridgeFiles(using: &generator) { () throws(ContinuityError) in
      try store.nextSequence()
    }
    for file in bridges { write(file) }
    let file = try store.identity.rosterFile(sequence: store.nextSequence(), using: &generator)
    roster = file
    write(file)
  }

  /// Whether the folder holds the roster, where somebody was removed: whoever takes the news of it away gains
  /// time.
  func knowsRoster(_ presence: FolderRegistry.Presence) throws(ContinuityError) -> Bool {
    guard hasLostDevices else { return true }
    guard let roster else { return false }
    for file in bridges + [roster]
    where try presence.records.read(file.name, limit: Int(RecordHeader.recordSizes.max() ?? 0)) != file.bytes
    {
      return false
    }
    return true
  }

  /// Whether the roster was told in this run, where somebody was removed.
  var hasToldRoster: Bool { roster != nil || !hasLostDevices }

  /// Whether somebody was removed from the circle, as far as is known here.
  private var hasLostDevices: Bool { !store.identity.circle.roster.membership.removed.isEmpty }

  /// Forgets what was sealed for a circle that this device left, and takes it away, the pairing's file
  /// included.
  func leaveCircle(of before: Identity) {
    for name in [before.fileName(.state), before.fileName(.roster)] { retract(name) }
    if let pairing = before.pairing, pairing.file.name != store.identity.pairing?.file.name {
      retract(pairing.file.name)
    }
    (current, roster, bridges) = (nil, nil, [])
  }

  /// Takes away what is sealed with a former key, or says something for a device that was removed. The roster
  /// under that key is replaced by the one that leads to the next key.
  func leaveEpoch(of before: Identity) {
    retract(before.fileName(.state))
    (current, roster) = (nil, nil)
  }

  func roster(of read: ReadRecord) throws(ContinuityError) -> RosterNews? {
    let before = store.identity
    let news = try read.isMerged ? RosterNews() : merge(read)
    if let waited = before.pairing, store.identity.pairing == nil { retract(waited.file.name) }
    if news.hasNewKey || store.identity.isRemoved { leaveEpoch(of: before) }
    return news.isGrown ? news : nil
  }

  private func merge(_ read: ReadRecord) throws(ContinuityError) -> RosterNews {
    let news = try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      return try identity.mergeRoster(read.opened.payload, at: ports.wall, using: &generator)
    }
    // Where that changed the identity, this is forgotten with all other records.
    read.isMerged = true
    return news
  }

  func answer(_ bytes: [UInt8]) throws(ContinuityError) -> RosterDevice? {
    guard case .invited(let invitation) = store.identity.pairing, bytes != invitation.file.bytes else {
      return nil
    }
    let joiner: RosterDevice
    let before = store.identity
    do {
      joiner = try store.changeIdentity { (identity) throws(ContinuityError) in
        var generator = ports.random
        return try identity.takeAnswer(bytes, at: ports.wall, using: &generator)
      }
    } catch {
      // Somebody else's invitation or answer, or one that comes too late, is none; a full disk is another
      // matter.
      if error.code == .invalidBytes || error.code == .pairingFailed { return nil }
      throw error
    }
    retract(invitation.file.name)
    if store.identity.circle.currentEpoch != before.circle.currentEpoch { leaveEpoch(of: before) }
    return joiner
  }
}
