// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

/// Reads the members of an object, each with a sentence for what is missing or wrong. Null counts as absent.
struct Members {
  let json: [String: JSONValue]
  /// What the object is, for a sentence: "document/open".
  let owner: String

  /// Absent parameters are an empty object. Throws for an array or a single value.
  init(_ json: JSONValue?, of owner: String) throws(RPCError) {
    self.owner = owner
    switch json {
    case nil, .null?: self.json = [:]
    case .object(let members)?: self.json = members
    case let other?:
      throw RPCError(RPCError.Code.invalidParams, message: "\(owner) takes an object, not \(other.kind).")
    }
  }

  func has(_ name: String) -> Bool { value(name) != nil }

  func value(_ name: String) -> JSONValue? {
    guard let value = json[name], value != .null else { return nil }
    return value
  }

  func fault(_ name: String, _ wanted: String) -> RPCError {
    let found = value(name).map { $0.kind == wanted ? "another one" : $0.kind } ?? "nothing"
    return RPCError(
      RPCError.Code.invalidParams, message: "The member \(name) of \(owner) is \(wanted); \(found) was given."
    )
  }

  func text(_ name: String) throws(RPCError) -> String {
    guard let text = try optionalText(name) else { throw fault(name, "a string") }
    return text
  }

  func optionalText(_ name: String) throws(RPCError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value else { throw fault(name, "a string") }
    return text
  }

  func flag(_ name: String) throws(RPCError) -> Bool {
    guard let flag = try optionalFlag(name) else { throw fault(name, "a Boolean") }
    return flag
  }

  func optionalFlag(_ name: String) throws(RPCError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw fault(name, "a Boolean") }
    return flag
  }

  /// From 0; what no counter reaches is the largest.
  func count(_ name: String) throws(RPCError) -> Int {
    guard let count = try optionalCount(name) else { throw fault(name, "a whole number from 0") }
    return count
  }

  func optionalCount(_ name: String) throws(RPCError) -> Int? {
    switch value(name) {
    case nil: return nil
    case .int(let number)? where number >= 0: return Int(min(number, Int64(Int32.max)))
    case .double(let number)? where number >= Double(Int32.max): return Int(Int32.max)
    default: throw fault(name, "a whole number from 0")
    }
  }

  func uri(_ name: String) throws(RPCError) -> FileURI {
    guard let text = try optionalText(name), let uri = FileURI(text) else {
      throw fault(name, "a file: URI with an absolute path, as file:///home/me/plan.md")
    }
    return uri
  }

  func texts(_ name: String) throws(RPCError) -> [String] {
    guard let value = value(name) else { return [] }
    guard case .array(let elements) = value else { throw fault(name, "an array of strings") }
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else { throw fault(name, "an array of strings") }
      texts.append(text)
    }
    return texts
  }

  func objects(_ name: String) throws(RPCError) -> [Members] {
    guard let value = value(name) else { return [] }
    guard case .array(let elements) = value else { throw fault(name, "an array of objects") }
    var objects: [Members] = []
    for element in elements { objects.append(try Members(element, of: "\(owner) (\(name))")) }
    return objects
  }

  func object(_ name: String) throws(RPCError) -> Members {
    guard has(name) else { throw fault(name, "an object") }
    return try Members(value(name), of: name)
  }

  func optionalObject(_ name: String) throws(RPCError) -> Members? { has(name) ? try object(name) : nil }

  func identifier<Kind>(_ name: String) throws(RPCError) -> Identifier<Kind> {
    guard let text = try optionalText(name), let identifier = Identifier<Kind>(hex: text) else {
      throw fault(name, "an ID that the server gave")
    }
    return identifier
  }

  func userInfo(_ name: String) throws(RPCError) -> UserInfo? {
    guard let value = value(name) else { return nil }
    do {
      return try UserInfo(json: value)
    } catch {
      throw RPCError(RPCError.Code.invalidParams, message: "\(owner): \(error.description)")
    }
  }
}
