// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// A program that tells a pipe how it was started.
final class StartedProgram {
  /// What one start looked like.
  struct Start {
    var process: String
    var arguments: [String]
    var variables: [String: String]
    /// The ID of its session.
    var session: String
    /// Where input, output and errors lead.
    var streams: [String]
    /// The numbers of its descriptors, and one to list them.
    var descriptors: String
    /// How many signals are blocked or ignored; the two that the C library keeps for itself do not count.
    var unusualSignals: Int
  }

  let path: String
  private let pipe: Int32

  init(_ path: String) throws {
    self.path = path
    let fifo = path + ".fifo"
    try Scratch.write(
      """
      #!/bin/sh
      descriptors=$(/usr/bin/ls /proc/self/fd | /usr/bin/tr '\\n' ' ')
      signals=$(/usr/bin/sed -n 's/^Sig\\(Blk\\|Ign\\):[^0-9a-f]*//p' /proc/self/status \\
        | /usr/bin/tr '\\n' ' ')
      zero=$(/usr/bin/readlink /proc/$$/fd/0) one=$(/usr/bin/readlink /proc/$$/fd/1)
      two=$(/usr/bin/readlink /proc/$$/fd/2)
      read -r _ _ _ _ _ session _ </proc/$$/stat
      { printf '%s\\0' "$$" "$session" "$zero" "$one" "$two" "$descriptors" "$signals" "$#" "$@"
        /usr/bin/env -0
        printf '\\001\\0'; } >'\(fifo)'

      """, to: path)
    guard chmod(path, 0o755) == 0, mkfifo(fifo, 0o600) == 0 else {
      throw Scratch.Failure(description: "\(path): \(errno)")
    }
    pipe = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC)
  }

  deinit { close(pipe) }

  /// Of words with 64 bits each, in hexadecimal digits.
  private static func count(_ words: String) -> Int {
    let inner: UInt64 = 3 << 31
    return words.split(separator: " ").reduce(0) {
      $0 + ((UInt64($1, radix: 16) ?? .max) & ~inner).nonzeroBitCount
    }
  }

  /// Waits for it.
  func start() throws -> Start {
    var bytes: [UInt8] = []
    while !bytes.suffix(2).elementsEqual([1, 0]) {
      var asked = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&asked, 1, FramedProgram.patience * 1000) > 0 else {
        throw Scratch.Failure(description: "\(path) was not started")
      }
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(pipe, &piece, piece.count)
      bytes += piece.prefix(max(0, count))
    }
    var fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    let first = Array(fields.prefix(8))
    fields = fields.dropFirst(8)
    let arguments = Array(fields.prefix(Int(first[7]) ?? 0))
    var variables: [String: String] = [:]
    for pair in fields.dropFirst(arguments.count) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return Start(
      process: first[0], arguments: arguments, variables: variables, session: first[1],
      streams: Array(first[2...4]), descriptors: first[5], unusualSignals: Self.count(first[6]))
  }
}
