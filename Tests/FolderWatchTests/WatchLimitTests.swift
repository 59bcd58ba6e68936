// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc
import TestSupport
import Testing

/// A kernel that gives few watches: in a user namespace of one's own where that is allowed, else a shim.
@Suite("At the watch limit", .waiting, .serialized)
struct WatchLimitTests {
  let folder: TemporaryFolder
  let tools: TemporaryFolder
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    tools = try TemporaryFolder()
  }

  /// Whether this user may make a user namespace and lower its limits.
  static let mayLowerLimits: Bool = {
    let trial = Process()
    trial.executableURL = URL(filePath: "/usr/bin/env")
    trial.arguments = ["unshare", "-Ur", "sh", "-c", "echo 9 > /proc/sys/user/max_inotify_watches"]
    trial.standardError = FileHandle.nullDevice
    guard (try? trial.start()) != nil else { return false }
    trial.waitUntilExit()
    return trial.terminationStatus == 0
  }()

  private func process(limit: Int) throws -> WatchProcess {
    if Self.mayLowerLimits {
      print("watch limit \(limit): by a user namespace")
      let script = "echo \(limit) > /proc/sys/user/max_inotify_watches; exec \"$@\""
      return try WatchProcess(under: ["unshare", "-Ur", "sh", "-c", script, "sh"])
    }
    print("watch limit \(limit): by a preloaded shim")
    let shim = try ProcessShim(ProcessShim.watchLimit(limit), in: tools)
    return try WatchProcess(environment: shim.environment)
  }

  @Test("Nothing is silently unseen: each file in each of 300 folders is told, 40 of them being watched")
  func nothingUnseen() throws {
    for number in 0..<300 { try folder.make("\(number)".names) }
    let process = try process(limit: 40)
    let start = try process.watch(folder)
    #expect(start.contains { if case .watchLimit(root, _, _) = $0 { true } else { false } })
    guard case .polling(root, let count, let reason) = try process.hints(until: { _ in true })[0] else {
      Issue.record("it does not say that folders are polled")
      return
    }
    #expect(count > 250)
    #expect(reason.contains("sysctl") && reason.contains("max_"))
    if Self.mayLowerLimits { #expect(reason.contains("user.max_inotify_watches=") && reason.contains("40 ")) }
    var expected: Set<[[UInt8]]> = []
    for number in 0..<300 {
      try folder.write("\(number)/created".names)
      expected.insert("\(number)/created".names)
    }
    _ = try process.hints(covering: expected)
    try folder.make("7/new".names)
    try folder.write("7/new/below".names)
    _ = try process.hints(covering: ["7/new/below".names])
    for number in 0..<300 { folder.remove("\(number)/created".names) }
    _ = try process.hints(covering: expected)
  }

  @Test("The folders that matter keep their watches, and those above them: told at once, not by a look")
  func foldersThatMatter() throws {
    for number in 0..<60 {
      try folder.make("\(number)".names)
      try folder.make("\(number)/inner".names)
    }
    try folder.make(".continuo".names)
    let process = try process(limit: 20)
    try process.send(.watch(root, path: folder.bytes))
    try process.send(.prefer(root, paths: ["59/inner".names, "58".names]))
    _ = try process.hints { if case .polling = $0 { true } else { false } }
    // Only an event tells of a cookie: what came before it was told without a look.
    for name in ["59/inner/a", "58/b", ".continuo/c"] { try folder.write(name.names) }
    let hints = try process.hintsUpToNow(folder)
    for name in ["59/inner/a", "58/b", ".continuo/c"] {
      #expect(hints.contains(.changed(root, path: name.names, change: .written)), "\(name)")
    }
  }

  @Test("Watches that become free are used, and that is told")
  func freeWatches() throws {
    for number in 0..<30 { try folder.make("\(number)".names) }
    let process = try process(limit: 20)
    try process.watch(folder)
    for number in 0..<25 { folder.remove("\(number)".names) }
    let hints = try process.hints { if case .polling(root, 0, "") = $0 { true } else { false } }
    #expect(hints.contains { if case .polling(root, 1..., _) = $0 { true } else { false } })
    for number in 25..<30 { try folder.write("\(number)/f".names) }
    let told = try process.hintsUpToNow(folder)
    for number in 25..<30 {
      #expect(told.contains(.changed(root, path: "\(number)/f".names, change: .written)))
    }
  }

  @Test("A folder that cannot be opened for want of descriptors is followed a little later")
  func tooManyOpenFiles() throws {
    try folder.make("full".names)
    let shim = try ProcessShim(ProcessShim.openFailsOnce("full"), in: tools)
    let process = try WatchProcess(environment: shim.environment)
    let start = try process.watch(folder)
    #expect(start.contains(.rescan(root, path: "full".names)))
    _ = try process.hints { $0 == .rescan(root, path: "full".names) }
    try folder.write("full/f".names)
    let told = try process.hintsUpToNow(folder)
    #expect(told.contains(.changed(root, path: "full/f".names, change: .written)))
  }
}
