// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc

/// The agent's log: standard error, which is the log file when the agent was started on demand.
///
/// Never holds a title, a path or a text (threat T31): IDs, counts and reasons only.
enum AgentLog {
  static func note(_ sentence: String) {
    var time = time(nil)
    var parts = tm()
    localtime_r(&time, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let stamp =
      "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    let line = Array("\(stamp) \(DisplayText.shown(sentence))\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
