// SPDX-License-Identifier: MIT

import ActivityModel

/// Offers that a person goes on with here while their devices save what was typed there: what waits for that,
/// and what came of it (semantics 36c).
struct AwaitedSaves: Hashable, Sendable {
  private struct Hold: Hashable {
    /// What the device is called.
    let device: String
    let until: Instant
    /// The version that was saved, while the offer does not name it.
    var saved: ContentDigest?
  }

  /// Whether any other device is linked: nobody else could be asked.
  var isLinked = false
  private var holds: [OfferID: Hold] = [:]
  /// Why the offer as it stands lacks something, for whoever continues it.
  private var remarks: [OfferID: Reason] = [:]

  /// The next moment at which a time is over.
  var nextMoment: Instant? { holds.values.lazy.map(\.until).min() }

  /// While what the device saves is awaited: why this state of the offer is not continued yet.
  func cause(of offer: OfferID, _ snapshot: ActivitySnapshot) -> Reason? {
    guard !holds.isEmpty, let hold = holds[offer], let document = snapshot.document else { return nil }
    return .beingSaved(document: document.path.displayName, device: hold.device)
  }

  /// What is not in the offer's document, as far as its device said so.
  func remark(on offer: OfferID) -> Reason? { remarks[offer] }

  /// Whether the offer's device is to be asked now. It is asked once for all that wait for it.
  mutating func begin(_ held: RemoteOffer, until deadline: Instant) -> Bool {
    let flags = held.snapshot.flags
    guard isLinked, holds[held.id] == nil, held.snapshot.document != nil, flags.contains(.unsavedChanges),
      !flags.contains(.leftOpen)
    else { return false }
    remarks[held.id] = nil
    holds[held.id] = Hold(device: held.shown.deviceName, until: deadline)
    return true
  }

  /// What came of asking: whether nothing is awaited any more.
  mutating func end(_ offer: OfferID, _ outcome: SaveOutcome, _ snapshot: ActivitySnapshot) -> Bool {
    guard let device = holds[offer]?.device, let document = snapshot.document else { return false }
    let name = document.path.displayName
    switch outcome {
    case .notAsked: break
    case .notSaved(let message):
      let message = message.isEmpty ? nil : DisplayText.shown(message)
      remarks[offer] = .notSaved(document: name, device: device, message: message)
    case .saved(let digest, let hasTextAfter):
      if hasTextAfter { remarks[offer] = .savedBefore(document: name, device: device) }
      guard document.version.digest == digest else {
        holds[offer]?.saved = digest
        return false
      }
    }
    holds[offer] = nil
    return true
  }

  /// The offer is in another state: whether nothing is awaited any more. A device may have saved by itself.
  mutating func renew(_ offer: OfferID, _ snapshot: ActivitySnapshot) -> Bool {
    let isWhole = !snapshot.flags.contains(.unsavedChanges)
    if isWhole { remarks[offer] = nil }
    guard let hold = holds[offer] else { return false }
    guard isWhole || snapshot.document == nil || snapshot.document?.version.digest == hold.saved else {
      return false
    }
    holds[offer] = nil
    return true
  }

  /// Offers of which nothing is awaited any more: their time is over.
  mutating func expire(at now: Instant) -> [OfferID] {
    let late = holds.filter { $0.value.until <= now }.keys.sorted()
    for offer in late { holds[offer] = nil }
    return late
  }

  /// Nothing is awaited of it any more.
  mutating func release(_ offer: OfferID) { holds[offer] = nil }

  /// The offer is gone.
  mutating func forget(_ offer: OfferID) { (holds[offer], remarks[offer]) = (nil, nil) }
}
