// SPDX-License-Identifier: MIT

public import ActivityModel

// version  = { 3: SHA-256 (32), 4: size, 5: generation, 6: lineage, 6 bytes a digest in one string }
// document = { 1: folder ID (16), 2: [component as bytes], 3 … 6: the version, 7: kind }
extension DocumentVersion {
  /// The version as a map with the keys it has inside a document.
  public var cbor: CBOR { .map(fields) }

  /// The version that a map with exactly these fields holds. Throws `invalidBytes` for any other.
  public init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("version")
    try fields.closed("version", known: 3...6)
    try self.init(fields: fields)
  }

  fileprivate var fields: CBORMap {
    var ancestors: [UInt8] = []
    ancestors.reserveCapacity(6 * min(lineage.count, Self.lineageLimit))
    for ancestor in lineage.prefix(Self.lineageLimit) { ancestor.append(to: &ancestors) }
    return [3: .bytes(digest.bytes), 4: .unsigned(size), 5: .unsigned(generation), 6: .bytes(ancestors)]
  }

  fileprivate init(fields: CBORMap) throws(ContinuityError) {
    guard let digest = ContentDigest(bytes: try fields.required(3, field: "digest").bytes("digest")) else {
      throw CBOR.mismatch("digest", expected: "32 bytes")
    }
    let lineage = try fields.required(6, field: "lineage").bytes("lineage")
    guard lineage.count % 6 == 0, lineage.count / 6 <= Self.lineageLimit else {
      throw CBOR.mismatch("lineage", expected: "at most \(Self.lineageLimit) digests")
    }
    self.init(
      digest: digest, size: try fields.required(4, field: "size").unsigned("size"),
      generation: try fields.required(5, field: "generation").unsigned("generation"),
      lineage: stride(from: 0, to: lineage.count, by: 6).compactMap {
        DigestPrefix(bytes: lineage[$0..<$0 + 6])
      })
  }
}

extension DocumentReference {
  /// The reference in the format of records and socket messages.
  public var cbor: CBOR {
    var fields = version.fields
    fields[1] = .bytes(folder.bytes)
    fields[2] = .array(path.components.map { .bytes($0) })
    fields[7] = .unsigned(kind.rawValue)
    return .map(fields)
  }

  /// The reference that `cbor` holds.
  ///
  /// Throws `invalidBytes`; a path that could leave its folder is refused, never repaired (T04).
  public init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("document")
    try fields.closed("document", known: 1...7)
    var components: [[UInt8]] = []
    for component in try fields.required(2, field: "path").array("path", limit: RelativePath.componentLimit) {
      components.append(try component.bytes("path"))
    }
    guard let path = RelativePath(components: components) else {
      throw CBOR.mismatch("path", expected: "names that stay inside the folder")
    }
    guard let kind = Kind(rawValue: try fields.required(7, field: "kind").unsigned("kind")) else {
      throw CBOR.mismatch("kind", expected: "a known kind of document")
    }
    self.init(
      folder: try fields.required(1, field: "folder").identifier("folder"), path: path,
      version: try DocumentVersion(fields: fields), kind: kind)
  }
}
