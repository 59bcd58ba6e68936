// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import Glibc
import TextAnchors

/// What a host hands in, before anything believes it.
enum Arguments {
  /// The most bytes of a path.
  static let pathLimit = 4095

  /// The bytes, copied. Lengths come as `size_t`, of which the upper half is negative here.
  static func bytes(
    _ bytes: UnsafePointer<UInt8>?, _ length: Int, _ name: String, limit: Int
  ) throws(Refusal) -> [UInt8] {
    guard length != 0 else { return [] }
    guard length > 0, length <= limit else {
      throw .limit("\(name) has \(UInt(bitPattern: length)) bytes and may have \(limit).")
    }
    guard let bytes else { throw .null(name) }
    return Array(UnsafeBufferPointer(start: bytes, count: length))
  }

  static func text(
    _ bytes: UnsafePointer<UInt8>?, _ length: Int, _ name: String, limit: Int
  ) throws(Refusal) -> String {
    guard let text = String(validating: try self.bytes(bytes, length, name, limit: limit), as: UTF8.self)
    else { throw .argument("\(name) is not UTF-8; convert it before.") }
    return text
  }

  static func text(_ text: continuo_text, _ name: String, limit: Int) throws(Refusal) -> String {
    try self.text(text.bytes, text.length, name, limit: limit)
  }

  /// At most `limit` texts, of `bytes` bytes each.
  static func texts(
    _ texts: UnsafePointer<continuo_text>?, _ count: Int, _ name: String, limit: Int, bytes: Int
  ) throws(Refusal) -> [String] {
    guard (0...limit).contains(count) else { throw .limit("At most \(limit) \(name) can be given.") }
    guard texts != nil || count == 0 else { throw .null(name) }
    var given: [String] = []
    for text in UnsafeBufferPointer(start: texts, count: count) {
      given.append(try self.text(text, name, limit: bytes))
    }
    return given
  }

  static func key(_ bytes: UnsafePointer<UInt8>?, _ length: Int) throws(Refusal) -> UserInfoValue {
    let key = try text(bytes, length, "key", limit: 1024)
    guard !key.isEmpty else { throw .argument("The key is empty; name the value.") }
    return .text(key)
  }

  static func path(
    _ bytes: UnsafePointer<UInt8>?, _ length: Int, _ name: String = "path"
  ) throws(Refusal) -> [UInt8] {
    let path = try self.bytes(bytes, length, name, limit: pathLimit)
    guard path.first == UInt8(ascii: "/"), !path.contains(0) else {
      let shown = DisplayText.shown(path.prefix(200))
      throw .argument("\(name) “\(shown)” is no absolute path; give it from the root, without zero bytes.")
    }
    return path
  }

  /// A struct as far as both sides know it; the rest is zero. Nothing is read beyond the host's size.
  static func load<Value: BitwiseCopyable>(
    _ pointer: UnsafePointer<Value>?, into value: inout Value, _ name: String
  ) throws(Refusal) {
    let size = try checkedSize(pointer, name)
    withUnsafeMutableBytes(of: &value) { bytes in
      guard let pointer, let start = bytes.baseAddress else { return }
      start.copyMemory(from: pointer, byteCount: min(size, bytes.count))
    }
  }

  /// Gives a struct out as far as the host knows it; its size stays the host's, and what only the host
  /// knows is zero.
  static func store<Value: BitwiseCopyable>(
    _ value: Value, to pointer: UnsafeMutablePointer<Value>?, _ name: String
  ) throws(Refusal) {
    let size = try checkedSize(pointer.map { UnsafePointer($0) }, name)
    withUnsafeBytes(of: value) { bytes in
      guard let pointer, let start = bytes.baseAddress else { return }
      let own = MemoryLayout<Int>.size
      let known = min(size, bytes.count)
      let target = UnsafeMutableRawPointer(pointer)
      (target + own).copyMemory(from: start + own, byteCount: known - own)
      if size > known { memset(target + known, 0, size - known) }
    }
  }

  /// Members are never cut in two: all sizes are whole words.
  static func checkedSize<Value>(_ pointer: UnsafePointer<Value>?, _ name: String) throws(Refusal) -> Int {
    guard let pointer else { throw .null(name) }
    let size = UnsafeRawPointer(pointer).loadUnaligned(as: Int.self)
    guard size >= MemoryLayout<Int>.size, size <= 65536, size % MemoryLayout<Int>.alignment == 0 else {
      throw .argument("The size of \(name) is \(UInt(bitPattern: size)); set it to sizeof.")
    }
    return size
  }

  static func unit(_ columns: continuo_columns) throws(Refusal) -> ColumnUnit {
    switch Int(columns) {
    case CONTINUO_COLUMNS_UTF8: return .utf8
    case CONTINUO_COLUMNS_UTF16: return .utf16
    case CONTINUO_COLUMNS_SCALARS: return .scalars
    default: throw .argument("columns is \(columns); use one of CONTINUO_COLUMNS_….")
    }
  }

  static func choice(_ choice: continuo_choice) throws(Refusal) -> ArrivalChoice {
    guard choice >= 0, let known = ArrivalChoice(rawValue: UInt64(choice)) else {
      throw .argument("choice is \(choice); use one of CONTINUO_CHOICE_….")
    }
    return known
  }

  /// Where a file ends nobody's lines or columns do: what is larger is the same.
  static func index(_ number: Int64) -> Int { Int(min(max(0, number), Int64(Int32.max))) }

  // MARK: Declarations

  /// The most types of either sort that an app declares.
  static let declarationLimit = 256

  static func activityType(_ bytes: UnsafePointer<UInt8>?, _ length: Int) throws(Refusal) -> String {
    let type = try text(bytes, length, "type", limit: 256)
    guard !type.isEmpty else { throw .argument("The activity type is empty; use one in reverse-DNS form.") }
    return type
  }

  static func documentType(
    _ pointer: UnsafePointer<continuo_document_type>?
  ) throws(Refusal) -> AppManifest.DocumentType {
    var given = continuo_document_type()
    try load(pointer, into: &given, "type")
    guard (0...declarationLimit).contains(given.extension_count) else {
      throw .limit("A type of documents may have \(declarationLimit) extensions.")
    }
    var extensions: [String] = []
    guard given.extensions != nil || given.extension_count == 0 else { throw .null("extensions") }
    for each in UnsafeBufferPointer(start: given.extensions, count: given.extension_count) {
      let text = try text(each, "extension", limit: 255)
      guard !text.isEmpty, !text.hasPrefix("."), !text.contains("/") else {
        throw .argument("“\(text)” is no extension; write it without the dot, or * for every file.")
      }
      extensions.append(text)
    }
    let name = try text(given.name, "name", limit: 256)
    var type = AppManifest.DocumentType(name: name.isEmpty ? extensions.first ?? "document" : name)
    type.extensions = extensions
    type.activityType = try activityType(given.activity_type.bytes, given.activity_type.length)
    return type
  }
}
