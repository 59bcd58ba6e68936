// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Text as a QR code of characters, by Debian's `qrencode` where it is installed.
enum QRCode {
  /// The rows; none where the program is not installed, or does not do it in time. The text goes to its
  /// standard input: its arguments can be seen by all users of the computer.
  static func rows(of text: String, environment: [String: String] = CurrentProcess.environment) -> [String] {
    guard text.utf8.count <= Pipe.smallestRoom,
      let program = InstalledProgram.inSearchPath("qrencode").first(where: { FilePath($0).allows(.execute) })
    else { return [] }
    do throws(Errno) {
      let (input, output) = (try Pipe.make(), try Pipe.make())
      try input.write.writeAll(Array(text.utf8))
      input.write.close()
      var start = ChildProcess.Start(program, arguments: ["-t", "UTF8", "-m", "2"], environment: environment)
      let nothing = try FilePath("/dev/null").open(.writeOnly)
      start.standard = [input.read.number, output.write.number, nothing.number]
      let child = try ChildProcess(start)
      input.read.close()
      output.write.close()
      let drawn = read(output.read, until: Instant.now + .seconds(5))
      guard let drawn, child.wait() == .code(0) else {
        child.kill()
        return []
      }
      return String(decoding: drawn, as: UTF8.self).split(separator: "\n").map(String.init)
    } catch {
      return []
    }
  }

  /// Nil when it has not ended by then, or is longer than any code.
  private static func read(_ output: borrowing Descriptor, until deadline: Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let left = deadline - Instant.now
      var entries = [Poll.Entry(output.number)]
      guard left > .zero, Poll.wait(for: &entries, atMost: left), let count = try? output.read(into: &room)
      else { return nil }
      if count == 0 { return bytes }
      bytes += room[..<count]
    }
    return nil
  }
}
