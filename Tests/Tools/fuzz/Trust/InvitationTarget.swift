// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust
import TrustCiphers

/// Invitations and answers, by those who do not know the words and by those who do; and words as people type
/// them.
struct InvitationTarget: FuzzTarget {
  static let name = "invitation"
  static let longest = 2048
  static let words =
    CBORWords.all + ["abandon", "zoo", "1. ", "ABAN", "\n", "é"].map { Array($0.utf8) }

  private var circle: SampleCircle
  private let guest: Identity
  private let invitation: PairingInvitation
  private let answer: [UInt8]
  /// What the records hold.
  private let payloads: [[UInt8]]

  init() throws {
    var circle = try SampleCircle()
    var guest = try Identity.found(
      name: "guest", at: circle.now, using: &circle.generator, ciphers: StandardCiphers())
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

  func seeds() throws -> [[UInt8]] {
    let words = Array(invitation.words.text.utf8)
    let typed = Array(invitation.words.text.uppercased().split(separator: " ").joined(separator: ", ").utf8)
    let changes: [[(place: Int, bits: UInt8)]] = [[], [(9, 3)], [(40, 1)], [(100, 1)]]
    return [[0] + words, [0] + typed]
      + changes.flatMap { change in [1, 2].map { [$0] + Mutations.seed(change) } }
      + [[3] + payloads[0], [4] + payloads[1]]
  }

  mutating func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    switch reader.choice(of: 5) {
    case 0: try checkWords(String(decoding: reader.rest, as: UTF8.self))
    case 1:
      let record = Mutations(&reader).applied(to: invitation.file.bytes)
      try expect(
        (joined(by: record) != nil) == (record == invitation.file.bytes),
        "a changed invitation is taken, or not")
    case 2:
      let record = Mutations(&reader).applied(to: answer)
      try expect((taken(record) != nil) == (record == answer), "a changed answer is taken, or not")
    case 3: try checkInvitation(reader.rest)
    default: try checkAnswer(reader.rest)
    }
  }

  private func checkWords(_ typed: String) throws {
    guard let words = try? PairingWords(parsing: typed, ciphers: StandardCiphers()) else { return }
    let again = try? PairingWords(parsing: words.text, ciphers: StandardCiphers())
    try expect(again == words, "words are others when typed as they are shown")
    try expect(words.text.split(separator: " ").count == 12, "an invitation has not twelve words")
  }

  private mutating func joined(by record: [UInt8]) -> Identity? {
    var guest = guest
    let inviter = try? guest.join(
      invitation.words, records: [record], at: circle.now, sequence: 6, using: &circle.generator)
    return inviter == nil ? nil : guest
  }

  private mutating func taken(_ record: [UInt8]) -> Identity? {
    var desk = circle.desk
    let guest = try? desk.takeAnswer(record, at: circle.now, using: &circle.generator)
    return guest == nil ? nil : desk
  }

  /// What an inviter may say that lies.
  private mutating func checkInvitation(_ payload: [UInt8]) throws {
    guard let record = try? sealed(payload, by: circle.desk), let guest = joined(by: record) else { return }
    try expect(
      guest.circle.roster[circle.desk.id] != nil, "an inviter is taken that does not belong to its circle")
    try expect(
      guest.circle.epochs.count == 1, "a guest knows another number of keys than the invitation's one")
    try Self.checkKept(guest)
  }

  /// What a guest may say that lies.
  private mutating func checkAnswer(_ payload: [UInt8]) throws {
    guard let record = try? sealed(payload, by: guest), let desk = taken(record) else { return }
    let news = desk.circle.roster.devices.filter { circle.desk.circle.roster[$0.id] == nil }
    try expect(news.map(\.id) == [guest.id], "an answer lets somebody else in than its signer")
    try expect(
      news.allSatisfy { DisplayText.isClean($0.name) && $0.name.utf8.count <= 256 },
      "a name is shown as it came")
    try Self.checkKept(desk)
  }

  private mutating func sealed(_ payload: [UInt8], by device: Identity) throws -> [UInt8] {
    try SealedRecord.seal(
      payload, kind: .invitation, sequence: 7, by: device.keys, under: invitation.words.epochKey,
      using: &circle.generator)
  }

  private static func checkKept(_ identity: Identity) throws {
    let kept = try? Identity(encoded: identity.encoded, ciphers: StandardCiphers())
    try expect(kept == identity, "an identity is another one when read again")
  }
}
