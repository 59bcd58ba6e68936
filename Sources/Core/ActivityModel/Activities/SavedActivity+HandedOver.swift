// SPDX-License-Identifier: MIT

/// Activities that are kept because they were handed over between two devices: nobody gave them a persistent
/// identifier for that (semantics 11h).
extension SavedActivity {
  /// What their identifiers begin with.
  public static let handedOverPrefix = "handed-over:"

  private static let named = handedOverPrefix + "identifier:"
  /// The longest persistent identifier that can be kept.
  private static let identifierLimit = 1024

  /// Under which one is kept whose app gave it this persistent identifier.
  public static func handedOverIdentifier(for identifier: String) -> String { named + identifier }

  /// What is kept of an activity that was handed over, its document at `path` of this device. The same
  /// document, page or identifier of one app is kept once. Nil where nothing of it can be opened later, for a
  /// text that no file has, and where its app's identifier is so long that it has no room in the one it is
  /// kept under.
  public init?(handedOver snapshot: ActivitySnapshot, at path: [UInt8]?) {
    guard path != nil || !snapshot.flags.contains(.draft) else { return nil }
    var kept = snapshot
    kept.flags.insert(.handedOver)
    kept.draft = nil
    kept.document?.version.lineage = []
    kept.userInfo[.text(NSUserActivityDocumentURLKey)] = path.map { .url(FileURL.text(of: $0)) }
    var identifiers = [
      path.map { Self.handedOverPrefix + "document:" + FileURL.text(of: $0) },
      snapshot.webpageURL.map { Self.handedOverPrefix + "page:" + $0 },
      Self.handedOverPrefix + "activity:\(snapshot.id)",
    ]
    if let own = snapshot.persistentIdentifier, !own.isEmpty {
      identifiers = [Self.handedOverIdentifier(for: own)]
    }
    kept.persistentIdentifier = identifiers.compactMap(\.self).first { $0.utf8.count <= Self.identifierLimit }
    guard kept.persistentIdentifier != nil else { return nil }
    self.init(appID: snapshot.appID, snapshot: kept)
  }

  /// Whether it is kept for nothing else than that it was handed over.
  public var isHandedOver: Bool { snapshot.flags.contains(.handedOver) }

  /// The activity as its app made it, without what it is kept under.
  public var original: ActivitySnapshot {
    guard isHandedOver else { return snapshot }
    var original = snapshot
    original.flags.remove(.handedOver)
    original.persistentIdentifier = snapshot.persistentIdentifier.flatMap {
      $0.hasPrefix(Self.named) ? String($0.dropFirst(Self.named.count)) : nil
    }
    return original
  }
}
