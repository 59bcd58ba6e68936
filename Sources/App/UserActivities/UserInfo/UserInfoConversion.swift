// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation

/// One conversion; counts what it has seen, so that a payload cannot grow beyond what a record carries.
struct UserInfoConversion {
  /// What is converted, as sentences begin: `userInfo`.
  let root: String
  var faults: [ContinuityError] = []
  private var count = 0

  init(root: String) { self.root = root }

  mutating func map(_ info: [AnyHashable: Any]) -> UserInfo {
    guard fits(info.count, at: []) else { return [:] }
    return map(info.map { (key: $0.key, value: $0.value) }, at: [], depth: 0)
  }

  private mutating func map(
    _ entries: [(key: AnyHashable, value: Any)], at path: [String], depth: Int
  ) -> UserInfo {
    var result: UserInfo = [:]
    for (key, value) in entries {
      let here = path + [Self.name(of: key.base)]
      guard let key = convert(key.base, at: here, depth: depth + 1),
        let value = convert(value, at: here, depth: depth + 1)
      else { continue }
      result[key] = value
    }
    return result
  }

  private mutating func convert(_ value: Any, at path: [String], depth: Int) -> UserInfoValue? {
    count += 1
    guard count <= UserInfoBridge.valueLimit else {
      // Said once: a large container would say it for each of its values.
      if count == UserInfoBridge.valueLimit + 1 {
        omit(path, "and what follows it exceed \(UserInfoBridge.valueLimit) values")
      }
      return nil
    }
    guard depth <= UserInfoBridge.depthLimit else {
      omit(path, "is nested too deeply")
      return nil
    }
    switch UserInfoShape(value) {
    case .leaf(let value): return convert(Leaf(value), value, at: path)
    case .object(let object): return convert(Leaf(object: object), value, at: path)
    case .container(let container): return convert(container, at: path, depth: depth)
    case .objectContainer:
      // What an app sets was copied; this came from elsewhere.
      guard let copy = UserInfoCopy.value(value) as? any UserInfoContainer else {
        omit(path, "is nested too deeply, or too large")
        return nil
      }
      return convert(copy, at: path, depth: depth)
    }
  }

  private mutating func convert(_ leaf: Leaf, _ value: Any, at path: [String]) -> UserInfoValue? {
    switch leaf {
    case .value(let value): return value
    case .fault(let fault): omit(path, fault)
    case .none: omit(path, "is a \(type(of: value)), which cannot travel")
    }
    return nil
  }

  private mutating func convert(
    _ container: any UserInfoContainer, at path: [String], depth: Int
  ) -> UserInfoValue? {
    guard fits(container.count, at: path) else { return nil }
    return switch container.members {
    case .map(let entries): .map(map(entries, at: path, depth: depth))
    case .set(let elements): .set(Set(list(elements.map(\.base), at: path, depth: depth)))
    case .array(let elements): .array(list(elements, at: path, depth: depth))
    }
  }

  private mutating func list(_ elements: [Any], at path: [String], depth: Int) -> [UserInfoValue] {
    var result: [UserInfoValue] = []
    for (index, element) in elements.enumerated() {
      if let value = convert(element, at: path + ["\(index)"], depth: depth + 1) { result.append(value) }
    }
    return result
  }

  private mutating func fits(_ count: Int, at path: [String]) -> Bool {
    if count <= UserInfoBridge.entryLimit { return true }
    omit(path, "has \(count) entries; at most \(UserInfoBridge.entryLimit) can travel")
    return false
  }

  private mutating func omit(_ path: [String], _ fault: String) {
    let subject = path.joined(separator: ".")
    let place = subject.isEmpty ? root : "\(root).\(subject)"
    faults.append(
      ContinuityError(.invalidRequest, subject: subject, description: "\(place) \(fault); it was left out."))
  }

  /// A key as a sentence names it. Printing is not safe for every key: a date that is no number traps.
  private static func name(of key: Any) -> String {
    switch key {
    case let text as String: String(text.prefix(64))
    case let number as any BinaryInteger: "\(number)"
    default: "(a key of type \(type(of: key)))"
    }
  }
}

/// What a value becomes that is no container.
private enum Leaf {
  case value(UserInfoValue)
  case fault(String)
  case none

  init(_ value: Any) {
    switch value {
    case let omission as UserInfoOmission: self = .fault(omission.fault)
    case let text as String: self = .value(.text(text))
    case let flag as Bool: self = .value(.bool(flag))
    case let data as Data: self = .value(.bytes(Array(data)))
    case let date as Date: self = Self.date(date.timeIntervalSince1970)
    case let url as URL: self = .value(.url(url.absoluteString))
    case let uuid as UUID: self = .value(.uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
    case let decimal as Decimal: self = Self.decimal(decimal)
    case let whole as any BinaryInteger: self = Self.integer(whole)
    case let real as any BinaryFloatingPoint: self = Self.floating(real)
    default: self = .none
    }
  }

  /// An object's own class counts: to Swift's casts the number 1 is true as well.
  init(object: AnyObject) {
    switch object {
    case is NSNull: self = .value(.null)
    case let number as NSNumber: self = Self.number(number)
    case let text as NSString: self.init(text as String)
    case let data as NSData: self.init(Data(referencing: data))
    case let date as NSDate: self.init(date as Date)
    case let url as NSURL: self.init(url as URL)
    case let uuid as NSUUID: self.init(uuid as UUID)
    default: self = .none
    }
  }

  private static func date(_ seconds: Double) -> Leaf {
    seconds.isFinite ? .value(.date(seconds)) : .fault("is a date that is not finite")
  }

  /// Small negative numbers have the code of a Boolean, but not its class.
  private static let boolean = type(of: NSNumber(value: true))

  private static func number(_ number: NSNumber) -> Leaf {
    if type(of: number) == boolean { return .value(.bool(number.boolValue)) }
    if let number = number as? NSDecimalNumber { return decimal(number.decimalValue) }
    return switch String(cString: number.objCType) {
    case "d", "f": floating(number.doubleValue)
    case "Q": integer(number.uint64Value)
    default: .value(.int(number.int64Value))
    }
  }

  private static func integer(_ number: some BinaryInteger) -> Leaf {
    if let whole = Int64(exactly: number) { return .value(.int(whole)) }
    if let real = Double(exactly: number) { return .value(.double(real)) }
    return .fault("is \(number), which no 64 bits hold exactly: carry it as text")
  }

  private static func floating(_ number: some BinaryFloatingPoint) -> Leaf {
    guard number.isFinite else { return .fault("is a number that is not finite") }
    guard let real = Double(exactly: number) else {
      return .fault("is \(number), which no 64 bits hold exactly: carry it as text")
    }
    return .value(.double(real))
  }

  /// A decimal travels as the number that prints and reads as the same decimal.
  private static func decimal(_ number: Decimal) -> Leaf {
    let text = "\(number)"
    if let whole = Int64(text) { return .value(.int(whole)) }
    if let real = Double(text), real.isFinite, Decimal(string: "\(real)") == number {
      return .value(.double(real))
    }
    return .fault("is the decimal \(text), which no 64 bits hold exactly: carry it as text")
  }
}
