// SPDX-License-Identifier: MIT

public import ActivityModel

// activity = { 1: ID (16), 2: type, 3: team (32; zeros = unsigned), 4: title, 5: document?, 6: user info?,
//   7: required keys?, 8: web URL?, 9: flags, 10: changed-at-ms, 12: app ID, 13: expires-at-ms?,
//   14: keywords?, 15: target content ID?, 16: persistent ID?, 17: referrer?,
//   18: [document] of the user info?,
//   19: typed payload?, 20: content attributes?, 128: [draft's digest, size, changed-at-ms]? }
// User info and content attributes are byte strings that hold an encoded value: they have limits of their
// own. Nothing is written for nil, nor for an empty 6, 14 or 18; an empty 7 means "no key is required".
extension ActivitySnapshot {
  /// Limits of one activity's fields, in bytes of UTF-8 and in elements.
  public enum Limits {
    /// An activity type, app ID or search word.
    public static let name = 256
    /// A web address.
    public static let address = 4096
    /// A content or persistent identifier, or a key that is required.
    public static let identifier = 1024
    /// Search words.
    public static let keywords = 64
    /// How many keys an activity may require.
    public static let requiredKeys = 256
    /// Documents that the user info refers to.
    public static let documents = 32
  }

  /// The snapshot in the format of records and socket messages, with every flag; the title is cleaned.
  public var cbor: CBOR { .map(fields) }

  var fields: CBORMap {
    var fields: CBORMap = [
      1: .bytes(id.bytes), 2: .text(type), 3: .bytes(team ?? Self.unsigned),
      4: .text(RecordText.sanitised(title)), 9: .unsigned(flags.rawValue),
      10: .unsigned(changedAt.milliseconds), 12: .text(appID),
    ]
    fields[5] = document?.cbor
    fields[6] = userInfo.isEmpty ? nil : .bytes(userInfo.cbor.encoded)
    fields[7] = requiredUserInfoKeys.map { CBOR(textSet: $0) }
    fields[8] = webpageURL.map { .text($0) }
    fields[13] = expiresAt.map { .unsigned($0.milliseconds) }
    fields[14] = keywords.isEmpty ? nil : CBOR(textSet: keywords)
    fields[15] = targetContentIdentifier.map { .text($0) }
    fields[16] = persistentIdentifier.map { .text($0) }
    fields[17] = referrerURL.map { .text($0) }
    fields[18] = translatedDocuments.isEmpty ? nil : .array(translatedDocuments.map(\.cbor))
    fields[19] = typedPayload.map { .bytes($0) }
    fields[20] = contentAttributes.map { .bytes($0.cbor.encoded) }
    fields[128] = draft.map {
      .array([.bytes($0.digest.bytes), .unsigned($0.size), .unsigned($0.changedAt.milliseconds)])
    }
    return fields
  }

  /// The snapshot that `cbor` holds.
  ///
  /// Throws `userInfoTooLarge`, or `invalidBytes` for anything that `cbor` would not write.
  public init(cbor: CBOR) throws(ContinuityError) {
    let fields = try cbor.map("activity")
    try fields.closed("activity", known: 1...20, except: 11)
    self.init(
      id: try fields.required(1, field: "activity").identifier("activity"),
      type: try fields.required(2, field: "type").plainText("type", limit: Limits.name),
      appID: try fields.required(12, field: "app").plainText("app", limit: Limits.name),
      changedAt: WallTime(milliseconds: try fields.required(10, field: "changed").unsigned("changed")))
    team = try Self.team(fields)
    title = try Self.title(fields)
    flags = ActivityFlags(rawValue: try fields.required(9, field: "flags").unsigned("flags"))
    try takeIdentifiers(fields)
    try takePayload(fields)
  }

  private static let unsigned = [UInt8](repeating: 0, count: 32)

  private static func team(_ fields: CBORMap) throws(ContinuityError) -> [UInt8]? {
    let team = try fields.required(3, field: "team").bytes("team")
    guard team.count == 32 else { throw CBOR.mismatch("team", expected: "32 bytes") }
    return team == unsigned ? nil : team
  }

  private static func title(_ fields: CBORMap) throws(ContinuityError) -> String {
    let title = try fields.required(4, field: "title").text("title")
    guard RecordText.isClean(title, byteLimit: DisplayText.byteLimit) else {
      throw CBOR.mismatch("title", expected: "a clean text of at most \(DisplayText.byteLimit) bytes")
    }
    return title
  }

  private mutating func takeIdentifiers(_ fields: CBORMap) throws(ContinuityError) {
    webpageURL = try fields[8]?.text("web page", limit: Limits.address)
    expiresAt = try fields[13].map { (value) throws(ContinuityError) in
      WallTime(milliseconds: try value.unsigned("expiry"))
    }
    keywords = try fields[14]?.textSet("keywords", limit: Limits.keywords, bytes: Limits.name) ?? []
    targetContentIdentifier = try fields[15]?.text("target content", limit: Limits.identifier)
    persistentIdentifier = try fields[16]?.text("persistent identifier", limit: Limits.identifier)
    referrerURL = try fields[17]?.text("referrer", limit: Limits.address)
    guard fields[14] == nil || !keywords.isEmpty else { throw CBOR.mismatch("keywords", expected: "a word") }
  }

  private mutating func takePayload(_ fields: CBORMap) throws(ContinuityError) {
    document = try fields.optional(5, DocumentReference.init(cbor:))
    userInfo = try fields.optional(6, Self.userInfo) ?? [:]
    requiredUserInfoKeys = try fields[7]?.textSet(
      "required keys", limit: Limits.requiredKeys, bytes: Limits.identifier)
    for reference in try fields[18]?.array("documents", limit: Limits.documents) ?? [] {
      translatedDocuments.append(try DocumentReference(cbor: reference))
    }
    typedPayload = try fields[19]?.bytes("typed payload")
    contentAttributes = try fields.optional(20, Self.userInfo)
    draft = fields[128].flatMap(Self.draft)
    guard fields[6] == nil || !userInfo.isEmpty else {
      throw CBOR.mismatch("user info", expected: "an entry")
    }
    guard fields[18] == nil || !translatedDocuments.isEmpty else {
      throw CBOR.mismatch("documents", expected: "one")
    }
    guard typedPayload?.count ?? 0 <= UserInfo.byteLimit else {
      throw CBOR.mismatch("typed payload", expected: "at most \(UserInfo.byteLimit) bytes")
    }
    let count = translatedDocuments.count
    guard userInfo.hasDocuments(below: count), contentAttributes?.hasDocuments(below: count) ?? true else {
      throw CBOR.mismatch("user info", expected: "indices of documents that are there")
    }
  }

  /// What an earlier release passes over is no reason to refuse a record: whatever else stands there counts
  /// as absent.
  private static func draft(_ cbor: CBOR) -> Draft? {
    guard let parts = try? cbor.array("draft", limit: 16), parts.count >= 3,
      let digest = (try? parts[0].bytes("digest")).flatMap({ ContentDigest(bytes: $0) }),
      let size = try? parts[1].unsigned("size"), (1...Draft.byteLimit).contains(size),
      let changedAt = try? parts[2].unsigned("changed")
    else { return nil }
    return Draft(digest: digest, size: size, changedAt: WallTime(milliseconds: changedAt))
  }

  private static func userInfo(_ cbor: CBOR) throws(ContinuityError) -> UserInfo {
    try UserInfo(encoded: cbor.bytes("user info"))
  }
}

extension ActivityFlags {
  /// The flags that records carry; the others say something between an app and the agent of one machine.
  static let recorded = Self(rawValue: 0xffff_ffff)
}
