// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which offered documents are had sent over their links and laid into their folders, one after the other.
/// Without files, links and a clock: pauses after a link's failures are the business of who fetches.
public struct LayingMachine: Sendable {
  /// What happened.
  public enum Event: Sendable {
    /// The document of the offer stands so here, in a folder of which a person set that.
    case stands(OfferID, DocumentReference, Arrival, DocumentsOverLan)
    /// It is offered no more, or without a document.
    case gone(OfferID)
    /// Its bytes have come, in this version.
    case came(OfferID, ContentDigest)
    /// The laying that was asked for last came to this.
    case ended(LayingOutcome)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Have it sent, now or once there is a link; nothing of another version any more.
    case want(OfferID, DocumentVersion)
    /// It is not needed any more; what comes of it is of no use.
    case forget(OfferID)
    /// Lay what came, and tell `ended`. No other one is asked for before that.
    case lay(OfferID, DocumentReference)
  }

  /// A version that did not work is not tried more often than this: the folder brings it.
  static let attempts = 3

  private struct Wanted: Hashable, Sendable {
    var reference: DocumentReference
    var hasCome = false
  }

  private struct Tried: Hashable, Sendable {
    let digest: ContentDigest
    var attempts = 0
  }

  private var wanted: [OfferID: Wanted] = [:]
  private var tried: [OfferID: Tried] = [:]
  private var laying: OfferID?
  /// What that offer's document is by now.
  private var newer: DocumentReference?

  /// Nothing is wanted yet.
  public init() {}

  /// What to do about an event.
  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .stands(let offer, let reference, let arrival, let documents):
      let isLaid = documents == .always && reference.kind == .file
      return isLaid && (arrival == .behind || arrival == .missing)
        ? want(offer, reference) : drop(offer)
    case .gone(let offer):
      tried[offer] = nil
      return drop(offer)
    case .came(let offer, let digest):
      guard wanted[offer]?.reference.version.digest == digest else { return [] }
      wanted[offer]?.hasCome = true
      return layNext()
    case .ended(let outcome): return end(outcome) + layNext()
    }
  }

  private mutating func want(_ offer: OfferID, _ reference: DocumentReference) -> [Action] {
    guard laying != offer else {
      newer = reference
      return []
    }
    let digest = reference.version.digest
    if tried[offer]?.digest != digest { tried[offer] = Tried(digest: digest) }
    guard tried[offer].map({ $0.attempts < Self.attempts }) ?? true else { return drop(offer) }
    guard let former = wanted[offer] else {
      wanted[offer] = Wanted(reference: reference)
      return [.want(offer, reference.version)]
    }
    guard former.reference.version.digest != digest else {
      wanted[offer]?.reference = reference
      return []
    }
    wanted[offer] = Wanted(reference: reference)
    return [.forget(offer), .want(offer, reference.version)]
  }

  /// One that is being laid is laid to its end.
  private mutating func drop(_ offer: OfferID) -> [Action] {
    if laying == offer { newer = nil }
    guard laying != offer, wanted.removeValue(forKey: offer) != nil else { return [] }
    return [.forget(offer)]
  }

  private mutating func layNext() -> [Action] {
    guard laying == nil, let next = wanted.filter({ $0.value.hasCome }).min(by: { $0.key < $1.key }) else {
      return []
    }
    (laying, newer) = (next.key, nil)
    tried[next.key]?.attempts += 1
    return [.lay(next.key, next.value.reference)]
  }

  private mutating func end(_ outcome: LayingOutcome) -> [Action] {
    guard let offer = laying, let laid = wanted.removeValue(forKey: offer) else { return [] }
    laying = nil
    defer { newer = nil }
    // Who lies about bytes, or whose file is kept here, is not asked for it again; a file that was changed
    // is looked at anew, and may be tried again then.
    switch outcome {
    case .kept, .laid: tried[offer]?.attempts = Self.attempts
    case .otherBytes, .changed, .cancelled, .failed: break
    }
    guard let newer, newer.version.digest != laid.reference.version.digest else { return [.forget(offer)] }
    return [.forget(offer)] + want(offer, newer)
  }
}
