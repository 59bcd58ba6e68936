// SPDX-License-Identifier: MIT

import Synchronization

/// What a handle names; its highest byte.
enum HandleKind: UInt64 {
  case session = 1
  case document = 2
  case activity = 3
  case offer = 4
  case continuation = 5
  case fileVersion = 6
  case streams = 7
  case deletion = 8
}

/// Handles count through the whole process and never begin anew: one of another session, and one of something
/// that ended, name nothing.
enum Handles {
  private static let last = Atomic<UInt64>(0)

  static func next(_ kind: HandleKind) -> UInt64 {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    return kind.rawValue << 56 | number & 0x00FF_FFFF_FFFF_FFFF
  }
}

/// The handles of one kind in one session.
struct HandleTable<Value: Hashable> {
  let kind: HandleKind
  private var values: [UInt64: Value] = [:]
  private var handles: [Value: UInt64] = [:]

  init(_ kind: HandleKind) { self.kind = kind }

  subscript(_ handle: UInt64) -> Value? { values[handle] }

  var all: [Value] { Array(handles.keys) }

  /// Its handle; a fresh one when it has none.
  mutating func handle(of value: Value) -> UInt64 {
    if let known = handles[value] { return known }
    let handle = Handles.next(kind)
    values[handle] = value
    handles[value] = handle
    return handle
  }

  /// Its handle; nil when the host was never told of it.
  func known(_ value: Value) -> UInt64? { handles[value] }

  mutating func drop(_ value: Value) {
    guard let handle = handles.removeValue(forKey: value) else { return }
    values[handle] = nil
  }
}
