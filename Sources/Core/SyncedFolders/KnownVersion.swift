// SPDX-License-Identifier: MIT

public import ActivityModel

/// What is known of one version that a path has had: enough to say "saved on desktop at 14:02".
public struct KnownVersion: Hashable, Sendable {
  /// The start of its digest; all that a lineage carries.
  public var prefix: DigestPrefix
  /// The whole digest; nil of an ancestor that this device never hashed.
  public var digest: ContentDigest?
  /// In bytes; nil when nobody here saw the file.
  public var size: UInt64?
  /// The path's `generation` when it was recorded; 0 of an ancestor. For display, never for order.
  public var generation: UInt64
  /// When this device first knew of it, by its own civil clock; nil of what an older release recorded.
  public var seen: WallTime?
  /// When the other device's activity had last changed, by that device's clock; nil unless it came from one.
  public var changed: WallTime?
  /// All the ways in which it was met.
  public var sources: VersionSources
  /// Whose record named it first; nil when this device met it by itself.
  public var device: Device?

  /// A device of the circle, as it was called then.
  public struct Device: Hashable, Sendable {
    /// Its key's fingerprint.
    public var id: DeviceID
    /// Its name in the roster, for people.
    public var name: String

    /// A device as the roster has it.
    public init(id: DeviceID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// A version of which nothing but the start of its digest is known.
  public init(_ prefix: DigestPrefix) {
    self.prefix = prefix
    generation = 0
    sources = []
  }
}

/// The ways in which this device can meet a version. The numbers are stored: none is ever used anew.
public struct VersionSources: OptionSet, Hashable, Sendable {
  /// The set as it is stored.
  public var rawValue: UInt8

  /// A set as it was stored; bits that are not listed here are kept.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An app of this device said that its document has this version: it saved it, unless `received` is there,
  /// too.
  public static let published = VersionSources(rawValue: 1)
  /// An app of this device opened it.
  public static let opened = VersionSources(rawValue: 2)
  /// It was found on the disk: an engine or another program wrote it.
  public static let onDisk = VersionSources(rawValue: 4)
  /// Another device's record announced it before any app here did.
  public static let received = VersionSources(rawValue: 8)
  /// An ancestor that a record's lineage listed.
  public static let lineage = VersionSources(rawValue: 16)
  /// This device's own last record named it, when the history had to begin anew.
  public static let recalled = VersionSources(rawValue: 32)
}

/// Somebody met a version: what is stored beside its digest.
public struct VersionSighting: Hashable, Sendable {
  /// The version's whole digest.
  public var digest: ContentDigest
  /// In bytes.
  public var size: UInt64
  /// How it was met.
  public var source: VersionSources
  /// Whose record it stands in; nil when it was met here.
  public var device: KnownVersion.Device?
  /// When the activity had last changed there, by that device's clock.
  public var changed: WallTime?

  /// A version that was met by `source`.
  public init(
    _ digest: ContentDigest, size: UInt64, source: VersionSources, device: KnownVersion.Device? = nil,
    changed: WallTime? = nil
  ) {
    self.digest = digest
    self.size = size
    self.source = source
    self.device = device
    self.changed = changed
  }
}
