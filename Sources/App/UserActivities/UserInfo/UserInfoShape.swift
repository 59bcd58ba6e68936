// SPDX-License-Identifier: MIT

import Foundation

/// What a value of `userInfo` is made of.
///
/// Asked by protocols and classes, never by casts between Swift's and Foundation's containers: such a cast
/// converts all that is inside, also when it fails, and never ends for an object that holds itself.
enum UserInfoShape {
  /// An object of Foundation's that is no container, or of a class that cannot travel.
  case object(AnyObject)
  /// A container that is an object.
  case objectContainer(AnyObject)
  /// A Swift container.
  case container(any UserInfoContainer)
  /// Any other Swift value.
  case leaf(Any)

  init(_ value: Any) {
    if let optional = value as? any UserInfoOptional, let wrapped = optional.wrapped {
      self.init(wrapped)
    } else if type(of: value) is AnyClass {
      let object = value as AnyObject
      self = Self.isContainer(object) ? .objectContainer(object) : .object(object)
    } else if let container = value as? any UserInfoContainer {
      self = .container(container)
    } else {
      self = .leaf(value)
    }
  }

  static func isContainer(_ object: AnyObject) -> Bool {
    object is NSDictionary || object is NSArray || object is NSSet
  }
}

/// Array, Set and Dictionary, of whatever elements.
protocol UserInfoContainer {
  var count: Int { get }
  var members: UserInfoMembers { get }
}

/// The members of a container, one level deep.
enum UserInfoMembers {
  case array([Any])
  case set([AnyHashable])
  case map([(key: AnyHashable, value: Any)])
}

extension Array: UserInfoContainer {
  var members: UserInfoMembers { .array(map { $0 }) }
}

extension Set: UserInfoContainer {
  var members: UserInfoMembers { .set(map { AnyHashable($0) }) }
}

extension Dictionary: UserInfoContainer {
  var members: UserInfoMembers { .map(map { (key: AnyHashable($0.key), value: $0.value) }) }
}

/// Lets a value be taken out of an optional that stands in an `Any`.
protocol UserInfoOptional {
  var wrapped: Any? { get }
}

extension Optional: UserInfoOptional {
  var wrapped: Any? { map { $0 } }
}
