// SPDX-License-Identifier: MIT

import LinuxSystem

/// What waits to be written to the editor. Never blocks, and leaves the descriptor's flags alone: others may
/// share them.
struct EditorOutput {
  /// Above this much, nothing more is read from the editor.
  static let patience = 1 << 20
  /// Above this much, the editor is given up.
  static let limit = 16 << 20

  private var bytes: [UInt8] = []
  private var sent = 0
  private var isSocket = true

  /// How many bytes wait.
  var count: Int { bytes.count - sent }

  mutating func append(_ frame: [UInt8]) {
    if sent == bytes.count { (bytes, sent) = ([], 0) }
    bytes += frame
  }

  /// Writes what `descriptor`, which poll(2) said has room, takes; false when nobody reads it any more.
  mutating func write(to descriptor: Int32) -> Bool {
    while count > 0 {
      do throws(Errno) {
        sent += try writeOnce(to: descriptor)
      } catch {
        return error == .wouldBlock
      }
      if sent > Self.patience { removeSent() }
      if !isSocket { return true }
    }
    return true
  }

  private mutating func writeOnce(to descriptor: Int32) throws(Errno) -> Int {
    if isSocket {
      do throws(Errno) {
        return try UnixSocket.sendAtOnce(bytes[sent...], to: descriptor)
      } catch {
        guard error == .notSocket else { throw error }
        isSocket = false
      }
    }
    return try BorrowedDescriptor(descriptor).write(Array(bytes[sent...].prefix(Pipe.smallestRoom)))
  }

  private mutating func removeSent() {
    bytes.removeFirst(sent)
    sent = 0
  }
}
