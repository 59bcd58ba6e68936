// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork

/// What another device says about documents: read in one way only, and whatever it says, it is sent what is
/// offered, a few at a time, and nothing is taken from it that was not asked for.
struct WordTarget: FuzzTarget {
  static let name = "word"
  static let longest = 1024
  static let words = CBORWords.all + [[0x85, 0x00, 0x01, 0x50], [0x83, 0x03, 0x01], [0x58, 0x20]]

  private static let devices = [1, 2].compactMap { DeviceID(bytes: [UInt8](repeating: $0, count: 16)) }
  private static let activities = (1...4).compactMap { ActivityID(bytes: [UInt8](repeating: $0, count: 16)) }
  private static let digests = (1...3).compactMap { ContentDigest(bytes: [UInt8](repeating: $0, count: 32)) }
  private static let sizeLimit: UInt64 = 1000

  func seeds() throws -> [[UInt8]] {
    let (one, last) = (TransferNumber(rawValue: 1), TransferNumber(rawValue: .max))
    guard let activity = Self.activities.first, let digest = Self.digests.first else { return [] }
    let said: [DocumentWord] =
      [
        .ask(one, activity, digest, size: 9), .ask(last, activity, digest, size: .max), .cancel(one),
        .send(one, modified: -1), .send(last, modified: .max),
      ] + DocumentRefusal.allCases.map { .refuse(one, $0) }
    let steps: [[UInt8]] = [
      [0, 2, 0, 1, 1, 0, 0, 1, 3, 0, 0, 5], [0, 1, 0, 1, 2, 1, 0, 0, 3, 4, 1, 0, 2, 5, 60],
      [3, 4, 0, 1, 0, 1, 3, 4, 0, 1, 0, 2], [0, 3, 1, 1, 0, 2, 0, 1, 6, 0, 4, 0, 0, 2, 0, 4],
    ]
    return said.map { [0] + $0.encoded } + [1, 2].flatMap { kind in steps.map { [kind] + $0 } }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    switch reader.choice(of: 3) {
    case 0:
      guard let word = try? DocumentWord.decoded(reader.rest) else { return }
      try expect(word.encoded == reader.rest, "a word has two forms")
    case 1: try Self.checkServing(&reader)
    default: try Self.checkFetching(&reader)
    }
  }

  private static func pick<Value>(_ values: [Value], _ reader: inout InputReader) -> Value {
    values[reader.choice(of: values.count)]
  }

  private static func number(_ reader: inout InputReader) -> TransferNumber {
    TransferNumber(rawValue: UInt32(reader.choice(of: 12)))
  }
}

/// As the device that is asked.
extension WordTarget {
  private struct Served {
    var machine = ServeMachine()
    var offered: [ActivityID: Set<ServeMachine.Offered>] = [:]
    var going: Set<DocumentTransfer> = []
    var now = Instant(nanoseconds: 0)

    mutating func handle(_ event: ServeMachine.Event) throws {
      let actions = machine.handle(event, at: now)
      let isOpened = if case .opened = event { true } else { false }
      // Each that goes is stopped, and its device told.
      let bound = 1 + 2 * WordTarget.devices.count * ServeMachine.limit
      try expect(actions.count <= bound, "\(actions.count) answers to one word")
      for action in actions {
        switch action {
        case .open(let transfer, let activity, let version):
          try expect(offered[activity]?.contains(version) == true, "what is not offered is opened")
          try expect(going.insert(transfer).inserted, "a transfer is begun twice")
          let count = going.count { $0.device == transfer.device }
          try expect(count <= ServeMachine.limit, "\(count) documents go at a time")
        case .refuse(let transfer, _): if isOpened { going.remove(transfer) }
        case .stop(let transfer): going.remove(transfer)
        }
      }
    }
  }

