// SPDX-License-Identifier: MIT

/// One value of an XML property list, and the line on which it begins.
struct PropertyListEntry: Hashable, Sendable {
  var line: Int
  var value: Value

  enum Value: Hashable, Sendable {
    case string(String)
    case array([PropertyListEntry])
    case dictionary([PropertyListMember])
    /// What no key of a manifest holds, by its element: a number, a date, data or a Boolean.
    case other(String)
  }
}

/// One key of a dictionary and what it holds. A key may be there twice; who reads it decides about that.
struct PropertyListMember: Hashable, Sendable {
  var key: String
  var line: Int
  var entry: PropertyListEntry
}

/// The part of XML that property lists are made of, read in one pass that knows its line.
///
/// Total and linear: any bytes give a value or a fault, nothing is looked up or expanded, and no element
/// nests deeper than `depthLimit`. Who calls limits the size and has checked that the bytes are UTF-8.
package struct PropertyListReader {
  /// The deepest nesting of elements: values are read by recursion, and a small thread's stack ends soon.
  static let depthLimit = 24

  /// What is wrong, and where.
  package struct Fault: Error, Hashable {
    package var line: Int
    package var description: String
  }

  /// The value that the whole text holds.
  static func read(_ bytes: some Sequence<UInt8>) throws(Fault) -> PropertyListEntry {
    var reader = Self(XMLCursor(bytes))
    return try reader.document()
  }

  private var cursor: XMLCursor

  private init(_ cursor: XMLCursor) { self.cursor = cursor }

  private mutating func document() throws(Fault) -> PropertyListEntry {
    let root = try cursor.tag(expecting: "<plist>")
    guard root.form == .open, root.name == "plist" else {
      throw Fault(line: root.line, description: "\(root.shown) stands where <plist> is expected")
    }
    let entry = try value(try cursor.tag(expecting: "a value"), depth: 2)
    let end = try cursor.tag(expecting: "</plist>")
    guard end.form == .close, end.name == "plist" else {
      throw Fault(line: end.line, description: "\(end.shown) stands where </plist> is expected")
    }
    try cursor.expectEnd()
    return entry
  }

  /// The value that begins with `tag`.
  private mutating func value(_ tag: XMLTag, depth: Int) throws(Fault) -> PropertyListEntry {
    guard depth <= Self.depthLimit else {
      throw Fault(
        line: tag.line,
        description: "nested deeper than \(Self.depthLimit) levels, which no key of a manifest needs")
    }
    guard tag.form != .close else {
      throw Fault(line: tag.line, description: "\(tag.shown) stands where a value is expected")
    }
    return PropertyListEntry(line: tag.line, value: try content(of: tag, depth: depth))
  }

  private mutating func content(of tag: XMLTag, depth: Int) throws(Fault) -> PropertyListEntry.Value {
    let isEmpty = tag.form == .empty
    switch tag.name {
    case "string": return .string(isEmpty ? "" : try cursor.text(of: tag))
    case "array": return .array(isEmpty ? [] : try elements(of: tag, depth: depth))
    case "dict": return .dictionary(isEmpty ? [] : try members(of: tag, depth: depth))
    case "integer", "real", "date", "data", "true", "false":
      if !isEmpty { _ = try cursor.text(of: tag) }
      return .other(tag.name)
    default:
      throw Fault(
        line: tag.line,
        description: "\(tag.shown) is no element of a property list; <string>, <array> or <dict> is expected")
    }
  }

  private mutating func elements(of array: XMLTag, depth: Int) throws(Fault) -> [PropertyListEntry] {
    var elements: [PropertyListEntry] = []
    while true {
      let tag = try cursor.tag(expecting: "</array>", for: array)
      if tag.form == .close, tag.name == "array" { return elements }
      if tag.form == .close {
        throw Fault(line: tag.line, description: Self.mismatch(tag, expected: "</array>", array))
      }
      elements.append(try value(tag, depth: depth + 1))
    }
  }

  private mutating func members(of dictionary: XMLTag, depth: Int) throws(Fault) -> [PropertyListMember] {
    var members: [PropertyListMember] = []
    while true {
      let tag = try cursor.tag(expecting: "<key> or </dict>", for: dictionary)
      if tag.form == .close, tag.name == "dict" { return members }
      guard tag.name == "key", tag.form != .close else {
        throw Fault(line: tag.line, description: Self.mismatch(tag, expected: "<key> or </dict>", dictionary))
      }
      let key = tag.form == .empty ? "" : try cursor.text(of: tag)
      let next = try cursor.tag(expecting: "the value of \(XMLCursor.shown(key))", for: dictionary)
      guard next.form != .close, next.name != "key" else {
        throw Fault(
          line: next.line,
          description: "\(next.shown) stands where the value of \(XMLCursor.shown(key)) is expected")
      }
      members.append(
        PropertyListMember(key: key, line: tag.line, entry: try value(next, depth: depth + 1)))
    }
  }

  private static func mismatch(_ tag: XMLTag, expected: String, _ opened: XMLTag) -> String {
    "\(tag.shown) stands where \(expected) is expected, for the \(opened.shown) of line \(opened.line)"
  }
}
