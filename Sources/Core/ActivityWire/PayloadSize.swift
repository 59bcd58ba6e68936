// SPDX-License-Identifier: MIT

public import ActivityModel

// The payload of an activity is what an app puts into it without a name of its own: the user info, the typed
// payload and the content attributes, each as it is encoded. Titles, URLs and search words have limits of
// their own and do not count (semantics 10).
extension ActivitySnapshot {
  /// The most bytes that the payload may take: 16 KiB.
  public static var payloadLimit: Int { UserInfo.byteLimit }
  /// From this size on the app is warned: 3 KiB, which Apple's documentation names.
  public static var payloadAdvice: Int { 3 * 1024 }

  /// The bytes of the payload, encoded; nothing counts zero.
  public var payloadSize: Int {
    (userInfo.isEmpty ? 0 : userInfo.cbor.encoded.count) + (typedPayload?.count ?? 0)
      + (contentAttributes?.cbor.encoded.count ?? 0)
  }

  /// The same of an activity that is encoded.
  private static func payloadSize(of fields: CBORMap) -> Int {
    var size = 0
    for key: UInt64 in [6, 19, 20] {
      if case .bytes(let content)? = fields[key] { size += content.count }
    }
    return size
  }

  /// The largest parts of the payload, each with its size, for a sentence.
  public var largestParts: String {
    var parts = userInfo.parts
    if let typedPayload { parts.append(UserInfoPart(name: "the typed payload", size: typedPayload.count)) }
    if let contentAttributes {
      let size = contentAttributes.cbor.encoded.count
      parts.append(UserInfoPart(name: "the content attributes", size: size))
    }
    return UserInfoPart.named(parts)
  }

  /// Throws the first reason for which the snapshot cannot travel: `userInfoTooLarge`, naming the largest
  /// parts of the payload, or `invalidRequest`.
  ///
  /// Asked by the app's side before sending, so that the app hears about it.
  public func checkLimits() throws(ContinuityError) { _ = try checkedFields() }

  /// Why a state is not offered although the app wants it to be (semantics 6, 10); nil when it is.
  public var obstacle: ContinuityError? {
    if let missing = requiredUserInfoKeys?.sorted().first(where: {
      userInfo[.text($0)] == nil
    }) {
      return ContinuityError(
        .invalidRequest, subject: missing,
        description:
          "The required key \(missing) is missing from userInfo, so the activity is not offered; add it.")
    }
    do throws(ContinuityError) {
      try checkLimits()
      return nil
    } catch {
      return error
    }
  }

  /// The fields as records and socket messages carry them, if the snapshot can travel; else `checkLimits`
  /// tells what is thrown.
  func checkedFields() throws(ContinuityError) -> CBORMap {
    let fields = fields
    let size = Self.payloadSize(of: fields)
    // What comes back whole keeps every limit; which one is broken is asked only where one is.
    if size <= Self.payloadLimit, (try? Self(cbor: .map(fields))) != nil { return fields }
    guard size <= Self.payloadLimit else {
      throw ContinuityError(
        .userInfoTooLarge, subject: "userInfo",
        because: .tooLarge(
          .payload(UInt64(size), limit: UInt64(Self.payloadLimit), largest: largestParts)))
    }
    try userInfo.checkLimits()
    try contentAttributes?.checkLimits()
    do throws(ContinuityError) {
      _ = try Self(cbor: .map(fields))
      return fields
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: error.subject,
        description: "The activity cannot travel. \(error.description)")
    }
  }
}

/// One part of a payload, for the sentence that names the largest.
struct UserInfoPart {
  var name: String
  var size: Int

  /// The three largest, largest first.
  static func named(_ parts: [Self]) -> String {
    parts.sorted { ($1.size, $0.name) < ($0.size, $1.name) }.prefix(3)
      .map { "\($0.name) (\($0.size) bytes)" }.joined(separator: ", ")
  }
}
