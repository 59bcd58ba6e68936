// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which documents this device asks others for over their links, when, and when it gives one up. Without
/// files, links and a clock; what comes counts once its bytes were read and are the right ones.
public struct FetchMachine: Sendable {
  /// A document that is offered to this device and is not here.
  public struct Wanted: Hashable, Sendable {
    /// Of its bytes.
    public var digest: ContentDigest
    /// In bytes.
    public var size: UInt64
    /// Whether a person waits for it.
    public var isAwaited: Bool

    /// A version that is wanted.
    public init(digest: ContentDigest, size: UInt64, isAwaited: Bool = false) {
      (self.digest, self.size, self.isAwaited) = (digest, size, isAwaited)
    }
  }

  /// What happened.
  public enum Event: Sendable {
    /// These are wanted, and no others any more.
    case wants([OfferID: Wanted])
    /// There is a link to the device, and none before it counts any more; or there is none.
    case linked(DeviceID), unlinked(DeviceID)
    /// The device does not send it.
    case refused(DeviceID, TransferNumber, DocumentRefusal)
    /// No more of it comes.
    case received(DeviceID, TransferNumber, TransferEnd)
    /// So many bytes have come by now.
    case measured(DeviceID, TransferNumber, UInt64)
    /// What came was read: whether it is what was wanted.
    case judged(OfferID, ContentDigest, isRight: Bool)
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Have a new file of that size received, and ask for it.
    case ask(DeviceID, TransferNumber, OfferID, Wanted)
    /// Take no more of it, and say so; its file is of no use.
    case cancel(DeviceID, TransferNumber)
    /// Its file is whole: read it, and tell `judged`.
    case judge(DeviceID, TransferNumber, OfferID, ContentDigest)
    /// Its file is of no use.
    case drop(DeviceID, TransferNumber)
    /// Tell `measured`.
    case measure(DeviceID, TransferNumber)
  }

