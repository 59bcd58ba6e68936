// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// An activity as its row has it: as records have it, without what goes without saying and without what is
/// said twice. What is read is what was written.
///
/// In place of what a record has there:
///   2: [characters in common with the app's identifier, the rest] where that is shorter
///   3: nothing for no team   9: nothing for search and hand-off   12: nothing for the row's app
///   10: nothing for a week before the row's expiry
///   6, 20: { 0: the other entries?, n: the value of the key that `names` numbers n }
///   16: bytes that the address goes on from, or a number of bytes that the address has more at its beginning
/// The address is the document's URL in 6, else the web page.
struct StoredForm {
  private let appID: String
  private let expiry: WallTime

  /// Of an activity of that app's in a row that expires then.
  init(of appID: String, expiry: WallTime) { (self.appID, self.expiry) = (appID, expiry) }

  /// What is often a key. A number is never given to another name.
  private static let names = [
    NSUserActivityDocumentURLKey, "contentDescription", "title", "displayName", "keywords",
    "domainIdentifier", "contentType", "thumbnailURL", "contentURL", "contentModificationDate",
    "relatedUniqueIdentifier", "thumbnailData", "contentCreationDate",
  ]
  /// Of an activity as it lies in a row, in this form or a former one.
  static let limits = CBOR.Limits(depth: 16, entries: 65536, items: 1 << 20, bytes: 1 << 20)
  /// What is shared by less is written as it is.
  private static let shortest = 6
  private static let noTeam = CBOR.bytes([UInt8](repeating: 0, count: 32))
  private static let usualFlags = CBOR.unsigned(ActivityFlags([.search, .handoff]).rawValue)

  // MARK: Writing

  /// The bytes of the row.
  func bytes(of snapshot: ActivitySnapshot) -> [UInt8] {
    guard case .map(var fields) = snapshot.cbor else { return [] }
    if fields[3] == Self.noTeam { fields[3] = nil }
    if fields[9] == Self.usualFlags { fields[9] = nil }
    if snapshot.changedAt == usual { fields[10] = nil }
    if fields[12] == .text(appID) { fields[12] = nil }
    fields[2] = type(snapshot.type)
    fields[6] = snapshot.userInfo.isEmpty ? nil : Self.packed(snapshot.userInfo)
    fields[20] = snapshot.contentAttributes.map(Self.packed)
    fields[16] = snapshot.persistentIdentifier.map { Self.identifier($0, beside: Self.address(of: snapshot)) }
    return CBOR.map(fields).encoded
  }

  /// When it changed, where the row does not say it.
  private var usual: WallTime {
    WallTime(milliseconds: expiry.milliseconds &- 1000 * ActivitySnapshot.lifetime)
  }

  private func type(_ type: String) -> CBOR {
    let common = zip(type.utf8, appID.utf8).prefix { $0 == $1 }.count
    guard common >= Self.shortest else { return .text(type) }
    return .array([.unsigned(UInt64(common)), .bytes(Array(type.utf8.dropFirst(common)))])
  }

  private static func packed(_ info: UserInfo) -> CBOR {
    var (known, others) = (CBORMap(), info)
    for (index, name) in names.enumerated() {
      known[UInt64(index + 1)] = others.removeValue(forKey: .text(name))?.cbor
    }
    if !others.isEmpty { known[0] = others.cbor }
    return .map(known)
  }

  private static func address(of snapshot: ActivitySnapshot) -> [UInt8] {
    if case .url(let text)? = snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] {
      return Array(text.utf8)
    }
    return snapshot.webpageURL.map { Array($0.utf8) } ?? []
  }

  private static func identifier(_ identifier: String, beside address: [UInt8]) -> CBOR {
    let bytes = Array(identifier.utf8)
    guard min(bytes.count, address.count) >= shortest else { return .text(identifier) }
    if bytes.count <= address.count {
      return address.suffix(bytes.count) == bytes[...]
        ? .unsigned(UInt64(address.count - bytes.count)) : .text(identifier)
    }
    return bytes.suffix(address.count) == address[...]
      ? .bytes(Array(bytes.dropLast(address.count))) : .text(identifier)
  }

  // MARK: Reading

  /// What was written. Throws `invalidBytes`, or `userInfoTooLarge`, for what is none.
  func snapshot(of bytes: [UInt8]) throws(ContinuityError) -> ActivitySnapshot {
    var fields = try CBOR(decoding: bytes, limits: Self.limits).map("activity")
    if case .array(let parts)? = fields[2] { fields[2] = try type(parts) }
    if fields[3] == nil { fields[3] = Self.noTeam }
    if fields[9] == nil { fields[9] = Self.usualFlags }
    if fields[10] == nil { fields[10] = .unsigned(usual.milliseconds) }
    if fields[12] == nil { fields[12] = .text(appID) }
    let (identifier, userInfo, attributes) = (fields[16], fields[6], fields[20])
    (fields[16], fields[6], fields[20]) = (nil, nil, nil)
    var snapshot = try ActivitySnapshot(cbor: .map(fields))
    snapshot.userInfo = try userInfo.map(Self.unpacked) ?? [:]
    snapshot.contentAttributes = try attributes.map(Self.unpacked)
    snapshot.persistentIdentifier = try identifier.map { (stored) throws(ContinuityError) in
      try Self.identifier(stored, beside: Self.address(of: snapshot))
    }
    return snapshot
  }

  private func type(_ parts: [CBOR]) throws(ContinuityError) -> CBOR {
    guard parts.count == 2, case .unsigned(let common) = parts[0], case .bytes(let rest) = parts[1],
      common <= appID.utf8.count
    else { throw CBOR.mismatch("type", expected: "a beginning and an end") }
    return .text(try Self.text(Array(appID.utf8.prefix(Int(common))) + rest))
  }

  private static func unpacked(_ cbor: CBOR) throws(ContinuityError) -> UserInfo {
    let fields = try cbor.map("user info")
    var info: UserInfo = [:]
    for entry in fields {
      let value = try UserInfoValue(cbor: entry.value)
      switch (entry.key, value) {
      case (0, .map(let others)): info.merge(others) { first, _ in first }
      case (1...UInt64(names.count), _): info[.text(names[Int(entry.key) - 1])] = value
      default: throw CBOR.mismatch("user info", expected: "a known key")
      }
    }
    return info
  }

  private static func identifier(
    _ stored: CBOR, beside address: [UInt8]
  ) throws(ContinuityError) -> String {
    switch stored {
    case .text(let text): return text
    case .bytes(let beginning): return try text(beginning + address)
    case .unsigned(let more) where more <= address.count: return try text(address.dropFirst(Int(more)))
    default: throw CBOR.mismatch("persistent identifier", expected: "a text")
    }
  }

  private static func text(_ bytes: some Collection<UInt8>) throws(ContinuityError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CBOR.mismatch("text", expected: "UTF-8")
    }
    return text
  }
}
