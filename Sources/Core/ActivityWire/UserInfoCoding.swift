// SPDX-License-Identifier: MIT

public import ActivityModel

// value = null | bool | int | double | text | bytes as they are, else [kind, payload …]:
//   [0, element …] array, [1, key, value, …] map by ascending key, [2, element …] ascending set,
//   [3, seconds] date, [4, text] URL, [5, index] translated document, [6, bytes] UUID.
// "Ascending" is the order of the encoded bytes, so that one value has one encoding. A level of the value is
// a level of CBOR, so that both have the same limit on depth.
extension UserInfoValue {
  /// The value in the format of records and socket messages. Total: what no decoder would take (a number that
  /// is not finite, a negative index, a UUID of another length) becomes null.
  public var cbor: CBOR {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): CBOR(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .text(let text): .text(text)
    case .bytes(let bytes): .bytes(bytes)
    case .array(let elements): Kind.array.cbor(elements.map(\.cbor))
    case .map(let entries): entries.cbor
    case .set(let elements): Kind.set.cbor(Self.ascending(elements.map { ($0.cbor, []) }))
    case .date(let seconds): seconds.isFinite ? Kind.date.cbor([.double(seconds)]) : .null
    case .url(let text): Kind.url.cbor([.text(text)])
    case .document(let index): index >= 0 ? Kind.document.cbor([.unsigned(UInt64(index))]) : .null
    case .uuid(let bytes): bytes.count == 16 ? Kind.uuid.cbor([.bytes(bytes)]) : .null
    }
  }

  /// The value that `cbor` stands for.
  ///
  /// Throws `invalidBytes` for anything that `cbor` would not write, and above 8 levels, 256 entries of one
  /// container, or 2,048 values.
  public init(cbor: CBOR) throws(ContinuityError) {
    var decoder = UserInfoDecoder()
    self = try decoder.value(cbor, depth: 0)
  }

  /// Whether every index into the translated documents that the value holds, at any depth, is below `count`.
  func hasDocuments(below count: Int) -> Bool {
    switch self {
    case .document(let index): index < count
    case .array(let elements): elements.allSatisfy { $0.hasDocuments(below: count) }
    case .set(let elements): elements.allSatisfy { $0.hasDocuments(below: count) }
    case .map(let entries): entries.hasDocuments(below: count)
    default: true
    }
  }

  enum Kind: UInt64 {
    case array, map, set, date, url, document, uuid

    func cbor(_ payload: [CBOR]) -> CBOR { .array([.unsigned(rawValue)] + payload) }
  }

  /// Items sorted by the bytes of their heads, one of each; `tail` follows its head.
  static func ascending(_ items: [(head: CBOR, tail: [CBOR])]) -> [CBOR] {
    let sorted = items.map { (bytes: $0.head.encoded, item: $0) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var result: [CBOR] = []
    var last: [UInt8]?
    for (bytes, item) in sorted where bytes != last {
      result.append(item.head)
      result += item.tail
      last = bytes
    }
    return result
  }
}

extension [UserInfoValue: UserInfoValue] {
  /// The most bytes that one activity's user info may take, encoded: 16 KiB.
  public static var byteLimit: Int { 16 * 1024 }

  /// The map as a value.
  public var cbor: CBOR {
    UserInfoValue.Kind.map.cbor(UserInfoValue.ascending(map { ($0.key.cbor, [$0.value.cbor]) }))
  }

  /// The map that `bytes` hold; the opposite of `cbor.encoded`.
  ///
  /// Throws `userInfoTooLarge` above `byteLimit` and `invalidBytes` for anything else that cannot be taken.
  public init(encoded bytes: [UInt8]) throws(ContinuityError) {
    guard bytes.count <= Self.byteLimit else { throw Self.tooLarge(bytes.count, largest: "") }
    guard
      case .map(let entries) = try UserInfoValue(cbor: CBOR(decoding: bytes, limits: UserInfoDecoder.limits))
    else { throw CBOR.mismatch("user info", expected: "a dictionary") }
    self = entries
  }

  /// Throws `userInfoTooLarge`, naming the largest keys, above `byteLimit`; `invalidRequest` when it is
  /// nested deeper, or has more values, than a record takes.
  public func checkLimits() throws(ContinuityError) {
    let bytes = cbor.encoded
    guard bytes.count <= Self.byteLimit else { throw Self.tooLarge(bytes.count, largest: largestKeys) }
    do {
      _ = try Self(encoded: bytes)
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: "userInfo",
        description:
          "The user info cannot travel: it may be 8 levels deep, with 256 entries each and 2,048 values "
          + "in all."
      )
    }
  }

  /// Whether every index into the translated documents in it is below `count`.
  func hasDocuments(below count: Int) -> Bool {
    allSatisfy { $0.key.hasDocuments(below: count) && $0.value.hasDocuments(below: count) }
  }

  private var largestKeys: String { UserInfoPart.named(parts) }

  /// Each entry's key as a sentence names it, and the bytes of its value.
  var parts: [UserInfoPart] {
    map { UserInfoPart(name: $0.key.keyName, size: $0.value.cbor.encoded.count) }
  }

  private static func tooLarge(_ size: Int, largest: String) -> ContinuityError {
    ContinuityError(
      .userInfoTooLarge, subject: "userInfo",
      because: .tooLarge(
        .userInfo(UInt64(size), limit: UInt64(byteLimit), largest: largest.isEmpty ? nil : largest)))
  }
}

