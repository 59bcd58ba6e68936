// SPDX-License-Identifier: MIT

import ActivityModel
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

  static func record(_ sentence: String) {
    let lines = pacing.withLock { $0.lines(for: sentence, at: .now) }
    guard !lines.isEmpty else { return }
    let stamp = LocalTime(.now).map { "\($0.date) \($0.clockWithSeconds)" } ?? ""
    let bytes = Array(lines.map { "\(stamp) \(DisplayText.shown($0))\n" }.joined().utf8)
    _ = try? BorrowedDescriptor.standardError.write(bytes)
    rotate(.standardError)
  }

  /// Copies a log file named `agent.log` that is too long beside itself and empties it. The file stays the
  /// same one, for the watch process writes to it, too.
  static func rotate(_ log: BorrowedDescriptor) {
    guard let status = try? log.status(), status.kind == .regular, status.size > limit,
      let path = FilePath("/proc/self/fd/\(log.number)").linkTarget, path.name == Array("agent.log".utf8),
      let source = try? path.open([.readOnly, .noFollow])
    else { return }
    let beside = FilePath(bytes: path.bytes + Array(".1".utf8))
    if let target = try? beside.open([.writeOnly, .create, .truncate, .noFollow], mode: 0o600) {
      copyEnd(of: source, size: status.size, to: target)
    }
    // Each line goes to the end of what there is then, also one of another process.
    log.setAppending()
    try? log.truncate(to: 0)
  }

  /// The last `limit` bytes: a log of an older release may have grown without end.
  private static func copyEnd(of source: Descriptor, size: Int, to target: Descriptor) {
    var offset = max(0, size - limit)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? source.read(into: &chunk, at: offset), count > 0 {
      guard (try? target.writeAll(chunk.span.bytes.extracting(first: count))) != nil else { return }
      offset += count
    }
  }
}
