// SPDX-License-Identifier: MIT

import LinuxSystem
import Glibc

@testable import fixtures

/// A program that has a file open for writing in place, without truncating it, and writes what it is told to,
/// piece by piece: as an engine does that is slow, or is killed in the middle.
final class PieceWriter {
  private let child: ChildProcess
  private let pieces: String
  private let orders: Int32
  private var written = 0

  /// Opens `file`, which need not be there; `directory` holds the pieces.
  init(_ file: String, piecesIn directory: String) throws {
    pieces = directory + "/pieces"
    try Files.makeDirectory(pieces)
    let pipe = pieces + "/orders"
    unlink(pipe)
    guard mkfifo(pipe, 0o600) == 0 else { throw Failure("a named pipe", lastSeen: lastSystemError()) }
    let script =
      "exec 3<>\"$1\"; echo open; while read piece; do cat \"$piece\" >&3; echo \"$piece\"; done <\"$2\""
    child = try ChildProcess(
      "/bin/sh", ["-c", script, "sh", file, pipe], environment: ["PATH": "/usr/bin:/bin"])
    // For reading too, so that opening does not wait and the writer never sees an end.
    orders = open(pipe, O_RDWR | O_CLOEXEC)
    guard orders >= 0 else { throw Failure("the named pipe", lastSeen: lastSystemError()) }
    try child.waitForOutput("an open file") { $0.hasPrefix("open\n") }
  }

  deinit { close(orders) }

  /// Writes the bytes behind those before; they are in the file when this returns.
  func write(_ bytes: some Sequence<UInt8>) throws {
    written += 1
    let piece = "\(pieces)/\(written)"
    try Files.writeInPlace(piece, Array(bytes))
    let order = Array("\(piece)\n".utf8)
    _ = Glibc.write(orders, order, order.count)
    try child.waitForOutput("the piece in the file") { $0.hasSuffix("\(piece)\n") }
  }

  /// SIGKILL, and the end of the process: the kernel closes its files.
  func kill() throws {
    child.signal(.kill)
    try child.waitForExit()
  }
}
