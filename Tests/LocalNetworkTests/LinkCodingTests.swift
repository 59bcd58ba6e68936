// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// The frames between the agent and its network process.
@Suite struct LinkCodingTests {
  private static let one = LinkNumber(rawValue: 1)
  private static let bytes32 = [UInt8](repeating: 7, count: 32)

  private static let orders: [LinkOrder] = [
    .receive([]),
    .receive([
      ReceivingKey(period: 0, key: bytes32, context: [1]),
      ReceivingKey(period: .max, key: bytes32, context: [UInt8](repeating: 9, count: 64)),
    ]),
    .listen,
    .dial(one, identity: [UInt8](repeating: 3, count: 48), key: bytes32),
    .prove(.firstAccepted, [UInt8](repeating: 1, count: 4096)),
    .admit(one),
    .send(one, .record, [UInt8](repeating: 5, count: 1 << 20)),
    .send(one, .request, [0]),
    .close(LinkNumber(rawValue: .max)),
    .sendFile(one, TransferNumber(rawValue: 1), size: 1),
    .receiveFile(one, TransferNumber(rawValue: .max), size: .max),
    .stopSending(one, TransferNumber(rawValue: 0)),
    .stopReceiving(.firstAccepted, TransferNumber(rawValue: 2)),
    .carry(one, StreamNumber(rawValue: 1)),
    .reset(.firstAccepted, StreamNumber(rawValue: .max), isTold: true),
    .reset(one, StreamNumber(rawValue: 0), isTold: false),
  ]

  private static let reports: [LinkReport] =
    [
      .secured(one, exporter: bytes32, period: nil),
      .secured(.firstAccepted, exporter: bytes32, period: .max),
      .proof(one, [1]),
      .received(one, .record, [UInt8](repeating: 5, count: 1 << 20)),
      .received(one, .request, [0]),
    ] + LinkEnd.allCases.map { .closed(one, $0) }
    + TransferEnd.allCases.flatMap { end -> [LinkReport] in
      let transfer = TransferNumber(rawValue: 3)
      return [.fileSent(one, transfer, end), .fileReceived(one, transfer, end)]
    } + StreamEnd.allCases.map { .streamEnded(one, StreamNumber(rawValue: 3), $0) }

  @Test func whatIsWrittenIsRead() throws {
    for order in Self.orders { #expect(try LinkOrder(decoding: #require(order.encoded)) == order) }
    for report in Self.reports { #expect(try LinkReport(decoding: #require(report.encoded)) == report) }
    for greeting in [LinkGreeting(isWithoutPaths: true), LinkGreeting(isWithoutPaths: false)] {
      #expect(try LinkGreeting(decoding: greeting.encoded) == greeting)
    }
  }

  @Test func whatNoLinkCarriesIsNotWritten() {
    let key = [UInt8](repeating: 7, count: 32)
    for order: LinkOrder in [
      .receive([ReceivingKey](repeating: ReceivingKey(period: 1, key: key, context: [1]), count: 5)),
      .receive([ReceivingKey(period: 1, key: [1], context: [1])]),
      .receive([ReceivingKey(period: 1, key: key, context: [UInt8](repeating: 1, count: 65))]),
      .dial(Self.one, identity: [UInt8](repeating: 1, count: 49), key: key),
      .dial(Self.one, identity: [1], key: key + [1]),
      .prove(Self.one, [UInt8](repeating: 1, count: 4097)),
      .send(Self.one, .record, [UInt8](repeating: 1, count: 1 << 20 + 1)),
      .send(Self.one, .request, []), .send(Self.one, .proof, [1]),
      .send(Self.one, .document, [0, 0, 0, 1, 1]), .sendFile(Self.one, TransferNumber(rawValue: 1), size: 0),
      .receiveFile(Self.one, TransferNumber(rawValue: 1), size: 0),
    ] {
      #expect(order.encoded == nil)
    }
    #expect(LinkReport.proof(Self.one, []).encoded == nil)
    #expect(LinkReport.received(Self.one, .document, [0, 0, 0, 1, 1]).encoded == nil)
    #expect(LinkReport.secured(Self.one, exporter: [], period: nil).encoded == nil)
  }

  /// Whatever comes is refused, or is what would be written.
  @Test func anyOtherBytesAreRefused() throws {
    let samples = Self.orders.compactMap(\.encoded) + Self.reports.compactMap(\.encoded)
    for sample in samples where sample.count < 6000 {
      for index in sample.indices.prefix(200) {
        for change in [1, 0x20, 0x80, 0xff] as [UInt8] {
          var bytes = sample
          bytes[index] ^= change
          if let order = try? LinkOrder(decoding: bytes) { #expect(order.encoded == bytes) }
          if let report = try? LinkReport(decoding: bytes) { #expect(report.encoded == bytes) }
        }
        #expect(throws: ContinuityError.self) { try LinkOrder(decoding: Array(sample[..<index])) }
        #expect(throws: ContinuityError.self) { try LinkReport(decoding: Array(sample[..<index])) }
      }
    }
    #expect(throws: ContinuityError.self) { try LinkGreeting(decoding: [0x82, 0x01, 0xf5]) }
  }
}
