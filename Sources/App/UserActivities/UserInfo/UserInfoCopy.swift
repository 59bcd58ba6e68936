// SPDX-License-Identifier: MIT

import Foundation

/// Copies in what an app hands over, so that a container changed afterwards changes nothing that was set
/// (semantics 4).
///
/// Swift's containers are values already; only objects are copied, and become Swift's containers. Objects can
/// hold themselves, and Foundation's own conversion would follow them for ever: what lies deeper than a
/// payload may be, or is one value too many, is replaced by an `UserInfoOmission`, which is told as a fault.
enum UserInfoCopy {
  static func info(_ info: [AnyHashable: Any]) -> [AnyHashable: Any] {
    var walk = UserInfoWalk()
    return info.mapValues { walk.copy($0, depth: 1) }
  }

  static func value(_ value: Any) -> Any {
    var walk = UserInfoWalk()
    return walk.copy(value, depth: 1)
  }
}

/// Stands where a copied container went too deep or became too large.
struct UserInfoOmission: Hashable {
  var fault: String
}

private struct UserInfoWalk {
  private var count = 0

  init() {}

  mutating func copy(_ value: Any, depth: Int) -> Any {
    switch UserInfoShape(value) {
    case .leaf: return value
    case .object(let object): return copy(object, value)
    case .objectContainer(let object):
      guard depth <= UserInfoBridge.depthLimit else {
        return UserInfoOmission(fault: "is nested too deeply")
      }
      return contents(of: object, depth: depth)
    case .container(let container):
      // A value may be shared many times over: it is not looked through without end either.
      count += 1
      guard depth <= UserInfoBridge.depthLimit, count <= UserInfoBridge.valueLimit,
        container.count <= UserInfoBridge.entryLimit
      else { return value }
      return copy(container, depth: depth)
    }
  }

  private func copy(_ object: AnyObject, _ value: Any) -> Any {
    switch object {
    case let text as NSString: text as String
    case let data as NSMutableData: Data(referencing: data)
    default: value
    }
  }

  private mutating func copy(_ container: any UserInfoContainer, depth: Int) -> Any {
    switch container.members {
    case .array(let elements): elements.map { copy($0, depth: depth + 1) }
    case .set(let elements): Set(elements.compactMap { copy($0.base, depth: depth + 1) as? AnyHashable })
    case .map(let entries):
      Dictionary(entries.map { ($0.key, copy($0.value, depth: depth + 1)) }) { first, _ in first }
    }
  }

  /// `Mirror` shows the members as they are kept; every other way to them converts what they hold as well.
  private mutating func contents(of object: AnyObject, depth: Int) -> Any {
    let mirror = Mirror(reflecting: object)
    guard mirror.children.count <= UserInfoBridge.entryLimit else {
      let limit = UserInfoBridge.entryLimit
      return UserInfoOmission(fault: "has \(mirror.children.count) entries; at most \(limit) can travel")
    }
    var (keys, values): ([AnyHashable], [Any]) = ([], [])
    for child in mirror.children {
      count += 1
      guard count <= UserInfoBridge.valueLimit else {
        return UserInfoOmission(fault: "is more than \(UserInfoBridge.valueLimit) values")
      }
      if let (key, value) = child.value as? (key: NSObject, value: AnyObject) {
        guard let key = copy(key, depth: depth + 1) as? AnyHashable else { continue }
        keys.append(key)
        values.append(copy(value, depth: depth + 1))
      } else {
        values.append(copy(child.value, depth: depth + 1))
      }
    }
    if object is NSArray { return values }
    if object is NSSet { return Set(values.compactMap { $0 as? AnyHashable }) }
    return Dictionary(zip(keys, values)) { first, _ in first }
  }
}
