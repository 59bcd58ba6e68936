// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LocalNetwork

/// What comes over a link and from the network process: the same in whatever pieces, written in one way only,
/// and nothing of a link before its proof.
struct LinkTarget: FuzzTarget {
  static let name = "link"
  static let longest = 2048
  static let words =
    CBORWords.all + [
      [0, 0, 0, 0, 1], [1, 0, 0, 0x40, 0], [2, 0, 0x10, 0, 0], [0, 0, 0, 0x10, 0], [1, 0, 0x10, 0, 1],
    ]

  func seeds() throws -> [[UInt8]] {
    let (dialled, accepted) = (LinkNumber(rawValue: 1), LinkNumber.firstAccepted)
    let transfer = TransferNumber(rawValue: 1)
    let key = [UInt8](repeating: 7, count: LinkOrder.keySize)
    let orders: [LinkOrder] = [
      .receive([ReceivingKey(period: 3, key: key, context: [1, 2])]), .receive([]), .listen,
      .dial(dialled, identity: [1, 2, 3], key: key), .prove(accepted, [4]), .admit(accepted),
      .send(dialled, .record, [5, 6]), .close(dialled), .sendFile(dialled, transfer, size: 9),
      .receiveFile(dialled, transfer, size: .max), .stopSending(dialled, transfer),
      .stopReceiving(accepted, transfer), .carry(dialled, StreamNumber(rawValue: 1)),
      .reset(accepted, StreamNumber(rawValue: 2), isTold: true),
    ]
    let reports: [LinkReport] =
      [
        .secured(accepted, exporter: key, period: 3), .secured(dialled, exporter: key, period: nil),
        .proof(accepted, [1]), .received(dialled, .request, [2]),
      ] + LinkEnd.allCases.map { .closed(dialled, $0) }
      + TransferEnd.allCases.flatMap { end -> [LinkReport] in
        [.fileSent(dialled, transfer, end), .fileReceived(accepted, transfer, end)]
      } + StreamEnd.allCases.map { .streamEnded(dialled, StreamNumber(rawValue: 1), $0) }
    let streams: [[UInt8]] = [
      [0, 1, 0, 3], [0, 1, 0x40, 0, 0, 2, 0, 9], [1, 6, 1, 0, 0, 0, 1, 9], [0, 0, 0, 9, 2, 1, 0, 0, 0x40, 0],
    ]
    return orders.compactMap(\.encoded).map { [0] + $0 } + reports.compactMap(\.encoded).map { [1] + $0 }
      + [LinkGreeting(isWithoutPaths: true), LinkGreeting(isWithoutPaths: false)].map { [2] + $0.encoded }
      + streams.flatMap { stream in [[], [1], [0, 200]].map { [3] + Cuts.seed($0) + stream } }
      + [[4, 0, 3, 0, 0, 2, 0, 1, 5], [4, 1, 2, 2, 3, 4, 0, 1, 6, 5, 1, 0, 0, 0, 1, 9, 7]]
      + Self.transfers + Self.openStreams
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    switch reader.choice(of: 5) {
    case 0:
      guard let order = try? LinkOrder(decoding: reader.rest) else { return }
      try expect(order.encoded == reader.rest, "an order has two forms")
    case 1:
      guard let report = try? LinkReport(decoding: reader.rest) else { return }
      try expect(report.encoded == reader.rest, "a report has two forms")
    case 2:
      guard let greeting = try? LinkGreeting(decoding: reader.rest) else { return }
      try expect(greeting.encoded == reader.rest, "a greeting has two forms")
    case 3:
      let cuts = reader.cuts()
      try Self.checkStream(Self.stream(&reader), cuts)
    default: try Self.checkLinks(&reader)
    }
  }
}

/// What a link carries.
extension LinkTarget {
  private struct Frame: Equatable {
    let kind: LinkFrameKind
    let bytes: [UInt8]
  }

  private struct Frames: Equatable {
    var frames: [Frame] = []
    var isBroken = false
  }

  /// Bytes of a link: frames as this device writes them, headers that announce what does not come, and any
  /// bytes, no more than a few pieces in all.
  private static func stream(_ reader: inout InputReader) -> [UInt8] {
    var stream: [UInt8] = []
    var output = LinkOutput()
    while !reader.isAtEnd, stream.count < 2 * LinkPiece.limit {
      switch reader.choice(of: 4) {
      case 0, 1:
        let kind = LinkFrameKind.allCases[reader.choice(of: LinkFrameKind.allCases.count)]
        let count = reader.word()
        _ = output.append([UInt8](repeating: reader.byte(), count: count), as: kind)
        stream += output.next() ?? []
      case 2: while let piece = output.next() { stream += piece }
      default: stream += reader.counted()
      }
    }
    return stream
  }

