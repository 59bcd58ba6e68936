// SPDX-License-Identifier: MIT

public import ActivityModel

/// What this device sends of its documents when others ask over their links: what its newest record offers,
/// in that version, and nothing else. Without files, links and a clock.
public struct ServeMachine: Sendable {
  /// A version of a document, or a draft, that the own record names.
  public struct Offered: Hashable, Sendable {
    /// Of its bytes.
    public var digest: ContentDigest
    /// In bytes.
    public var size: UInt64

    /// The version that is offered.
    public init(digest: ContentDigest, size: UInt64) { (self.digest, self.size) = (digest, size) }
  }

  /// What happened.
  public enum Event: Sendable {
    /// The own record names these documents and drafts, and no others any more.
    case offered([ActivityID: Set<Offered>])
    /// Another device said a word over its link; `refuse` is none for this machine.
    case said(DeviceID, DocumentWord)
    /// The file is open and goes; or it cannot, and why.
    case opened(DocumentTransfer, DocumentRefusal?)
    /// Its bytes are gone, or will not go.
    case ended(DocumentTransfer)
    /// The device has no link any more.
    case unlinked(DeviceID)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Open the activity's document or draft, look whether it is this size, and send it; then tell `opened`.
    case open(DocumentTransfer, ActivityID, Offered)
    /// Tell the other device that it does not come.
    case refuse(DocumentTransfer, DocumentRefusal)
    /// Send no more of it.
    case stop(DocumentTransfer)
  }

  /// So many documents go to one device at a time.
  public static let limit = 4
  /// The same version goes to one device so often in `window`: a link may break, and a disk may be full.
  static let repeatLimit = 4
  static let window = Duration.seconds(60)

  private struct Request {
    let activity: ActivityID
    let offered: Offered
  }

  private struct Sent {
    let device: DeviceID
    let digest: ContentDigest
    let at: Instant
  }

  private var offered: [ActivityID: Set<Offered>] = [:]
  private var sending: [DocumentTransfer: Request] = [:]
  private var sent: [Sent] = []

  /// With nothing offered.
  public init() {}

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .offered(let documents):
      offered = documents
      return stopChanged()
    case .said(let device, .ask(let transfer, let activity, let digest, let size)):
      return ask(
        DocumentTransfer(with: device, as: transfer), activity, Offered(digest: digest, size: size), at: now)
    case .said(let device, .cancel(let transfer)):
      let cancelled = DocumentTransfer(with: device, as: transfer)
      return sending.removeValue(forKey: cancelled) == nil ? [] : [.stop(cancelled)]
    case .said(_, .refuse), .said(_, .send): return []
    case .opened(let opened, let refusal):
      guard let refusal, sending.removeValue(forKey: opened) != nil else { return [] }
      return [.refuse(opened, refusal)]
    case .ended(let ended):
      sending[ended] = nil
      return []
    case .unlinked(let device):
      sending = sending.filter { $0.key.device != device }
      return []
    }
  }

  private mutating func ask(
    _ asked: DocumentTransfer, _ activity: ActivityID, _ version: Offered, at now: Instant
  ) -> [Action] {
    // A number that is in use says that the other device has lost count.
    guard sending[asked] == nil else { return [] }
    guard let current = offered[activity] else { return [.refuse(asked, .notOffered)] }
    guard current.contains(version) else { return [.refuse(asked, .changed)] }
    sent.removeAll { now - $0.at >= Self.window }
    let again = sent.count { $0.device == asked.device && $0.digest == version.digest }
    guard sending.count(where: { $0.key.device == asked.device }) < Self.limit, again < Self.repeatLimit
    else { return [.refuse(asked, .busy)] }
    sent.append(Sent(device: asked.device, digest: version.digest, at: now))
    sending[asked] = Request(activity: activity, offered: version)
    return [.open(asked, activity, version)]
  }

  /// What is on its way and offered no more, or in another version, is of no use over there.
  private mutating func stopChanged() -> [Action] {
    let stopped = sending.filter { offered[$0.value.activity]?.contains($0.value.offered) != true }
      .keys.sorted()
    return stopped.flatMap { each -> [Action] in
      let isGone = sending.removeValue(forKey: each).map { offered[$0.activity] == nil } ?? true
      return [.stop(each), .refuse(each, isGone ? .notOffered : .changed)]
    }
  }
}

/// A document under way over the link to a device, in either direction.
public struct DocumentTransfer: Hashable, Sendable, Comparable {
  /// The other device.
  public var device: DeviceID
  /// As whoever receives it counts.
  public var number: TransferNumber

  /// One transfer of one device.
  public init(with device: DeviceID, as number: TransferNumber) {
    (self.device, self.number) = (device, number)
  }

  /// By device, then as it was counted.
  public static func < (left: DocumentTransfer, right: DocumentTransfer) -> Bool {
    (left.device, left.number) < (right.device, right.number)
  }
}
