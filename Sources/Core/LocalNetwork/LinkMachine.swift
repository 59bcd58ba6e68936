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
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// The socket of this event is that link.
    case begin(LinkNumber)
    /// The link's socket is closed at once.
    case drop(LinkNumber)
    /// The agent is told.
    case report(LinkReport)
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

  /// Whether a piece waits for the link.
  public func hasOutput(_ number: LinkNumber) -> Bool { links[number]?.output.isEmpty == false }

  /// The next piece for the link, which belongs to the caller from now on.
  public mutating func nextPiece(of number: LinkNumber) -> [UInt8]? { links[number]?.output.next() }

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
      guard links[number]?.phase == .admitted, kind != .proof else { return [] }
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
        actions.append(.report(phase == .secured ? .proof(number, bytes) : .received(number, kind, bytes)))
      }
    } catch {
      actions += end(number, as: .misbehaved)
    }
    return actions
  }
}
