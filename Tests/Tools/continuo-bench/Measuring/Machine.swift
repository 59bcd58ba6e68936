// SPDX-License-Identifier: MIT

import FoundationEssentials
import LinuxSystem

/// What the figures were measured on and against.
struct Machine: CustomStringConvertible {
  var processor: String
  var cores: Int
  var kernel: String
  /// What each peer says of itself.
  var peers: [String]

  /// This machine, with the versions of the peers that are installed.
  @MainActor static func this() -> Self {
    let about = (try? String(decoding: Data(contentsOf: URL(filePath: "/proc/cpuinfo")), as: UTF8.self)) ?? ""
    let model = about.split(separator: "\n").first { $0.hasPrefix("model name") }
    let release = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/osrelease"))
    return Self(
      processor: model?.split(separator: ":").last.map { trimmed(String($0)) } ?? "unknown processor",
      cores: CurrentProcess.processors,
      kernel: trimmed(String(decoding: release ?? Data(), as: UTF8.self)),
      peers: programs.map(version))
  }

  private static let programs = [
    ("", ["nano", "--version"]), ("", ["tmux", "-V"]), ("", ["inotifywait", "--help"]),
    ("watchman ", ["watchman", "--version"]),
    ("watchdog ", ["/usr/bin/python3", "-c", "import watchdog.version as v; print(v.VERSION_STRING)"]),
  ]

  var description: String {
    (["\(processor), \(cores) cores, Linux \(kernel)"] + peers).joined(separator: "\n")
  }

  @MainActor private static func version(_ name: String, _ command: [String]) -> String {
    let printed = try? ChildProcess.run(command, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    let first = printed?.split(separator: "\n").first.map { trimmed(String($0)) }
    return first.map { name + $0 } ?? "\(name.isEmpty ? command[0] : name): not installed"
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
