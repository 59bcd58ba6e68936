// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

/// A kernel that gives no instance of inotify: in a user namespace of one's own where that is allowed, and by
/// a shim in any case.
@Suite("At the limit of inotify instances", .waiting, .serialized)
struct InstanceLimitTests {
  let folder: TemporaryFolder
  let tools: TemporaryFolder
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    tools = try TemporaryFolder()
    for number in 0..<20 { try folder.make("\(number)".names) }
  }

  /// Everything is told by looks, with the setting to raise; and by events when `free` has freed an instance.
  private func expectPollingAndReturn(
    _ process: WatchProcess, saying words: String..., free: () throws -> Void
  ) throws {
    try process.watch(folder)
    let hints = try process.hints { if case .polling = $0 { true } else { false } }
    guard case .polling(root, 21, let reason)? = hints.last else {
      Issue.record("it does not say that all 21 folders are polled: \(hints)")
      return
    }
    for word in words { #expect(reason.contains(word), "\(reason)") }
    try folder.write("7/made".names)
    _ = try process.hints(covering: ["7/made".names])
    try folder.make("new".names)
    try folder.write("new/below".names)
    _ = try process.hints(covering: ["new/below".names])
    folder.remove("7/made".names)
    _ = try process.hints { $0 == .changed(root, path: "7/made".names, change: .deleted) }

    try free()
    _ = try process.hints { $0 == .polling(root, folders: 0, reason: "") }
    // Only an event tells of a cookie: what came before it was told without a look.
    try folder.write("9/after".names)
    try folder.write("new/after".names)
    let told = try process.hintsUpToNow(folder)
    for name in ["9/after", "new/after"] {
      #expect(told.contains(.changed(root, path: name.names, change: .written)), "\(name) in \(told)")
    }
  }

  @Test("In a user namespace: all is polled, the sysctl is named, and an instance that becomes free is used")
  func namespace() throws {
    guard WatchLimitTests.mayLowerLimits else {
      print("instance limit: user namespaces are refused here; the shim's test alone shows it")
      return
    }
    print("instance limit: by a user namespace")
    let pipe = tools.path + "/raise"
    guard mkfifo(pipe, 0o600) == 0 else { throw TemporaryFolder.Failed("mkfifo") }
    let setting = "/proc/sys/user/max_inotify_instances"
    let script = "echo 0 > \(setting); (read x < '\(pipe)'; echo 8 > \(setting)) >&- 2>&- & exec \"$@\""
    let process = try WatchProcess(under: ["unshare", "-Ur", "sh", "-c", script, "sh"])
    try expectPollingAndReturn(process, saying: "allows 0 ", "sysctl user.max_inotify_instances=256") {
      try "now\n".write(toFile: pipe, atomically: false, encoding: .utf8)
    }
  }

  @Test("By a shim: the same")
  func shim() throws {
    print("instance limit: by a preloaded shim")
    let file = tools.path + "/refuse"
    try "".write(toFile: file, atomically: true, encoding: .utf8)
    let shim = try ProcessShim(ProcessShim.instanceLimit(while: file), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    try expectPollingAndReturn(process, saying: "inotify instances", "max_") { unlink(file) }
  }

  @Test("Without an instance a root that goes and comes back is found again")
  func rootComesBack() throws {
    let file = tools.path + "/refuse"
    try "".write(toFile: file, atomically: true, encoding: .utf8)
    let shim = try ProcessShim(ProcessShim.instanceLimit(while: file), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    try process.watch(folder)
    let away = tools.path + "/away"
    guard rename(folder.path, away) == 0 else { throw TemporaryFolder.Failed("rename") }
    _ = try process.hints { if case .rootLost(root, _) = $0 { true } else { false } }
    guard rename(away, folder.path) == 0 else { throw TemporaryFolder.Failed("rename") }
    _ = try process.hints { if case .watching(root, 21) = $0 { true } else { false } }
  }
}
