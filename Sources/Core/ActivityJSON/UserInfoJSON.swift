// SPDX-License-Identifier: MIT

public import ActivityModel

// What JSON has no form for is an object with one member whose name begins with a dollar sign; every other
// object is a dictionary with keys of text.
extension UserInfoValue {
  /// The kinds of values that JSON has no form for, by the name of the one member of their object.
  public enum JSONForm: String, Hashable, Sendable, CaseIterable {
    /// Seconds since 1970, as a number.
    case date = "$date"
    /// Bytes in base 64, padded (RFC 4648, section 4).
    case data = "$data"
    /// A UUID in 36 characters.
    case uuid = "$uuid"
    /// The text of a URL.
    case url = "$url"
    /// An array of different values, whose order does not count.
    case set = "$set"
    /// A dictionary as an array of pairs: for keys that are no text, or that begin with a dollar sign.
    case map = "$map"
  }

  /// The value in JSON. Total; a document that is not this device's yet, which no app ever sees, is null.
  public var json: JSONValue {
    switch self {
    case .null, .document: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .text(let text): .text(text)
    case .bytes(let bytes): Self.form(.data, .text(bytes.base64))
    case .array(let elements): .array(elements.map(\.json))
    case .map(let entries): entries.json
    case .set(let elements): Self.form(.set, .array(Self.ordered(elements.map(\.json)) { $0 }))
    case .date(let seconds): Self.form(.date, seconds.isFinite ? .double(seconds) : .null)
    case .url(let text): Self.form(.url, .text(text))
    case .uuid(let bytes): Self.form(.uuid, .text(Self.uuidText(bytes)))
    }
  }

  /// The value that JSON stands for; `json` of it means the same again.
  ///
  /// Throws `invalidRequest`, with the place and the remedy in one sentence, for an object with a dollar sign
  /// that stands for nothing.
  public init(json: JSONValue) throws(ContinuityError) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .text(let text): self = .text(text)
    case .array(let elements): self = .array(try Self.values(elements))
    case .object(let members):
      guard let marked = members.keys.filter({ $0.hasPrefix("$") }).min() else {
        self = .map(try Self.entries(members))
        return
      }
      guard members.count == 1, let form = JSONForm(rawValue: marked), let content = members[marked] else {
        throw Self.fault(
          marked,
          "stands for no kind of value; write a dictionary with such a key as {\"$map\": [[key, value]]}")
      }
      self = try Self.value(form, content)
    }
  }

  private static func value(_ form: JSONForm, _ content: JSONValue) throws(ContinuityError) -> UserInfoValue {
    switch (form, content) {
    case (.date, .int(let seconds)): return .date(Double(seconds))
    case (.date, .double(let seconds)): return .date(seconds)
    case (.data, .text(let text)):
      if let bytes = [UInt8](base64: text) { return .bytes(bytes) }
    case (.uuid, .text(let text)): if let bytes = uuid(text) { return .uuid(bytes) }
    case (.url, .text(let text)): return .url(text)
    case (.set, .array(let elements)): return .set(Set(try values(elements)))
    case (.map, .array(let pairs)): return .map(try entries(pairs))
    default: break
    }
    let wanted =
      switch form {
      case .date: "seconds since 1970 as a number"
      case .data: "bytes in base 64"
      case .uuid: "a UUID in 36 characters"
      case .url: "the text of a URL"
      case .set: "an array"
      case .map: "an array of [key, value] pairs"
      }
    throw fault(form.rawValue, "holds \(wanted)")
  }

  private static func values(_ elements: [JSONValue]) throws(ContinuityError) -> [UserInfoValue] {
    var values: [UserInfoValue] = []
    for element in elements { values.append(try UserInfoValue(json: element)) }
    return values
  }

  private static func entries(_ pairs: [JSONValue]) throws(ContinuityError) -> UserInfo {
    var entries: UserInfo = [:]
    for pair in pairs {
      guard case .array(let two) = pair, two.count == 2 else {
        throw fault(JSONForm.map.rawValue, "holds an array of [key, value] pairs")
      }
      entries[try UserInfoValue(json: two[0])] = try UserInfoValue(json: two[1])
    }
    return entries
  }

  fileprivate static func entries(_ members: [String: JSONValue]) throws(ContinuityError) -> UserInfo {
    var entries: UserInfo = [:]
    for (name, value) in members { entries[.text(name)] = try UserInfoValue(json: value) }
    return entries
  }

  fileprivate static func form(_ form: JSONForm, _ content: JSONValue) -> JSONValue {
    .object([form.rawValue: content])
  }

  /// Sorted by their text, so that equal values have equal JSON.
  fileprivate static func ordered<Element>(
    _ elements: [Element], by key: (Element) -> JSONValue
  ) -> [Element] {
    elements.map { (key($0).encoded, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  fileprivate static func fault(_ name: String, _ what: String) -> ContinuityError {
    ContinuityError(.invalidRequest, subject: "userInfo", description: "In userInfo, \(name) \(what).")
  }

  private static let uuidGroups = [4, 2, 2, 2, 6]

  private static func uuidText(_ bytes: [UInt8]) -> String {
    var rest = bytes[...]
    return uuidGroups.map { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count)).hexadecimal.uppercased()
    }.joined(separator: "-")
  }

  private static func uuid(_ text: String) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == uuidGroups.map({ 2 * $0 }) else { return nil }
    return [UInt8](hexadecimal: groups.joined())
  }
}

extension UserInfo {
  /// The dictionary in JSON: an object, or `$map` where that cannot hold it.
  public var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for (key, value) in self {
      guard case .text(let name) = key, !name.hasPrefix("$") else { return pairs }
      members[name] = value.json
    }
    return .object(members)
  }

  /// The dictionary that JSON stands for. Throws as `UserInfoValue(json:)`, and for what is no dictionary.
  public init(json: JSONValue) throws(ContinuityError) {
    guard case .map(let entries) = try UserInfoValue(json: json) else {
      throw UserInfoValue.fault("the value", "has to be an object, not \(json.kind)")
    }
    self = entries
  }

  private var pairs: JSONValue {
    let pairs = map { JSONValue.array([$0.key.json, $0.value.json]) }
    return UserInfoValue.form(.map, .array(UserInfoValue.ordered(pairs) { $0 }))
  }
}
