// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

// Who belongs: removed by people, contested by a thief, learnt from rosters that travel as files. What a
// removal means is the product's own `CircleMembership`; its statements are signed by the record around them.
extension Agent {
  /// Whether this device belongs no more and stands down; a thief does not.
  var isOut: Bool { device.store.circle?.members.contains(device.id) == false && !device.isStolen }

  /// Whether the signer may be heard, as `Identity.open` says.
  func isBelieved(_ record: OpenedRecord) -> Bool {
    guard let circle = device.store.circle else { return true }
    if circle.members.contains(record.device) { return true }
    return record.roster == nil && circle.counts(record.sequence, of: record.device)
  }

  /// The person at this device takes another one out.
  func revokeSomebody() throws {
    guard let circle = device.store.circle, circle.members.contains(device.id), !device.isStolen,
      let target = world.random.pick(circle.members.subtracting([device.id]).sorted())
    else { return }
    let kept = circle.members.filter { circle.admitted[$0]?.contains(target) ?? false && $0 != target }
    let last = device.store.marks[target]?.sequence ?? 0
    _ = try take([.removed(target, by: device.id, .init(lastGoodSequence: last, kept: kept))])
  }

  /// A thief has this device: lets another one in, and removes somebody who might remove it.
  func steal() throws {
    guard let circle = device.store.circle else { return }
    device.isStolen = true
    let accomplice = DeviceID(using: &world.random)
    var statements = [CircleMembership.Statement.added(accomplice, by: device.id)]
    if let target = world.random.pick(circle.members.subtracting([device.id]).sorted()) {
      statements.append(.removed(target, by: device.id, .init(lastGoodSequence: 0)))
    }
    world.oracle.circle.stolen(device.id, accomplice)
    _ = try take(statements)
  }

  /// False when this device's own disk refused what must be durable first.
  func take(_ statements: [CircleMembership.Statement]) throws -> Bool {
    guard let before = device.store.circle else { return true }
    var circle = before
    circle.insert(statements)
    guard circle != before else { return true }
    try device.operate()
    guard !device.storeIsFull else { return false }
    device.store.circle = circle
    world.oracle.circle.learned(device, statements)
    if circle.removed != before.removed { world.count(.removals) }
    let gone = before.members.subtracting(circle.members)
    if !gone.isEmpty { try feed(.left(gone)) }
    if isOut {
      try feed(.left(circle.members))
      current = nil
      if presence != nil { try? folder.unlink(device.recordPath) }
    }
    try tellRoster()
    return true
  }

  /// Also after this device was removed: it may be the only one to know what others must hear.
  func tellRoster() throws {
    guard let circle = device.store.circle, !device.storeIsFull else { return }
    efforts += 1
    let sequence = try nextSequence()
    let payload = CircleRoster.payload(of: circle.statements)
    guard
      let record = world.sealing.seal(
        payload, by: device.identity, sequence: sequence, using: &world.random)
    else { return }
    world.note(record)
    let content = world.contents.wholeRecord(record)
    currentRoster = content
    try write(content, to: device.rosterPath)
  }

  /// Whether the folder holds what this device knows of the circle, where somebody was removed.
  var rosterIsIntact: Bool {
    guard let circle = device.store.circle, !circle.removed.isEmpty else { return true }
    guard let currentRoster else { return false }
    return folder.content(at: device.rosterPath) == currentRoster
  }
}

/// A roster as the payload of a record.
enum CircleRoster {
  // roster = { 1: [[subject, signer]], 2: [[subject, signer, last good sequence, [kept]]] }
  static func payload(of statements: [CircleMembership.Statement]) -> [UInt8] {
    var added: [[UInt8]: CBOR] = [:]
    var removed: [[UInt8]: CBOR] = [:]
    for statement in statements {
      switch statement {
      case .added(let subject, let signer):
        added[subject.bytes + signer.bytes] = .array([.bytes(subject.bytes), .bytes(signer.bytes)])
      case .removed(let subject, let signer, let removal):
        removed[subject.bytes + signer.bytes] = .array([
          .bytes(subject.bytes), .bytes(signer.bytes), .unsigned(removal.lastGoodSequence),
          .array(removal.kept.sorted().map { .bytes($0.bytes) }),
        ])
      }
    }
    func sorted(_ entries: [[UInt8]: CBOR]) -> CBOR {
      .array(entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
    }
    return CBOR.map([1: sorted(added), 2: sorted(removed)]).encoded
  }

  /// Nil for what is no roster.
  static func statements(of payload: [UInt8]) -> [CircleMembership.Statement]? {
    do throws(ContinuityError) {
      let fields = try CBOR(decoding: payload).map("roster")
      var statements: [CircleMembership.Statement] = []
      for entry in try fields.required(1, "added").array("added") {
        let pair = try entry.array("addition", count: 2)
        statements.append(.added(try pair[0].identifier("subject"), by: try pair[1].identifier("signer")))
      }
      for entry in try fields.required(2, "removed").array("removed") {
        let parts = try entry.array("removal", count: 4)
        var kept: Set<DeviceID> = []
        for each in try parts[3].array("kept") { kept.insert(try each.identifier("kept")) }
        statements.append(
          .removed(
            try parts[0].identifier("subject"), by: try parts[1].identifier("signer"),
            .init(lastGoodSequence: try parts[2].unsigned("sequence"), kept: kept)))
      }
      return statements
    } catch {
      return nil
    }
  }
}
