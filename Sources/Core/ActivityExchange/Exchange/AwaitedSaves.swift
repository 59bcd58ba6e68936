// SPDX-License-Identifier: MIT

import ActivityModel

/// Offers that a person goes on with here while their devices save what was typed there: what waits for that,
/// and what came of it (semantics 36c).
struct AwaitedSaves: Hashable, Sendable {
  private struct Hold: Hashable {
    /// What the device is called, and the document.
    let device: String
    let document: String
    let until: Instant
    /// The acceptances that wait for it; each does once.
    var requests: Set<RequestID>
    /// The version that was saved, while the offer does not name it.
    var saved: ContentDigest?
    /// Whether no file had the text when it was asked for.
    let needsDraft: Bool

    func isNotSaved(_ message: String = "") -> Reason {
      let message = message.isEmpty ? nil : DisplayText.shown(message)
      return .notSaved(document: document, device: device, message: message)
    }
  }

  /// Whether any other device is linked: nobody else could be asked.
  var isLinked = false
  private var holds: [OfferID: Hold] = [:]
  /// Why the offer as it stands lacks something, for whoever continues it.
  private var remarks: [OfferID: Reason] = [:]

  /// The next moment at which a time is over.
  var nextMoment: Instant? { holds.values.lazy.map(\.until).min() }

  /// While what the device saves is awaited: why this acceptance of the offer does not go on yet.
  func cause(of request: RequestID, for offer: OfferID) -> Reason? {
    guard !holds.isEmpty, let hold = holds[offer], hold.requests.contains(request) else { return nil }
    return .beingSaved(document: hold.document, device: hold.device)
  }

  /// What is not in the offer's document, as far as its device said so.
  func remark(on offer: OfferID) -> Reason? { remarks[offer] }

  /// What was handed over did not come, for the reason that is given.
  mutating func note(_ remark: Reason, on offer: OfferID) {
    if remarks[offer] == nil { remarks[offer] = remark }
  }

  /// A new acceptance of the offer: whether its device is to be asked now. It is asked once for all that
  /// wait.
  mutating func begin(_ request: RequestID, of held: RemoteOffer, until deadline: Instant) -> Bool {
    guard holds[held.id]?.requests.insert(request) == nil else { return false }
    let snapshot = held.snapshot
    guard isLinked, snapshot.document != nil || snapshot.needsDraft, snapshot.hasTextAfter,
      !snapshot.flags.contains(.leftOpen)
    else { return false }
    holds[held.id] = Hold(
      device: held.shown.deviceName, document: snapshot.shownDocument, until: deadline, requests: [request],
      needsDraft: snapshot.needsDraft)
    return true
  }

  /// What came of asking: whether nothing is awaited any more.
  mutating func end(_ offer: OfferID, _ outcome: SaveOutcome, _ snapshot: ActivitySnapshot) -> Bool {
    guard let hold = holds[offer] else { return false }
    switch outcome {
    case .notAsked: remarks[offer] = nil
    case .notSaved(let message): remarks[offer] = hold.isNotSaved(message)
    case .saved(let digest, let hasTextAfter):
      remarks[offer] = hasTextAfter ? .savedBefore(document: hold.document, device: hold.device) : nil
      guard snapshot.continuedDigest == digest else {
        holds[offer]?.saved = digest
        return false
      }
    }
    holds[offer] = nil
    return true
  }

  /// The offer is in another state: whether nothing is awaited any more. A device may have saved by itself.
  mutating func renew(_ offer: OfferID, _ snapshot: ActivitySnapshot) -> Bool {
    let isWhole = !snapshot.hasTextAfter
    if isWhole { remarks[offer] = nil }
    guard let hold = holds[offer] else { return false }
    // What is no document any more, and no draft, is awaited in vain.
    let isGone = snapshot.document == nil && !(hold.needsDraft && snapshot.needsDraft)
    guard isWhole || isGone || hold.saved.map({ $0 == snapshot.continuedDigest }) ?? false else {
      return false
    }
    holds[offer] = nil
    return true
  }

  /// Offers of which nothing is awaited any more: their time is over, and no record of what was saved came.
  mutating func expire(at now: Instant) -> [OfferID] {
    let late = holds.filter { $0.value.until <= now }.keys.sorted()
    for offer in late {
      remarks[offer] = holds[offer]?.isNotSaved()
      holds[offer] = nil
    }
    return late
  }

  /// That acceptance waits for it no more; the others do.
  mutating func release(_ request: RequestID, of offer: OfferID) {
    _ = holds[offer]?.requests.remove(request)
  }

  /// The offer is gone.
  mutating func forget(_ offer: OfferID) { (holds[offer], remarks[offer]) = (nil, nil) }
}
