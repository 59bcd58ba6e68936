// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc

/// What came up a pipe, and when: taken in first and understood afterwards, so that understanding it is in
/// no figure.
@MainActor final class Arrivals {
  private let descriptor: Int32
  private(set) var bytes: [UInt8] = []
  private var chunks: [(end: Int, at: UInt64)] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// What was taken in so far no longer counts.
  func forget() {
    bytes.removeAll(keepingCapacity: true)
    chunks = []
  }

  /// Takes in what comes next; false at the end of the pipe. Throws when nothing comes for a long time.
  @discardableResult
  func read(_ what: String) throws -> Bool {
    guard Poll.wait(for: descriptor, until: .readable, atMost: .seconds(120)) else {
      throw Failure("\(what) was not told within two minutes")
    }
    let count = (try? BorrowedDescriptor(descriptor).read(into: &buffer)) ?? 0
    let moment = now()
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    chunks.append((bytes.count, moment))
    return true
  }

  /// Takes in until these bytes have come.
  func read(until pattern: [UInt8], _ what: String) throws {
    var searched = 0
    while !contains(pattern, from: searched) {
      searched = max(0, bytes.count - pattern.count)
      guard try read(what) else { throw Failure("\(what) was not told: the program ended") }
    }
  }

  /// Takes in everything, to the end of the pipe.
  func readAll(_ what: String) throws -> [UInt8] {
    while try read(what) {}
    return bytes
  }

  /// When the byte before `end` arrived.
  func moment(of end: Int) -> UInt64 {
    var (low, high) = (0, chunks.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].end < end { low = middle + 1 } else { high = middle }
    }
    return chunks.isEmpty ? 0 : chunks[low].at
  }

  /// Each line with the moment at which it was complete.
  func lines() -> [(text: Substring, at: UInt64)] {
    var found: [(Substring, UInt64)] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      found.append((Substring(decoding: bytes[start..<index], as: UTF8.self), moment(of: index + 1)))
      start = index + 1
    }
    return found
  }

  private func contains(_ pattern: [UInt8], from start: Int) -> Bool {
    guard let first = pattern.first else { return true }
    return bytes.withUnsafeBytes { all in
      var at = start
      while at + pattern.count <= all.count, let base = all.baseAddress,
        let found = memchr(base + at, Int32(first), all.count - at)
      {
        at = UnsafeRawPointer(found) - base
        guard at + pattern.count <= all.count else { return false }
        if memcmp(found, pattern, pattern.count) == 0 { return true }
        at += 1
      }
      return false
    }
  }
}
