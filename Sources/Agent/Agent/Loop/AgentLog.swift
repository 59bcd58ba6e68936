// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import Synchronization

/// The agent's log: standard error, which is the log file when the agent was started on demand.
///
/// Never holds a title, a path or a text (threat T31): IDs, counts and reasons only. Bounded: what is said
/// again and again is counted, and a log file that has grown long is moved beside itself, as `agent.log.1`.
enum AgentLog {
  /// A log file is moved away when it is longer than this, in bytes; so twice as much is the most there is.
  static let limit = 1 << 20
  private static let pacing = Mutex(LogPacing())

  static func note(_ sentence: String) {
    let lines = pacing.withLock { $0.lines(for: sentence, at: .now) }
    guard !lines.isEmpty else { return }
    let stamp = stamp
    let bytes = Array(lines.map { "\(stamp) \(DisplayText.shown($0))\n" }.joined().utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    rotate(STDERR_FILENO)
  }

  private static var stamp: String {
    var time = time(nil)
    var parts = tm()
    localtime_r(&time, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }

  /// Copies a log file named `agent.log` that is too long beside itself and empties it. The file stays the
  /// same one, for the watch process writes to it, too.
  static func rotate(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) > limit,
      let path = path(of: descriptor), path.hasSuffix("/agent.log")
    else { return }
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { return }
    defer { close(source) }
    let target = open(path + ".1", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if target >= 0 {
      copyEnd(of: source, size: Int(status.st_size), to: target)
      close(target)
    }
    // Each line goes to the end of what there is then, also one of another process.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_APPEND)
    ftruncate(descriptor, 0)
  }

  /// The last `limit` bytes: a log of an older release may have grown without end.
  private static func copyEnd(of source: Int32, size: Int, to target: Int32) {
    lseek(source, max(0, size - limit), SEEK_SET)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(source, &chunk, chunk.count), count > 0 {
      guard write(target, chunk, count) == count else { return }
    }
  }

  private static func path(of descriptor: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
