// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import ContinuoC

/// What a host hands in through the C door: structs of any size, lengths of any number, handles of anything.
///
/// Of a host's memory exactly as much is there as it says, so that Address Sanitizer sees whoever reads more.
/// The agent is not asked: what needs it is called at random by `make asan`.
struct DoorTarget: FuzzTarget {
  static let name = "door"
  static let longest = 1024
  static let words =
    ["org.example.editor", "public.text-editing", "/usr/bin/editor", "md", "*", ".md", "a/b", "{\"a\":1}"]
    .map { Array($0.utf8) } + [[0xff, 0xff], [0, 8], [0, 80], [0, 88], [0xff]]

  func seeds() throws -> [[UInt8]] {
    func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + text.utf8 }
    let app = [0, 88] + text("org.example.editor") + text("Editor") + text("/usr/bin/editor") + [2]
    let calls: [[UInt8]] = [
      [0] + text("public.text-editing"),
      [1, 0, 56] + text("Text") + text("public.text-editing") + [2] + text("md") + text("*"),
      [2] + text("/etc/none"), [3], [4], [5], [6] + text("k") + text("v"), [7] + text("{}"), [8, 1],
    ]
    return [app + calls.flatMap(\.self)] + calls.map { app + $0 } + [
      [0, 8], [1, 0], [0xff, 0xff] + text("a"),
    ]
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    var memory = HostMemory()
    defer { memory.free() }
    var session: continuo_session = 0
    let app = Self.app(&reader, &memory)
    try Self.told(continuoSessionCreate(app, nil, &session), by: "session_create")
    // Calls go on without a session, too.
    for _ in 0..<16 where !reader.isAtEnd { try Self.call(session, &reader, &memory) }
    let status = continuoSessionDestroy(session, 0)
    try Self.told(status, by: "session_destroy")
    try expect((status == 0) == (session != 0), "a session ends that was not made, or one that was made not")
    try expect(continuoSessionDestroy(session, 0) != 0, "a session ends twice")
  }

  /// A status is one of the header's, and each failure has a sentence.
  private static func told(_ status: continuo_status, by call: String) throws {
    try expect((0...Int32(CONTINUO_ERROR_SYSTEM)).contains(status), "\(call) returned \(status)")
    guard status != 0 else { return }
    var sentence = continuo_text()
    try expect(continuoLastError(&sentence) == status, "the last error is another one than \(call) returned")
    let bytes = UnsafeBufferPointer(start: sentence.bytes, count: sentence.length)
    let text = String(validating: bytes, as: UTF8.self)
    try expect(text?.isEmpty == false, "a failure of \(call) has no sentence")
  }

  private static func app(_ reader: inout InputReader, _ memory: inout HostMemory) -> UnsafePointer<
    continuo_app
  >? {
    let size = reader.word()
    var app = continuo_app()
    app.identifier = text(&reader, &memory)
    app.name = text(&reader, &memory)
    app.program = text(&reader, &memory)
    app.columns = continuo_columns(reader.byte())
    return memory.hold(app, saying: size)
  }

  /// Bytes and their number, or a number that no memory stands behind and every limit refuses.
  private static func text(_ reader: inout InputReader, _ memory: inout HostMemory) -> continuo_text {
    switch reader.choice(of: 4) {
    case 1: return continuo_text(bytes: nil, length: Int(reader.byte()))
    case 2: return continuo_text(bytes: memory.hold([1]), length: Int.min + Int(reader.byte()))
    case 3: return continuo_text(bytes: memory.hold([1]), length: Int.max - Int(reader.byte()))
    default:
      let bytes = reader.counted()
      return continuo_text(bytes: memory.hold(bytes), length: bytes.count)
    }
  }

  private static func call(
    _ session: continuo_session, _ reader: inout InputReader, _ memory: inout HostMemory
  ) throws {
    let handle = UInt64(reader.byte()) << 56 | UInt64(reader.rest.count)
    switch reader.choice(of: 9) {
    case 0:
      let type = text(&reader, &memory)
      try told(continuoDeclareActivityType(session, type.bytes, type.length), by: "declare_activity_type")
    case 1: try declareDocumentType(session, &reader, &memory)
    case 2:
      let path = text(&reader, &memory)
      // No file of this machine is read.
      guard path.bytes == nil || path.length <= 0 || path.length > 4095 || path.bytes?.pointee != 47 else {
        return
      }
      try told(continuoDeclareInfoPlist(session, path.bytes, path.length), by: "declare_info_plist")
    case 3: try told(continuoDispatch(session), by: "dispatch")
    case 4:
      try expect(continuoDescriptor(session) == -1, "a session that is not connected has a descriptor")
      var isConnected: Int32 = 7
      let status = continuoIsConnected(session, &isConnected)
      try told(status, by: "is_connected")
      try expect(isConnected == (status == 0 ? 0 : 7), "a session is connected to nothing")
    case 5:
      var count = 7
      try told(continuoFolderCount(session, &count), by: "folder_count")
      try expect(count == 7, "a call that failed changed something")
    case 6:
      let (key, value) = (text(&reader, &memory), text(&reader, &memory))
      let status = continuoActivitySetText(session, handle, key.bytes, key.length, value.bytes, value.length)
      try told(status, by: "activity_set_text")
      try expect(status != 0, "an activity was changed that was never made")
    case 7:
      let json = text(&reader, &memory)
      let status = continuoActivitySetUserInfoJSON(session, handle, json.bytes, json.length)
      try told(status, by: "activity_set_user_info_json")
      try expect(status != 0, "an activity was changed that was never made")
    default: try told(continuoSessionDestroy(handle, 0), by: "session_destroy")
    }
  }

  private static func declareDocumentType(
    _ session: continuo_session, _ reader: inout InputReader, _ memory: inout HostMemory
  ) throws {
    let size = reader.word()
    var type = continuo_document_type()
    type.name = text(&reader, &memory)
    type.activity_type = text(&reader, &memory)
    let count = reader.choice(of: 8)
    let extensions = (0..<count).map { _ in text(&reader, &memory) }
    type.extensions = memory.hold(extensions)
    // What is beyond the limit is never looked at.
    type.extension_count = reader.choice(of: 16) == 15 ? Int.min + count : count
    let status = continuoDeclareDocumentType(session, memory.hold(type, saying: size))
    try told(status, by: "declare_document_type")
  }
}

