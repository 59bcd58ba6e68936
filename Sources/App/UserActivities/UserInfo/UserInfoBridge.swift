// SPDX-License-Identifier: MIT

package import ActivityModel
import Foundation

/// `[AnyHashable: Any]` <-> `UserInfo` (semantics 3, 4).
package enum UserInfoBridge {
  package static let depthLimit = 8
  package static let entryLimit = 256
  package static let valueLimit = 2048

  /// What can travel of `info`, and an error per entry that cannot, naming its key path.
  /// `root` is what sentences call it.
  package static func portable(
    _ info: [AnyHashable: Any], root: String = "userInfo"
  ) -> (info: UserInfo, faults: [ContinuityError]) {
    var conversion = UserInfoConversion(root: root)
    let converted = conversion.map(info)
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
    case .array(let elements): AnyHashable(elements.compactMap(nativeKey))
    case .map(let entries): AnyHashable(nativeKeys(entries))
    default: native(value) as? AnyHashable
    }
  }

  private static func nativeKeys(_ entries: UserInfo) -> [AnyHashable: AnyHashable] {
    var result: [AnyHashable: AnyHashable] = [:]
    for (key, value) in entries {
      guard let key = nativeKey(key), let value = nativeKey(value) else { continue }
      result[key] = value
    }
    return result
  }

  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return nil }
    var value = UUID().uuid
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    return UUID(uuid: value)
  }
}