  private static func checkServing(_ reader: inout InputReader) throws {
    var served = Served()
    while !reader.isAtEnd {
      let choice = reader.choice(of: 8)
      let transfer = DocumentTransfer(with: pick(devices, &reader), as: number(&reader))
      switch choice {
      case 0:
        served.offered = [:]
        for _ in 0..<reader.choice(of: 4) {
          served.offered[pick(activities, &reader), default: []].insert(
            ServeMachine.Offered(digest: pick(digests, &reader), size: UInt64(reader.byte())))
        }
        try served.handle(.offered(served.offered))
      case 1, 2:
        try served.handle(
          .said(
            transfer.device,
            .ask(
              transfer.number, pick(activities, &reader), pick(digests, &reader), size: UInt64(reader.byte()))
          ))
      case 3: try served.handle(.said(transfer.device, .cancel(transfer.number)))
      case 4: try served.handle(.opened(transfer, DocumentRefusal(rawValue: UInt64(reader.choice(of: 5)))))
      case 5: served.now = served.now + .seconds(Int64(reader.byte()))
      case 6:
        served.going.remove(transfer)
        try served.handle(.ended(transfer))
      default:
        served.going = served.going.filter { $0.device != transfer.device }
        try served.handle(.unlinked(transfer.device))
      }
    }
  }
}

/// As the device that asks.
extension WordTarget {
  private struct Fetched {
    var machine = FetchMachine(sizeLimit: WordTarget.sizeLimit)
    var wanted: [OfferID: FetchMachine.Wanted] = [:]
    var linked: Set<DeviceID> = []
    var asked: [DocumentTransfer: (offer: OfferID, digest: ContentDigest)] = [:]
    var now = Instant(nanoseconds: 0)

    mutating func handle(_ event: FetchMachine.Event) throws {
      for action in machine.handle(event, at: now) {
        switch action {
        case .ask(let device, let number, let offer, let document):
          let isWanted = wanted[offer]?.digest == document.digest && document.size <= WordTarget.sizeLimit
          try expect(isWanted && offer.device == device, "what is not wanted is asked for")
          try expect(linked.contains(device), "a device without a link is asked")
          let transfer = DocumentTransfer(with: device, as: number)
          try expect(
            asked.updateValue((offer, document.digest), forKey: transfer) == nil, "a number is used twice")
          let count = asked.keys.count { $0.device == device }
          try expect(count <= FetchMachine.limit, "\(count) documents come at a time")
        case .judge(let device, let number, let offer, let digest):
          let found = asked.removeValue(forKey: DocumentTransfer(with: device, as: number))
          try expect(found?.offer == offer && found?.digest == digest, "what was not asked for is judged")
        case .cancel(let device, let number), .drop(let device, let number):
          let found = asked.removeValue(forKey: DocumentTransfer(with: device, as: number))
          try expect(found != nil, "what was not asked for is given up")
        case .measure(let device, let number):
          let transfer = DocumentTransfer(with: device, as: number)
          try expect(asked[transfer] != nil, "what was not asked for is measured")
        }
      }
      let next = machine.nextMoment(after: now)
      try expect(asked.isEmpty || next != nil, "a document is waited for without end")
    }
  }

  private static func checkFetching(_ reader: inout InputReader) throws {
    var fetched = Fetched()
    while !reader.isAtEnd {
      let choice = reader.choice(of: 8)
      let (device, number) = (pick(devices, &reader), number(&reader))
      switch choice {
      case 0, 1:
        fetched.wanted = [:]
        for _ in 0..<reader.choice(of: 7) {
          let offer = OfferID(device: pick(devices, &reader), activity: pick(activities, &reader))
          fetched.wanted[offer] = FetchMachine.Wanted(
            digest: pick(digests, &reader), size: UInt64(reader.byte()) * 5, isAwaited: choice == 1)
        }
        try fetched.handle(.wants(fetched.wanted))
      case 2:
        fetched.linked.insert(device)
        try fetched.handle(.linked(device))
      case 3:
        let refusal = DocumentRefusal(rawValue: UInt64(reader.choice(of: 4))) ?? .busy
        try fetched.handle(.refused(device, number, refusal))
      case 4:
        let end = TransferEnd(rawValue: UInt8(reader.choice(of: 3))) ?? .early
        try fetched.handle(.received(device, number, end))
      case 5:
        fetched.now = fetched.now + .seconds(Int64(reader.byte()))
        try fetched.handle(.time)
      case 6: try fetched.handle(.measured(device, number, UInt64(reader.byte())))
      default:
        let offer = OfferID(device: device, activity: pick(activities, &reader))
        try fetched.handle(.judged(offer, pick(digests, &reader), isRight: reader.choice(of: 2) == 0))
      }
      if reader.isAtEnd, let device = fetched.linked.min() {
        fetched.linked.remove(device)
        try fetched.handle(.unlinked(device))
        try expect(!fetched.asked.keys.contains { $0.device == device }, "a lost link leaves a document")
      }
    }
  }
}
