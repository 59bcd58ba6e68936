// SPDX-License-Identifier: MIT

/// The `userInfo` key under which an app lists what else it has open, as file URLs: the document of the
/// activity is the one that the person is in. Ours (semantics 52).
public let ContinuoOpenDocumentURLsKey = "ContinuoOpenDocumentURLs"

extension ActivitySnapshot {
  /// As many documents beside its own as an activity lists.
  public static let openDocumentLimit = 31

  /// What its app has open beside the document of the activity: what the user info lists, each once.
  public var openDocuments: [DocumentReference] {
    guard case .array(let entries) = userInfo[.text(ContinuoOpenDocumentURLsKey)] else { return [] }
    var found: [DocumentReference] = []
    for case .document(let index) in entries where translatedDocuments.indices.contains(index) {
      let reference = translatedDocuments[index]
      guard found.count < Self.openDocumentLimit else { break }
      let known = found + [document].compactMap { $0 }
      if !known.contains(where: { $0.isSamePlace(as: reference) }) { found.append(reference) }
    }
    return found
  }

  /// An activity for each of `openDocuments`, which is continued by itself: of the same app and type, with
  /// the document alone. Its ID ends as this activity's does, and is the same for the same document.
  public var openedBeside: [ActivitySnapshot] {
    openDocuments.map { reference in
      var beside = ActivitySnapshot(
        id: id.beside(reference), type: type, appID: appID, changedAt: changedAt)
      beside.team = team
      beside.document = reference
      beside.userInfo = [.text(NSUserActivityDocumentURLKey): .document(0)]
      beside.translatedDocuments = [reference]
      beside.flags = flags.intersection(.leftOpen).union([.handoff, .openedBeside])
      beside.expiresAt = expiresAt
      return beside
    }
  }
}

extension Offer {
  /// Whether it is a document that an app has open beside the one that the person is in.
  public var isOpenedBeside: Bool { flags.contains(.openedBeside) }

  /// Whether `other` is a document that its app has open beside its own.
  public func lists(_ other: Offer) -> Bool {
    !isOpenedBeside && other.isOpenedBeside && id.isOpenedTogether(with: other.id)
  }
}

extension Collection<Offer> {
  /// The offer beside whose document that one is open; nil for what is offered by itself.
  public func listing(_ other: Offer) -> Offer? { first { $0.lists(other) } }
}

extension OfferID {
  /// Whether both were open together in one app there: one is the activity that lists the other, or one
  /// activity lists both.
  public func isOpenedTogether(with other: OfferID) -> Bool {
    device == other.device && activity.low == other.activity.low
  }
}

extension ActivityID {
  /// The ID under which a document is offered that is open beside the one of this activity.
  fileprivate func beside(_ reference: DocumentReference) -> ActivityID {
    // A device that makes two of them equal loses one of its own offers.
    var place = Checksum()
    place.add(reference.folder.bytes)
    for name in reference.path.components { place.add(name) }
    var bytes: [UInt8] = []
    bytes.append(bigEndian: place.value)
    bytes.append(bigEndian: low)
    return ActivityID(bytes: bytes) ?? self
  }
}
