// SPDX-License-Identifier: MIT

public import ActivityModel

/// One version of a document in conflict, as its folder showed it: the document itself, or a copy beside it.
public struct ConflictVersion: Hashable, Sendable {
  /// What the file is called in the document's folder.
  public let name: [UInt8]
  /// Whether it is what lies under the document's own name.
  public let isDocument: Bool
  /// What tells without reading that somebody changed it since.
  public let stamp: FileStamp
  /// Tells its bytes from others; nil when they could not be read. Good in this process only.
  public let fingerprint: Int?

  /// A version as it was looked at.
  public init(name: [UInt8], isDocument: Bool, stamp: FileStamp, fingerprint: Int?) {
    self.name = name
    self.isDocument = isDocument
    self.stamp = stamp
    self.fingerprint = fingerprint
  }

  /// The device whose text a copy holds, for people, as its engine named it; nil where the name tells
  /// nothing.
  public var device: String? {
    isDocument ? nil : SyncNames.device(ofConflictCopy: name).map { DisplayText.shown($0) }
  }

  /// When the engine put a copy aside, as its name tells: `2026-11-22 04:00:00` by that device's clock.
  public var namedTime: String? { isDocument ? nil : SyncNames.time(ofConflictCopy: name) }

  /// Whether `other`, which was looked at later, is this file with these bytes. What could not be read is
  /// never known again.
  public func isStill(_ other: ConflictVersion?) -> Bool {
    guard let other, let fingerprint else { return false }
    return other.fingerprint == fingerprint && other.stamp.isSameContent(as: stamp)
  }
}
