// SPDX-License-Identifier: MIT

package import ActivityModel
import Foundation

/// `[AnyHashable: Any]` <-> `UserInfo` (semantics 3, 4).
package enum UserInfoBridge {
  package static let depthLimit = 8
  package static let entryLimit = 256
  package static let valueLimit = 2048

  /// What can travel of `info`, and an error per entry that cannot, naming its key path.
  package static func portable(_ info: [AnyHashable: Any]) -> (info: UserInfo, faults: [ContinuityError]) {
    var conversion = UserInfoConversion()
    let converted = conversion.map(info, at: [], depth: 0)
    return (converted, conversion.faults)
  }

  /// The values as an app sees them; numbers are `NSNumber`, so that `as? Int` and `as? Double` both work.
  package static func native(_ info: UserInfo) -> [AnyHashable: Any] {
    var result: [AnyHashable: Any] = [:]
    for (key, value) in info {
      guard let key = nativeKey(key), let value = native(value) else { continue }
      result[key] = value
    }
    return result
  }

  private static func native(_ value: UserInfoValue) -> Any? {
    switch value {
    case .null: NSNull()
    case .bool(let flag): NSNumber(value: flag)
    case .int(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .text(let text): text
    case .bytes(let bytes): Data(bytes)
    case .array(let elements): elements.compactMap(native)
    case .map(let entries): native(entries)
    case .set(let elements): Set(elements.compactMap(nativeKey))
    case .date(let seconds): Date(timeIntervalSince1970: seconds)
    case .url(let text): URL(string: text)
    case .uuid(let bytes): uuid(bytes)
    case .document: nil  // the agent has made it a URL, or the folder is not here
    }
  }

  /// Keys and members of sets are compared, so they are Swift's own values.
  private static func nativeKey(_ value: UserInfoValue) -> AnyHashable? {
    switch value {
    case .bool(let flag): AnyHashable(flag)
    case .int(let number): AnyHashable(Int(number))
    case .double(let number): AnyHashable(number)
    default: native(value) as? AnyHashable
    }
  }

  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return nil }
    var value = UUID().uuid
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return UUID(uuid: value)
  }
}

/// One conversion; counts what it has seen, so that a payload cannot grow beyond what a record carries.
private struct UserInfoConversion {
  var faults: [ContinuityError] = []
  private var count = 0

  init() {}

  mutating func map(_ info: [AnyHashable: Any], at path: [String], depth: Int) -> UserInfo {
    guard info.count <= UserInfoBridge.entryLimit else {
      omit(path, "has \(info.count) entries; at most \(UserInfoBridge.entryLimit) can travel")
      return [:]
    }
    var result: UserInfo = [:]
    for (key, value) in info {
      let here = path + ["\(key.base)"]
      guard let key = convert(key.base, at: here, depth: depth + 1),
        let value = convert(value, at: here, depth: depth + 1)
      else { continue }
      result[key] = value
    }
    return result
  }

  private mutating func convert(_ value: Any, at path: [String], depth: Int) -> UserInfoValue? {
    count += 1
    guard depth <= UserInfoBridge.depthLimit, count <= UserInfoBridge.valueLimit else {
      omit(path, depth > UserInfoBridge.depthLimit ? "is nested too deeply" : "is one value too many")
      return nil
    }
    return plain(value) ?? container(value, at: path, depth: depth)
  }

  private func plain(_ value: Any) -> UserInfoValue? {
    switch value {
    case is NSNull: .null
    case let text as String: .text(text)
    case let data as Data: .bytes(Array(data))
    case let date as Date: .date(date.timeIntervalSince1970)
    case let url as URL: .url(url.absoluteString)
    case let uuid as UUID: .uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case let number as NSNumber: self.number(number)
    default: nil
    }
  }

  private func number(_ number: NSNumber) -> UserInfoValue? {
    switch String(cString: number.objCType) {
    case "c", "B": .bool(number.boolValue)
    case "d", "f": number.doubleValue.isFinite ? .double(number.doubleValue) : nil
    case "Q": Int64(exactly: number.uint64Value).map(UserInfoValue.int) ?? .double(number.doubleValue)
    default: .int(number.int64Value)
    }
  }

  private mutating func container(_ value: Any, at path: [String], depth: Int) -> UserInfoValue? {
    if let entries = value as? [AnyHashable: Any] { return .map(map(entries, at: path, depth: depth)) }
    if let set = value as? Set<AnyHashable> {
      return .set(Set(list(set.map(\.base), at: path, depth: depth)))
    }
    if let elements = value as? [Any] { return .array(list(elements, at: path, depth: depth)) }
    omit(path, "is a \(type(of: value)), which cannot travel")
    return nil
  }

  private mutating func list(_ elements: [Any], at path: [String], depth: Int) -> [UserInfoValue] {
    guard elements.count <= UserInfoBridge.entryLimit else {
      omit(path, "has \(elements.count) entries; at most \(UserInfoBridge.entryLimit) can travel")
      return []
    }
    var result: [UserInfoValue] = []
    for (index, element) in elements.enumerated() {
      if let value = convert(element, at: path + ["\(index)"], depth: depth + 1) { result.append(value) }
    }
    return result
  }

  private mutating func omit(_ path: [String], _ fault: String) {
    let subject = path.joined(separator: ".")
    let description = "userInfo.\(subject) \(fault); it was left out."
    faults.append(ContinuityError(.invalidRequest, subject: subject, description))
  }
}
