// SPDX-License-Identifier: MIT

public import ActivityModel

/// What the network process decides about its links: who may wait how long, what may come when, and what goes
/// next. Without sockets, TLS and a clock.
///
/// A link is admitted when the agent says so, after one proof in each direction. Until then a device says its
/// proof and nothing else; what comes behind it is not read. At most 8 links that were accepted are not
/// admitted: a stranger that opens more takes the place of the stranger that waits longest.
public struct LinkMachine: Sendable {
  /// So many links that were accepted may be not admitted yet.
  public static let waitingLimit = 8
  /// So many links there may be.
  public static let linkLimit = 256
  /// So long a link may be not admitted.
  public static let patience = Duration.seconds(5)

  /// What happened.
  public enum Event: Sendable {
    /// Somebody has connected.
    case accepted
    /// The agent handed over a socket that is connecting.
    case dialled(LinkNumber)
    /// The socket of a link that was dialled is connected.
    case connected(LinkNumber)
    /// The handshake is done.
    case secured(LinkNumber, exporter: [UInt8], period: UInt64?)
    /// Bytes came, no more than `room(of:)` of them.
    case received(LinkNumber, [UInt8])
    /// The connection is of no use any more; whether by what the other end said.
    case ended(LinkNumber, isFault: Bool)
    /// The agent wants something of a link.
    case ordered(LinkOrder)
    /// What `Next.file` asked for; fewer bytes where the file has no more, or cannot be read.
    case read(LinkNumber, [UInt8])
    /// The last bytes of a document are written; or some of it could not be.
    case wrote(LinkNumber, TransferNumber, TransferEnd)
    /// What happened to the socket of a stream.
    case stream(LinkNumber, StreamNumber, StreamEvent)
    /// Time has passed.
    case time
  }

  /// What an app did with its end of a stream.
  public enum StreamEvent: Hashable, Sendable {
    /// Bytes of it can be read.
    case readable
    /// What `Next.stream` asked for; fewer bytes where no more are there now, none included.
    case read([UInt8])
    /// It writes no more; and whether it reads no more, either.
    case ended(isGone: Bool)
    /// It was written so many bytes.
    case wrote(Int)
    /// It reads no more.
    case stopped
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// The socket of this event is that link.
    case begin(LinkNumber)
    /// The link's socket is closed at once.
    case drop(LinkNumber)
    /// The agent is told.
    case report(LinkReport)
    /// The bytes are written behind those that were written of the transfer before; `wrote` is told behind
    /// the last ones, or where that fails.
    case write(LinkNumber, TransferNumber, [UInt8], isLast: Bool)
    /// The file of this event is that transfer's.
    case takeFile(LinkNumber, TransferNumber, isSending: Bool)
    /// The file that goes, or comes, is of no use any more.
    case closeFile(LinkNumber, TransferNumber, isSending: Bool)
    /// The socket of this event is that stream's.
    case takeStream(LinkNumber, StreamNumber)
    /// The bytes are written behind those that were written of the stream before; `wrote` is told of all of
    /// them, bit by bit, unless `stopped` is.
    case writeStream(LinkNumber, StreamNumber, [UInt8])
    /// A direction of the stream's socket is ended.
    case endStream(LinkNumber, StreamNumber, StreamDirection)
    /// The stream's socket is of no use any more.
    case closeStream(LinkNumber, StreamNumber)
  }

  /// What goes over a link next.
  public enum Next: Hashable, Sendable {
    /// A piece, which belongs to the caller from now on.
    case piece([UInt8])
    /// So many bytes of the transfer's file are to be told with `read`; then there is a piece.
    case file(TransferNumber, count: Int)
    /// So many bytes, or fewer, of the stream's socket are to be told with `stream`; then there may be a
    /// piece.
    case stream(StreamNumber, count: Int)
  }

  private enum Phase {
    case connecting, securing, secured, proven, admitted
  }

  private struct Link {
    var phase: Phase
    let since: Instant
    let isAccepted: Bool
    var isProofSent = false
    var input = LinkInput()
    var output = LinkOutput()
    var files = LinkFiles()
    var streams = LinkStreams()
    /// Whether a stream goes before a document the next time.
    var isStreamsTurn = false
  }

  private let patience: Duration
  private var links: [LinkNumber: Link] = [:]
  private var nextAccepted = LinkNumber.firstAccepted.rawValue

