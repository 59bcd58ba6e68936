// SPDX-License-Identifier: MIT

import Glibc

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
      let written = bytes.withUnsafeBytes { waiting -> Int in
        let rest = UnsafeRawBufferPointer(rebasing: waiting[sent...])
        if isSocket {
          let count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT))
          if count >= 0 || errno != ENOTSOCK { return count }
        }
        // A pipe that has room at all has it for so many bytes.
        return Glibc.write(descriptor, rest.baseAddress, min(rest.count, Int(PIPE_BUF)))
      }
      if written < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      isSocket = isSocket && Self.isSocket(descriptor)
      sent += written
      if sent > Self.patience { take() }
      if !isSocket { return true }
    }
    return true
  }

  private mutating func take() {
    bytes.removeFirst(sent)
    sent = 0
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