  private static func frames(_ pieces: [[UInt8]]) -> Frames {
    var input = LinkInput()
    var found = Frames()
    do throws(ContinuityError) {
      for piece in pieces {
        input.append(piece)
        while let (kind, bytes) = try input.next() { found.frames.append(Frame(kind: kind, bytes: bytes)) }
      }
    } catch {
      found.isBroken = true
    }
    return found
  }

  private static func checkStream(_ stream: [UInt8], _ cuts: Cuts) throws {
    let whole = frames([stream])
    // Single bytes take as long as all else together: of those a few thousand are enough.
    let dripped = cuts.lengths.allSatisfy { $0 >= 64 } ? stream : Array(stream.prefix(4096))
    let expected = dripped.count == stream.count ? whole : frames([dripped])
    try expect(expected == frames(cuts.pieces(of: dripped)), "a link in pieces gives other frames")
    try expect(whole.frames.allSatisfy { $0.kind.carries($0.bytes) }, "a frame is too long, or empty")
    for kind in LinkFrameKind.allCases {
      let own = whole.frames.filter { $0.kind == kind }
      var output = LinkOutput()
      var written: [UInt8] = []
      for frame in own {
        try expect(output.append(frame.bytes, as: kind), "a frame that came cannot be sent")
        while let piece = output.next() { written += piece }
      }
      try expect(frames([written]) == Frames(frames: own), "frames are others when sent again")
      // Else a piece of what has not come whole lies between.
      guard own == whole.frames, written.count == stream.count else { continue }
      try expect(written == stream, "a frame is written in two ways")
    }
  }
}

/// Whom the network process listens to.
extension LinkTarget {
  /// Strangers, devices and an agent do what the input says; each link says nothing before its proof, and no
  /// more than a few strangers wait.
  private static func checkLinks(_ reader: inout InputReader) throws {
    var machine = LinkMachine()
    var links = Links()
    var now = Instant(nanoseconds: 0)
    for _ in 0..<64 where !reader.isAtEnd {
      let number = LinkNumber(rawValue: UInt32(reader.byte()) | (reader.choice(of: 2) == 0 ? 0 : 1 << 31))
      let event = event(of: number, machine, &reader, &now)
      if case .ordered(.admit) = event { links.admit(number) }
      for action in machine.handle(event, at: now) { try links.take(action) }
      try expect(links.open.count <= LinkMachine.linkLimit, "there are more links than may be")
      let waiting = links.open.filter { $0.key >= .firstAccepted && $0.value != .admitted }
      try expect(waiting.count <= LinkMachine.waitingLimit, "\(waiting.count) strangers are waited for")
    }
  }

  private static func event(
    of number: LinkNumber, _ machine: LinkMachine, _ reader: inout InputReader, _ now: inout Instant
  ) -> LinkMachine.Event {
    switch reader.choice(of: 15) {
    case 0: return .accepted
    case 1: return .dialled(number)
    case 2: return .connected(number)
    case 3: return .secured(number, exporter: [UInt8](repeating: 1, count: LinkOrder.keySize), period: nil)
    case 4, 5: return .received(number, Array(reader.counted().prefix(machine.room(of: number))))
    case 6: return .ended(number, isFault: reader.choice(of: 2) == 0)
    case 7: return .ordered([.admit(number), .prove(number, [1]), .close(number)][reader.choice(of: 3)])
    case 8, 9:
      let transfer = TransferNumber(rawValue: UInt32(reader.byte()))
      let size = UInt64(reader.word()) + 1
      return .ordered(
        [
          .sendFile(number, transfer, size: size), .receiveFile(number, transfer, size: size),
          .stopSending(number, transfer), .stopReceiving(number, transfer),
        ][reader.choice(of: 4)])
    case 10: return .read(number, reader.counted())
    case 11:
      let transfer = TransferNumber(rawValue: UInt32(reader.byte()))
      return .wrote(number, transfer, TransferEnd.allCases[reader.choice(of: TransferEnd.allCases.count)])
    case 12:
      let stream = StreamNumber(rawValue: UInt32(reader.byte()))
      return .ordered(
        [
          .carry(number, stream), .reset(number, stream, isTold: true),
          .reset(number, stream, isTold: false),
        ][reader.choice(of: 3)])
    case 13: return streamEvent(on: number, machine, &reader)
    default:
      now = now + .milliseconds(Int64(reader.word()))
      return .time
    }
  }

  /// What the app at the end of a stream does: it is read when that was asked for, and no more than that.
  private static func streamEvent(
    on number: LinkNumber, _ machine: LinkMachine, _ reader: inout InputReader
  ) -> LinkMachine.Event {
    let stream = StreamNumber(rawValue: UInt32(reader.byte()))
    switch reader.choice(of: 5) {
    case 0: return .stream(number, stream, .readable)
    case 1: return .stream(number, stream, .wrote(0))
    case 2: return .stream(number, stream, .stopped)
    case 3: return .stream(number, stream, .ended(isGone: reader.choice(of: 2) == 0))
    default:
      var asked = machine
      guard case .stream(let next, let count) = asked.next(of: number) else { return .time }
      return .stream(number, next, .read(Array(reader.counted().prefix(count))))
    }
  }

