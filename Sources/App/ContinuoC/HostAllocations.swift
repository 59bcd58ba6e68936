// SPDX-License-Identifier: MIT

import CContinuo
import Glibc

/// What was given out to the host and is the session's to free: what came up in a callback when that returns,
/// all else at the next dispatch.
struct HostAllocations {
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Where `release(to:)` goes back to.
  var mark: Int { blocks.count }

  mutating func release(to mark: Int = 0) {
    for block in blocks[min(mark, blocks.count)...] { Glibc.free(block) }
    blocks.removeSubrange(min(mark, blocks.count)...)
  }

  mutating func text(_ bytes: [UInt8]) -> continuo_text {
    let text = Self.copy(bytes)
    if !bytes.isEmpty { blocks.append(UnsafeMutableRawPointer(mutating: text.bytes)) }
    return text
  }

  mutating func text(_ text: String) -> continuo_text { self.text(Array(text.utf8)) }

  /// A struct, or several in a row, at an address of their own.
  mutating func values<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value>? {
    let size = MemoryLayout<Value>.stride * values.count
    guard size > 0, let block = malloc(size) else { return nil }
    blocks.append(block)
    values.withUnsafeBytes {
      block.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(block), byteCount: size)
    }
    return UnsafePointer(block.bindMemory(to: Value.self, capacity: values.count))
  }

  mutating func value<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value>? { values([value]) }

  // MARK: Copies without an owner

  /// A zero byte, for all empty texts. Written once, and never again.
  nonisolated(unsafe) static let empty: continuo_text = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return continuo_text(bytes: UnsafePointer(byte), length: 0)
  }()

  /// The bytes with a zero byte behind them; freed by `free`.
  static func copy(_ bytes: [UInt8]) -> continuo_text {
    guard !bytes.isEmpty, let block = malloc(bytes.count + 1) else { return empty }
    let copy = block.bindMemory(to: UInt8.self, capacity: bytes.count + 1)
    bytes.withUnsafeBufferPointer {
      copy.update(from: $0.baseAddress ?? UnsafePointer(copy), count: bytes.count)
    }
    copy[bytes.count] = 0
    return continuo_text(bytes: UnsafePointer(copy), length: bytes.count)
  }

  static func free(_ text: continuo_text) {
    guard text.length > 0 else { return }
    Glibc.free(UnsafeMutableRawPointer(mutating: text.bytes))
  }
}