  /// So many come from one device at a time.
  public static let limit = 4
  /// A document that was refused, or broke off, is asked for again after this; each time after twice as long,
  /// until `longestPause`.
  static let pause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)
  /// One of which nothing came for so long is given up.
  static let silence = Duration.seconds(30)
  /// How often it is looked at how much has come.
  static let measuring = Duration.seconds(5)

  private struct Coming {
    let offer: OfferID
    let wanted: Wanted
    var bytes: UInt64 = 0
    var grewAt: Instant
    var measuredAt: Instant
  }

  private struct Link {
    var next: UInt32 = 1
    var coming: [TransferNumber: Coming] = [:]
  }

  /// What stands in the way of asking again.
  private struct Setback {
    let digest: ContentDigest
    var failures = 0
    /// Nil for never: the version is here, or cannot be had.
    var until: Instant?
  }

  private let sizeLimit: UInt64
  private var wanted: [OfferID: Wanted] = [:]
  private var links: [DeviceID: Link] = [:]
  private var setbacks: [OfferID: Setback] = [:]
  /// Whole and being read.
  private var judging: [OfferID: ContentDigest] = [:]

  /// Documents above `sizeLimit` bytes are left to the folder.
  public init(sizeLimit: UInt64) { self.sizeLimit = sizeLimit }

  /// When time is to be told next; nil for never.
  public func nextMoment(after now: Instant) -> Instant? {
    var moments = links.values.flatMap { $0.coming.values.map { $0.measuredAt + Self.measuring } }
    for (offer, setback) in setbacks where wanted[offer] != nil && links[offer.device] != nil {
      if let until = setback.until, until > now { moments.append(until) }
    }
    return moments.min()
  }

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .wants(let documents): actions = want(documents)
    case .linked(let device):
      actions = unlink(device)
      links[device] = Link()
    case .unlinked(let device): actions = unlink(device)
    case .refused(let device, let transfer, let refusal):
      guard let coming = links[device]?.coming.removeValue(forKey: transfer) else { break }
      // Only another record can change that.
      let isFinal = refusal == .notOffered || refusal == .changed
      setBack(coming.offer, coming.wanted.digest, isFinal: isFinal, at: now)
      actions = [.cancel(device, transfer)]
    case .received(let device, let transfer, let end):
      guard let coming = links[device]?.coming.removeValue(forKey: transfer) else { break }
      if end == .whole {
        judging[coming.offer] = coming.wanted.digest
        actions = [.judge(device, transfer, coming.offer, coming.wanted.digest)]
      } else {
        setBack(coming.offer, coming.wanted.digest, isFinal: false, at: now)
        actions = [.drop(device, transfer)]
      }
    case .measured(let device, let transfer, let bytes): measured(device, transfer, bytes, at: now)
    case .judged(let offer, let digest, let isRight):
      guard judging[offer] == digest else { break }
      judging[offer] = nil
      setBack(offer, digest, isFinal: isRight, at: now)
    case .time: actions = look(at: now)
    }
    return actions + ask(at: now)
  }

  // MARK: What is wanted

  private mutating func want(_ documents: [OfferID: Wanted]) -> [Action] {
    wanted = documents.filter { (1...sizeLimit).contains($0.value.size) }
    setbacks = setbacks.filter { documents[$0.key]?.digest == $0.value.digest }
    judging = judging.filter { documents[$0.key]?.digest == $0.value }
    var actions: [Action] = []
    for (device, link) in links.sorted(by: { $0.key < $1.key }) {
      for (transfer, coming) in link.coming.sorted(by: { $0.key < $1.key })
      where wanted[coming.offer]?.digest != coming.wanted.digest {
        links[device]?.coming[transfer] = nil
        actions.append(.cancel(device, transfer))
      }
    }
    return actions
  }

  private mutating func unlink(_ device: DeviceID) -> [Action] {
    let link = links.removeValue(forKey: device)
    return link?.coming.keys.sorted().map { .drop(device, $0) } ?? []
  }

  private mutating func setBack(
    _ offer: OfferID, _ digest: ContentDigest, isFinal: Bool, at now: Instant
  ) {
    var setback = setbacks[offer] ?? Setback(digest: digest)
    if setback.digest != digest { setback = Setback(digest: digest) }
    let pause = min(Self.pause * (1 << min(setback.failures, 10)), Self.longestPause)
    setback.failures += 1
    setback.until = isFinal ? nil : now + pause
    setbacks[offer] = setback
  }

  // MARK: Asking

  private mutating func ask(at now: Instant) -> [Action] {
    let under = Set(links.values.flatMap { $0.coming.values.map(\.offer) })
    let next = wanted.filter { offer, _ in
      let mayAsk = setbacks[offer].map { setback in setback.until.map { $0 <= now } ?? false } ?? true
      return mayAsk && judging[offer] == nil && links[offer.device] != nil && !under.contains(offer)
    }
    var actions: [Action] = []
    for (offer, document) in next.sorted(by: Self.goesFirst) {
      guard let link = links[offer.device], link.coming.count < Self.limit, link.next < .max else { continue }
      let transfer = TransferNumber(rawValue: link.next)
      links[offer.device]?.next += 1
      links[offer.device]?.coming[transfer] = Coming(
        offer: offer, wanted: document, grewAt: now, measuredAt: now)
      actions.append(.ask(offer.device, transfer, offer, document))
    }
    return actions
  }

  /// What a person waits for, then what is small.
  private static func goesFirst(
    _ left: (key: OfferID, value: Wanted), _ right: (key: OfferID, value: Wanted)
  ) -> Bool {
    if left.value.isAwaited != right.value.isAwaited { return left.value.isAwaited }
    return (left.value.size, left.key) < (right.value.size, right.key)
  }

  // MARK: Time

  private mutating func measured(
    _ device: DeviceID, _ transfer: TransferNumber, _ bytes: UInt64, at now: Instant
  ) {
    guard var coming = links[device]?.coming[transfer], bytes > coming.bytes else { return }
    (coming.bytes, coming.grewAt) = (bytes, now)
    links[device]?.coming[transfer] = coming
  }

  /// Another device may know nothing of what it is asked, or have forgotten it.
  private mutating func look(at now: Instant) -> [Action] {
    var actions: [Action] = []
    for (device, link) in links.sorted(by: { $0.key < $1.key }) {
      for (transfer, coming) in link.coming.sorted(by: { $0.key < $1.key }) {
        if now - coming.grewAt >= Self.silence {
          links[device]?.coming[transfer] = nil
          setBack(coming.offer, coming.wanted.digest, isFinal: false, at: now)
          actions.append(.cancel(device, transfer))
        } else if now - coming.measuredAt >= Self.measuring {
          links[device]?.coming[transfer]?.measuredAt = now
          actions.append(.measure(device, transfer))
        }
      }
    }
    return actions
  }
}