  /// Links on which streams are open.
  private static var openStreams: [[UInt8]] {
    let admitted: [UInt8] = [4, 0, 0, 0, 0, 1, 3, 0, 1, 4, 6, 0, 0, 0, 0, 1, 9, 0, 1, 7, 0]
    let open: [UInt8] = admitted + [0, 1, 12, 1, 0]
    let coming: [UInt8] = open + [0, 1, 4, 13, 4, 0, 0, 0, 8, 0, 0, 0, 1, 0, 1, 2, 3]
    let ending: [UInt8] = coming + [0, 1, 4, 10, 4, 0, 0, 0, 5, 0, 0, 0, 1, 2]
    return [open, coming, ending, open + [0, 1, 13, 1, 0, 0, 1, 13, 1, 4, 3, 1, 2, 3]]
  }

  /// Links on which documents go and come.
  private static var transfers: [[UInt8]] {
    let admitted: [UInt8] = [4, 0, 0, 0, 0, 1, 3, 0, 1, 4, 6, 0, 0, 0, 0, 1, 9, 0, 1, 7, 0]
    let coming: [UInt8] = admitted + [0, 1, 8, 1, 0, 2, 1, 0, 1, 4, 12, 3, 0, 0, 0, 7, 0, 0, 0, 1, 1, 2, 3]
    let going: [UInt8] = admitted + [0, 1, 8, 1, 0, 2, 0, 0, 1, 10, 3, 1, 2, 3]
    return [coming, going, coming + [0, 1, 11, 1, 0], going + [0, 1, 8, 1, 0, 0, 2]]
  }

  /// What was told of each link.
  private struct Links {
    enum Stage { case begun, secured, proven, admitted }
    private struct File: Hashable {
      let link: LinkNumber
      let transfer: TransferNumber
      let isSending: Bool
    }

    private(set) var open: [LinkNumber: Stage] = [:]
    private var files: Set<File> = []
    private var streams: [LinkNumber: Set<StreamNumber>] = [:]

    mutating func admit(_ number: LinkNumber) { if open[number] == .proven { open[number] = .admitted } }

    mutating func take(_ action: LinkMachine.Action) throws {
      switch action {
      case .begin(let number):
        try expect(open.updateValue(.begun, forKey: number) == nil, "a link begins twice")
      case .drop(let number):
        try expect(open.removeValue(forKey: number) != nil, "a link ends that did not begin")
        files = files.filter { $0.link != number }
        streams[number] = nil
      case .takeFile(let number, let transfer, let isSending):
        let file = File(link: number, transfer: transfer, isSending: isSending)
        try expect(open[number] == .admitted && files.insert(file).inserted, "a file is taken twice")
        try expect(files.count { $0.link == number } <= 32, "too many documents are under way")
      case .closeFile(let number, let transfer, let isSending):
        let file = File(link: number, transfer: transfer, isSending: isSending)
        try expect(files.remove(file) != nil, "a file is closed that was not taken")
      case .write(let number, let transfer, let bytes, _):
        let file = File(link: number, transfer: transfer, isSending: false)
        try expect(files.contains(file) && !bytes.isEmpty, "bytes come that nobody asked for")
      case .takeStream(let number, let stream):
        let isNew = streams[number, default: []].insert(stream).inserted
        try expect(open[number] == .admitted && isNew, "a stream is taken twice")
        try expect(streams[number].map { $0.count <= 64 } == true, "too many streams are open")
      case .writeStream(let number, let stream, let bytes):
        try expect(
          streams[number]?.contains(stream) == true && !bytes.isEmpty, "bytes come of no stream")
      case .endStream(let number, let stream, _):
        try expect(streams[number]?.contains(stream) == true, "a stream ends that is not open")
      case .closeStream(let number, let stream):
        try expect(streams[number]?.remove(stream) != nil, "a stream is closed that is not open")
      case .report(.streamEnded(let number, let stream, let end)):
        try expect(
          end == .refused || streams[number]?.contains(stream) != true,
          "a stream is told as over that is open")
      case .report(.fileSent), .report(.fileReceived): break
      case .report(.secured(let number, _, _)): try move(number, from: .begun, to: .secured)
      case .report(.proof(let number, _)): try move(number, from: .secured, to: .proven)
      case .report(.received(let number, let kind, _)):
        try expect(
          open[number] == .admitted && (kind == .record || kind == .request),
          "a frame came before its link was admitted, or of another kind")
      case .report(.closed(let number, _)):
        try expect(open[number] == nil, "a link is told as closed that goes on")
      }
    }

    private mutating func move(_ number: LinkNumber, from stage: Stage, to next: Stage) throws {
      try expect(open[number] == stage, "a link is \(next) that was not \(stage)")
      open[number] = next
    }
  }
}