extension UserInfoValue {
  fileprivate var keyName: String {
    guard case .text(let text) = self else { return "a key that is not text" }
    return "“" + RecordText.sanitised(text, byteLimit: 64) + "”"
  }
}

struct UserInfoDecoder {
  static let depthLimit = 8
  static let entryLimit = 256
  static let valueLimit = 2048
  /// A map of 256 entries is an array of 513; a date inside the eighth level is one level more.
  static let limits = CBOR.Limits(
    depth: depthLimit + 1, entries: 2 * entryLimit + 1, items: 3 * valueLimit, bytes: UserInfo.byteLimit)

  private var values = 0

  mutating func value(_ cbor: CBOR, depth: Int) throws(ContinuityError) -> UserInfoValue {
    values += 1
    guard values <= Self.valueLimit else {
      throw CBOR.mismatch("user info", expected: "at most 2,048 values")
    }
    switch cbor {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .unsigned, .negative: return .int(try cbor.signed("number"))
    case .double(let number): return .double(number)
    case .text(let text): return .text(text)
    case .bytes(let bytes): return .bytes(bytes)
    case .map: throw CBOR.mismatch("user info", expected: "a value of a known kind")
    case .array(let elements): return try kinded(elements, depth: depth)
    }
  }

  private mutating func kinded(_ elements: [CBOR], depth: Int) throws(ContinuityError) -> UserInfoValue {
    guard case .unsigned(let number)? = elements.first, let kind = UserInfoValue.Kind(rawValue: number) else {
      throw CBOR.mismatch("user info", expected: "a value of a known kind")
    }
    let payload = elements.dropFirst()
    switch kind {
    case .array: return .array(try members(payload, depth: depth + 1))
    case .map: return .map(try map(payload, depth: depth + 1))
    case .set: return .set(try set(payload, depth: depth + 1))
    case .date, .url, .document, .uuid:
      guard payload.count == 1, let single = payload.first else {
        throw CBOR.mismatch("user info", expected: "one payload")
      }
      return try scalar(kind, single)
    }
  }

  private func scalar(_ kind: UserInfoValue.Kind, _ cbor: CBOR) throws(ContinuityError) -> UserInfoValue {
    switch (kind, cbor) {
    case (.date, .double(let seconds)): return .date(seconds)
    case (.url, .text(let text)): return .url(text)
    case (.document, .unsigned(let index)) where index < 256: return .document(Int(index))
    case (.uuid, .bytes(let bytes)) where bytes.count == 16: return .uuid(bytes)
    default: throw CBOR.mismatch("user info", expected: "the payload of its kind")
    }
  }

  private mutating func members(
    _ elements: ArraySlice<CBOR>, depth: Int
  ) throws(ContinuityError) -> [UserInfoValue] {
    try check(elements.count, depth: depth)
    var members: [UserInfoValue] = []
    for element in elements { members.append(try value(element, depth: depth)) }
    return members
  }

  private mutating func set(
    _ elements: ArraySlice<CBOR>, depth: Int
  ) throws(ContinuityError) -> Set<UserInfoValue> {
    try checkAscending(elements)
    let members = try members(elements, depth: depth)
    let set = Set(members)
    guard set.count == members.count else {
      throw CBOR.mismatch("user info", expected: "a set of different values")
    }
    return set
  }

  private mutating func map(_ payload: ArraySlice<CBOR>, depth: Int) throws(ContinuityError) -> UserInfo {
    guard payload.count % 2 == 0 else { throw CBOR.mismatch("user info", expected: "a value for each key") }
    try check(payload.count / 2, depth: depth)
    let places = stride(from: payload.startIndex, to: payload.endIndex, by: 2)
    try checkAscending(places.lazy.map { payload[$0] })
    var entries = UserInfo(minimumCapacity: payload.count / 2)
    for place in places {
      let key = try value(payload[place], depth: depth)
      let known = entries.updateValue(try value(payload[place + 1], depth: depth), forKey: key)
      guard known == nil else { throw CBOR.mismatch("user info", expected: "different keys") }
    }
    return entries
  }

  private func check(_ count: Int, depth: Int) throws(ContinuityError) {
    guard depth <= Self.depthLimit else { throw CBOR.mismatch("user info", expected: "at most 8 levels") }
    guard count <= Self.entryLimit else { throw CBOR.mismatch("user info", expected: "at most 256 entries") }
  }

  private func checkAscending(_ items: some Sequence<CBOR>) throws(ContinuityError) {
    var last: [UInt8]?
    for item in items {
      let bytes = item.encoded
      if let last, !last.lexicographicallyPrecedes(bytes) {
        throw CBOR.mismatch("user info", expected: "ascending keys")
      }
      last = bytes
    }
  }
}