  /// Without links. Tests are less patient.
  public init(patience: Duration = Self.patience) { self.patience = patience }

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .accepted: return accept(at: now)
    case .dialled(let number):
      guard number < .firstAccepted, links[number] == nil, links.count < Self.linkLimit else { return [] }
      links[number] = Link(phase: .connecting, since: now, isAccepted: false)
      return [.begin(number)]
    case .connected(let number):
      if links[number]?.phase == .connecting { links[number]?.phase = .securing }
      return []
    case .secured(let number, let exporter, let period):
      guard links[number]?.phase == .securing else { return [] }
      links[number]?.phase = .secured
      return [.report(.secured(number, exporter: exporter, period: period))]
    case .received(let number, let bytes):
      links[number]?.input.append(bytes)
      return takeFrames(of: number)
    case .ended(let number, let isFault): return end(number, isFault: isFault)
    case .ordered(let order): return perform(order)
    case .read(let number, let bytes): return takeRead(bytes, of: number)
    case .wrote(let number, let transfer, let end): return endReceiving(transfer, end, of: number)
    case .stream(let number, let stream, let event): return take(event, of: stream, on: number)
    case .time: return endLate(at: now)
    }
  }

  /// When time is to be told next; nil while every link is admitted.
  public var deadline: Instant? {
    links.values.lazy.filter { $0.phase != .admitted }.map(\.since).min().map { $0 + patience }
  }

  // MARK: Bytes

  /// How many bytes of a link may be read now.
  public func room(of number: LinkNumber) -> Int {
    guard let link = links[number] else { return 0 }
    switch link.phase {
    case .secured: return LinkPiece.headerSize + LinkFrameKind.proof.sizeLimit - link.input.waitingCount
    case .admitted: return 16384
    case .connecting, .securing, .proven: return 0
    }
  }

  /// Whether anything waits for the link.
  public func hasOutput(_ number: LinkNumber) -> Bool {
    guard let link = links[number] else { return false }
    return !link.output.isEmpty || link.files.isSending || link.streams.next != nil
  }

  /// Whether it is to be told when the stream's socket can be read.
  public func isAwaited(_ stream: StreamNumber, on number: LinkNumber) -> Bool {
    links[number]?.streams.isAwaited(stream) ?? false
  }

  /// What goes next over the link: documents and streams, in turns, once nothing else waits.
  public mutating func next(of number: LinkNumber) -> Next? {
    if let piece = links[number]?.output.next() { return .piece(piece) }
    let file = links[number]?.files.next.map { Next.file($0.transfer, count: $0.count) }
    let stream = links[number]?.streams.next.map { Next.stream($0.number, count: $0.count) }
    guard let file, let stream else { return file ?? stream }
    links[number]?.isStreamsTurn.toggle()
    return links[number]?.isStreamsTurn == true ? stream : file
  }

  // MARK: Beginning and ending

  private mutating func accept(at now: Instant) -> [Action] {
    var actions: [Action] = []
    let waiting = links.filter { $0.value.isAccepted && $0.value.phase != .admitted }
    if waiting.count >= Self.waitingLimit || links.count >= Self.linkLimit {
      // Who has shown the key goes before who has not.
      let strangers = waiting.filter { $0.value.phase == .securing }
      guard let oldest = strangers.min(by: { ($0.value.since, $0.key) < ($1.value.since, $1.key) }) else {
        return []
      }
      links[oldest.key] = nil
      actions = [.drop(oldest.key)]
    }
    let number = LinkNumber(rawValue: nextAccepted)
    nextAccepted = nextAccepted == .max ? LinkNumber.firstAccepted.rawValue : nextAccepted + 1
    // After two billion of them, one may be there still.
    guard links[number] == nil else { return actions }
    links[number] = Link(phase: .securing, since: now, isAccepted: true)
    return actions + [.begin(number)]
  }

  /// The agent hears of the links that it knows: those that it dialled, and those that showed the key.
  private mutating func end(_ number: LinkNumber, as end: LinkEnd) -> [Action] {
    guard let link = links.removeValue(forKey: number) else { return [] }
    let isKnown = !link.isAccepted || link.phase != .securing
    return isKnown ? [.drop(number), .report(.closed(number, end))] : [.drop(number)]
  }

  private mutating func end(_ number: LinkNumber, isFault: Bool) -> [Action] {
    switch links[number]?.phase {
    case .connecting: end(number, as: .unreachable)
    case .securing: end(number, as: .refused)
    default: end(number, as: isFault ? .misbehaved : .ended)
    }
  }

  private mutating func endLate(at now: Instant) -> [Action] {
    links.filter { $0.value.phase != .admitted && now - $0.value.since >= patience }.sorted {
      $0.key < $1.key
    }
    .flatMap { end($0.key, as: $0.value.phase == .connecting ? .unreachable : .misbehaved) }
  }

  // MARK: Frames

  private mutating func perform(_ order: LinkOrder) -> [Action] {
    switch order {
    case .receive, .listen, .dial: return []
    case .sendFile, .receiveFile, .stopSending, .stopReceiving: return performOnFile(order)
    case .carry(let number, let stream):
      guard links[number]?.phase == .admitted, links[number]?.streams.open(stream) == true else {
        return [.report(.streamEnded(number, stream, .refused))]
      }
      return [.takeStream(number, stream)]
    case .reset(let number, let stream, let isTold):
      guard links[number]?.phase == .admitted else { return [] }
      return perform(links[number]?.streams.reset(stream, isTold: isTold), on: number)
    case .prove(let number, let proof):
      guard let link = links[number], link.phase == .secured || link.phase == .proven, !link.isProofSent
      else {
        return []
      }
      links[number]?.isProofSent = true
      return append(proof, as: .proof, to: number)
    case .admit(let number):
      guard links[number]?.phase == .proven else { return [] }
      links[number]?.phase = .admitted
      return takeFrames(of: number)
    case .send(let number, let kind, let bytes):
      guard links[number]?.phase == .admitted, kind.isSaidByAgents else { return [] }
      return append(bytes, as: kind, to: number)
    case .close(let number): return end(number, as: .closed)
    }
  }

  private mutating func append(_ bytes: [UInt8], as kind: LinkFrameKind, to number: LinkNumber) -> [Action] {
    links[number]?.output.append(bytes, as: kind) == false ? end(number, as: .misbehaved) : []
  }

  private mutating func takeFrames(of number: LinkNumber) -> [Action] {
    var actions: [Action] = []
    do throws(ContinuityError) {
      while let phase = links[number]?.phase, phase == .secured || phase == .admitted,
        let (kind, bytes) = try links[number]?.input.next()
      {
        guard (kind == .proof) == (phase == .secured) else { return actions + end(number, as: .misbehaved) }
        if phase == .secured { links[number]?.phase = .proven }
        switch kind {
        case .proof: actions.append(.report(.proof(number, bytes)))
        case .record, .request: actions.append(.report(.received(number, kind, bytes)))
        case .document: actions += take(bytes, of: number)
        case .stream: actions += perform(links[number]?.streams.take(bytes), on: number)
        }
      }
    } catch {
      actions += end(number, as: .misbehaved)
    }
    return actions
  }

  // MARK: Documents

  private mutating func performOnFile(_ order: LinkOrder) -> [Action] {
    switch order {
    case .sendFile(let number, let transfer, let size):
      guard links[number]?.phase == .admitted, links[number]?.files.send(transfer, size) == true else {
        return [.report(.fileSent(number, transfer, .early))]
      }
      return [.takeFile(number, transfer, isSending: true)]
    case .receiveFile(let number, let transfer, let size):
      guard links[number]?.phase == .admitted, links[number]?.files.receive(transfer, size) == true else {
        return [.report(.fileReceived(number, transfer, .early))]
      }
      return [.takeFile(number, transfer, isSending: false)]
    case .stopSending(let number, let transfer):
      guard let frame = links[number]?.files.stopSending(transfer) else { return [] }
      return [.closeFile(number, transfer, isSending: true)] + append(frame, as: .document, to: number)
    case .stopReceiving(let number, let transfer):
      guard links[number]?.files.stopReceiving(transfer) == true else { return [] }
      return [.closeFile(number, transfer, isSending: false)]
    default: return []
    }
  }

  private mutating func takeRead(_ bytes: [UInt8], of number: LinkNumber) -> [Action] {
    guard let transfer = links[number]?.files.next?.transfer, let read = links[number]?.files.read(bytes)
    else {
      return []
    }
    let actions = append(read.frame, as: .document, to: number)
    guard let end = read.end else { return actions }
    return actions + [
      .closeFile(number, transfer, isSending: true), .report(.fileSent(number, transfer, end)),
    ]
  }

  private mutating func take(_ frame: [UInt8], of number: LinkNumber) -> [Action] {
    switch links[number]?.files.take(frame) {
    case .bytes(let transfer, let bytes, let isLast):
      [.write(number, transfer, bytes, isLast: isLast)]
    case .early(let transfer): endReceiving(transfer, .early, of: number)
    case .misbehaved: end(number, as: .misbehaved)
    case .useless, nil: []
    }
  }

  private mutating func endReceiving(
    _ transfer: TransferNumber, _ end: TransferEnd, of number: LinkNumber
  ) -> [Action] {
    guard links[number]?.files.stopReceiving(transfer) == true else { return [] }
    return [
      .closeFile(number, transfer, isSending: false), .report(.fileReceived(number, transfer, end)),
    ]
  }

  // MARK: Streams

  private mutating func take(
    _ event: StreamEvent, of stream: StreamNumber, on number: LinkNumber
  ) -> [Action] {
    switch event {
    case .readable:
      links[number]?.streams.noteReadable(stream)
      return []
    case .read(let bytes):
      let read: LinkStreams.Read = bytes.isEmpty ? .nothing : .bytes(bytes)
      return perform(links[number]?.streams.take(read, of: stream), on: number)
    case .ended(let isGone):
      return perform(links[number]?.streams.take(.end(isGone: isGone), of: stream), on: number)
    case .wrote(let count): return perform(links[number]?.streams.noteWritten(stream, count), on: number)
    case .stopped: return perform(links[number]?.streams.stop(stream), on: number)
    }
  }

  private mutating func perform(_ steps: [LinkStreams.Step]?, on number: LinkNumber) -> [Action] {
    var actions: [Action] = []
    for step in steps ?? [] {
      switch step {
      case .say(let frame): actions += append(frame, as: .stream, to: number)
      case .write(let stream, let bytes): actions.append(.writeStream(number, stream, bytes))
      case .end(let stream, let direction): actions.append(.endStream(number, stream, direction))
      case .close(let stream, let end):
        actions.append(.closeStream(number, stream))
        if let end { actions.append(.report(.streamEnded(number, stream, end))) }
      case .misbehaved: actions += end(number, as: .misbehaved)
      }
    }
    return actions
  }
}