/// Memory of a host, to the byte.
struct HostMemory {
  private var held: [UnsafeMutableRawPointer] = []

  private mutating func allocate(_ count: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: alignment)
    held.append(memory)
    return memory
  }

  /// Nil for none.
  mutating func hold(_ bytes: [UInt8]) -> UnsafePointer<UInt8>? {
    guard !bytes.isEmpty else { return nil }
    let memory = allocate(bytes.count, alignment: 1)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
  }

  /// Nil for none.
  mutating func hold(_ texts: [continuo_text]) -> UnsafePointer<continuo_text>? {
    guard !texts.isEmpty else { return nil }
    let memory = allocate(texts.count * MemoryLayout<continuo_text>.stride, alignment: 8)
    memory.copyMemory(from: texts, byteCount: texts.count * MemoryLayout<continuo_text>.stride)
    return UnsafePointer(memory.assumingMemoryBound(to: continuo_text.self))
  }

  /// A struct whose first word says that it has `size` bytes: so many are there, its own size where that is a
  /// lie that must be refused, and nothing behind them. Size 1 is no struct at all.
  mutating func hold<Value: BitwiseCopyable>(_ value: Value, saying size: Int) -> UnsafePointer<Value>? {
    if size == 1 { return nil }
    let isTaken = size >= 8 && size % 8 == 0
    let there = isTaken ? size : MemoryLayout<Int>.size
    let memory = allocate(there, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: there)
    withUnsafeBytes(of: value) { bytes in
      guard let start = bytes.baseAddress else { return }
      memory.copyMemory(from: start, byteCount: min(there, bytes.count))
    }
    memory.storeBytes(of: size, as: Int.self)
    return UnsafePointer(memory.assumingMemoryBound(to: Value.self))
  }

  mutating func free() {
    for memory in held { memory.deallocate() }
    held = []
  }
}
