// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust

/// Invitations and answers, by those who do not know the words and by those who do; and words as people type
/// them.
struct InvitationTarget: FuzzTarget {
  static let name = "invitation"
  static let longest = 2048
  static let words =
    CBORWords.all + ["abandon", "zoo", "1. ", "ABAN", "\n", "é"].map { Array($0.utf8) }

  private let worlds: Worlds<PairingWorld>

  init() throws { worlds = try Worlds { try PairingWorld(ciphers: $0) } }

  func seeds() throws -> [[UInt8]] {
    worlds.seeds { world, choice in
      let words = world.invitation.words.text
      let typed = words.uppercased().split(separator: " ").joined(separator: ", ")
      let changes: [[(place: Int, bits: UInt8)]] = [[], [(9, 3)], [(40, 1)], [(100, 1)]]
      return [words, typed].map { choice(0) + Array($0.utf8) }
        + changes.flatMap { change in [1, 2].map { choice($0) + Mutations.seed(change) } }
        + [choice(3) + world.payloads[0], choice(4) + world.payloads[1]]
    }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let choice = Worlds<PairingWorld>.Choice(&reader, of: 5)
    var world = worlds[choice]
    switch choice.deed {
    case 0: try world.checkWords(String(decoding: reader.rest, as: UTF8.self))
    case 1:
      let record = Mutations(&reader).applied(to: world.invitation.file.bytes)
      try expect(
        (world.joined(by: record) != nil) == (record == world.invitation.file.bytes),
        "a changed invitation is taken, or not")
    case 2:
      let record = Mutations(&reader).applied(to: world.answer)
      try expect(
        (world.taken(record) != nil) == (record == world.answer), "a changed answer is taken, or not")
    case 3: try world.checkInvitation(reader.rest)
    default: try world.checkAnswer(reader.rest)
    }
  }
}

/// A circle that invited, and a guest that answered.
private struct PairingWorld {
  private var circle: SampleCircle
  private let ciphers: any CipherSuite
  private let guest: Identity
  let invitation: PairingInvitation
  let answer: [UInt8]
  /// What the records hold.
  let payloads: [[UInt8]]

  init(ciphers: any CipherSuite) throws {
    self.ciphers = ciphers
    var circle = try SampleCircle(ciphers: ciphers)
    var guest = try Identity.found(
      name: "guest", at: circle.now, using: &circle.generator, ciphers: ciphers)
    self.guest = guest
    invitation = try circle.desk.invite(at: circle.now, sequence: 5, using: &circle.generator)
    _ = try guest.join(
      invitation.words, records: [invitation.file.bytes], at: circle.now, sequence: 5,
      using: &circle.generator)
    let answer = guest.pairing?.file.bytes ?? []
    let key = invitation.words.epochKey
    payloads = try [invitation.file.bytes, answer].map { record in
      let header = try RecordHeader(record: record)
      let text = key.open(Array(record.dropFirst(RecordHeader.size)), header: header) ?? []
      let length = text.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      return Array(text.dropFirst(20).prefix(length))
    }
    self.answer = answer
    self.circle = circle
  }

  func checkWords(_ typed: String) throws {
    guard let words = try? PairingWords(parsing: typed, ciphers: ciphers) else { return }
    let again = try? PairingWords(parsing: words.text, ciphers: ciphers)
    try expect(again == words, "words are others when typed as they are shown")
    try expect(words.text.split(separator: " ").count == 12, "an invitation has not twelve words")
  }

  mutating func joined(by record: [UInt8]) -> Identity? {
    var guest = guest
    let inviter = try? guest.join(
      invitation.words, records: [record], at: circle.now, sequence: 6, using: &circle.generator)
    return inviter == nil ? nil : guest
  }

  mutating func taken(_ record: [UInt8]) -> Identity? {
    var desk = circle.desk
    let guest = try? desk.takeAnswer(record, at: circle.now, using: &circle.generator)
    return guest == nil ? nil : desk
  }

  /// What an inviter may say that lies.
  mutating func checkInvitation(_ payload: [UInt8]) throws {
    guard let record = try? sealed(payload, by: circle.desk), let guest = joined(by: record) else { return }
    try expect(
      guest.circle.roster[circle.desk.id] != nil, "an inviter is taken that does not belong to its circle")
    try expect(
      guest.circle.epochs.count == 1, "a guest knows another number of keys than the invitation's one")
    try checkKept(guest)
  }

  /// What a guest may say that lies.
  mutating func checkAnswer(_ payload: [UInt8]) throws {
    guard let record = try? sealed(payload, by: guest), let desk = taken(record) else { return }
    let news = desk.circle.roster.devices.filter { circle.desk.circle.roster[$0.id] == nil }
    try expect(news.map(\.id) == [guest.id], "an answer lets somebody else in than its signer")
    try expect(
      news.allSatisfy { DisplayText.isClean($0.name) && $0.name.utf8.count <= 256 },
      "a name is shown as it came")
    try checkKept(desk)
  }

  private mutating func sealed(_ payload: [UInt8], by device: Identity) throws -> [UInt8] {
    try SealedRecord.seal(
      payload, kind: .invitation, sequence: 7, by: device.keys, under: invitation.words.epochKey,
      using: &circle.generator)
  }

  private func checkKept(_ identity: Identity) throws {
    let kept = try? Identity(encoded: identity.encoded, ciphers: ciphers)
    try expect(kept == identity, "an identity is another one when read again")
  }
}
