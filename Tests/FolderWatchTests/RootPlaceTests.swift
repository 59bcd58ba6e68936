// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderWatch
import Foundation
import Glibc
import TestSupport
import Testing

/// Roots that go, are replaced, mounted and come back: all without a word of the agent.
@Suite("Roots that go and come back", .waiting, .serialized)
struct RootPlaceTests {
  let folder: TemporaryFolder
  let process: WatchProcess
  let root = RootNumber(rawValue: 0)

  init() throws {
    folder = try TemporaryFolder()
    try folder.make("above".names)
    try folder.make("above/root".names)
    process = try WatchProcess()
  }

  private func path(_ names: String) -> [UInt8] { folder.bytes + Array("/\(names)".utf8) }

  private func watch(_ names: String) throws {
    try process.send(.watch(root, path: path(names)))
    try watching()
  }

  private func watching() throws {
    _ = try process.hints { if case .watching(root, _) = $0 { true } else { false } }
  }

  private func lost() throws -> String {
    let hints = try process.hints { if case .rootLost(root, _) = $0 { true } else { false } }
    guard case .rootLost(_, let reason)? = hints.last else { return "" }
    return reason
  }

  /// A file made in the root is told under its own path.
  private func expectTold(_ file: String, below names: String = "above/root") throws {
    try folder.write("\(names)/\(file)".names)
    _ = try process.hints { $0 == .changed(root, path: file.names, change: .written) }
  }

  @Test("Moved away and back")
  func moved() throws {
    try watch("above/root")
    try folder.move("above/root".names, "above/elsewhere".names)
    #expect(try lost().contains("moved"))
    try folder.write("above/elsewhere/unseen".names)
    try folder.move("above/elsewhere".names, "above/root".names)
    try watching()
    try expectTold("back")
  }

  @Test("The folder above it renamed, and back")
  func renamedAbove() throws {
    try watch("above/root")
    try folder.move("above".names, "renamed".names)
    #expect(try lost().contains("root"))
    try folder.move("renamed".names, "above".names)
    try watching()
    try expectTold("back")
  }

  @Test("Deleted with all above it, and made again step by step")
  func deleted() throws {
    try watch("above/root")
    folder.remove("above/root".names)
    #expect(try lost().contains("deleted"))
    folder.remove("above".names)
    try folder.make("above".names)
    try folder.make("above/root".names)
    try watching()
    try expectTold("back")
  }

  @Test("Replaced by another folder of its name")
  func replaced() throws {
    try watch("above/root")
    try folder.make("other".names)
    try folder.write("other/found".names)
    guard renameat2Exchange("above/root", "other") else { throw TemporaryFolder.Failed("renameat2") }
    _ = try lost()
    try watching()
    try expectTold("new")
  }

  private func renameat2Exchange(_ left: String, _ right: String) -> Bool {
    let (from, to) = (folder.path + "/" + left, folder.path + "/" + right)
    // No call that Swift has exchanges two names; the other name is free for a moment.
    return rename(from, from + ".old") == 0 && rename(to, from) == 0
  }

  @Test("Mounted over, unmounted, mounted again: the watch follows what the path means")
  func mounted() throws {
    try watch("above/root")
    try expectTold("below")
    let place = folder.path + "/above/root"
    guard Command.succeeds("mount", "-t", "tmpfs", "none", place) else {
      print("mount: refused here; the shim's test and the scripts `an-unmounted-*` show it")
      return
    }
    defer { _ = Command.succeeds("umount", "-l", place) }
    print("mount: a real tmpfs")
    _ = try process.hints { $0 == .rescan(root, path: []) }
    try expectTold("in-the-mount")
    #expect(Command.succeeds("umount", place))
    _ = try process.hints { if case .rootLost = $0 { true } else { $0 == .rescan(root, path: []) } }
    try expectTold("below-again")
    #expect(Command.succeeds("mount", "-t", "tmpfs", "none", place))
    _ = try process.hints { $0 == .rescan(root, path: []) }
    try expectTold("in-the-new-mount")
  }

  @Test("Unmounted, as the kernel tells it (a shim): lost with that reason, and followed again")
  func unmountedByShim() throws {
    print("unmount: by a preloaded shim")
    let flag = folder.path + "/unmounted"
    let shim = try ProcessShim(ProcessShim.unmount(when: flag), in: folder)
    let process = try WatchProcess(environment: shim.environment)
    try process.send(.watch(root, path: path("above/root")))
    _ = try process.hints { if case .watching(root, _) = $0 { true } else { false } }
    try folder.write("unmounted".names)
    try folder.write("above/root/instead-of-this".names)
    let hints = try process.hints { if case .rootLost(root, _) = $0 { true } else { false } }
    guard case .rootLost(_, let reason)? = hints.last else { return }
    #expect(reason.contains("unmounted"))
    _ = try process.hints { if case .watching(root, _) = $0 { true } else { false } }
    try folder.write("above/root/after".names)
    _ = try process.hints { $0 == .changed(root, path: "after".names, change: .written) }
  }

  @Test("Mounted below the root: what is in the mount is told, and what was under it afterwards")
  func mountedBelow() throws {
    try folder.make("above/root/inner".names)
    try watch("above/root")
    let place = folder.path + "/above/root/inner"
    guard Command.succeeds("mount", "-t", "tmpfs", "none", place) else { return }
    defer { _ = Command.succeeds("umount", "-l", place) }
    _ = try process.hints { $0 == .rescan(root, path: []) }
    try expectTold("inner/in-the-mount")
    #expect(Command.succeeds("umount", place))
    _ = try process.hints { if case .rescan(root, _) = $0 { true } else { false } }
    try expectTold("inner/below-again")
  }

  @Test("Idle, nothing that happens beside the root wakes anybody")
  func quietAbove() throws {
    try watch("above/root")
    let before = try readings()
    for number in 0..<500 {
      try folder.write("above/\(number)".names)
      try folder.write("beside\(number)".names)
    }
    // What it does once a minute may fall into this time.
    #expect(try readings() - before < 10)
  }

  /// How often the process has read anything: the kernel's events too.
  private func readings() throws -> Int {
    let text = try String(
      contentsOfFile: "/proc/\(process.process.processIdentifier)/io", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("syscr: ") }
    return try #require(line.flatMap { Int($0.dropFirst(7)) })
  }
}

/// Folders that may not be read, as an ordinary user.
@Suite("Permission lost and regained", .waiting, .serialized)
struct PermissionTests {
  let root = RootNumber(rawValue: 0)

  /// A process that may not read everything: as nobody, when these tests run as root.
  private func process() throws -> WatchProcess {
    guard geteuid() == 0 else { return try WatchProcess() }
    return try WatchProcess(under: ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
  }

  @Test("A folder that may be read again is told with all that it holds")
  func folderBelow() throws {
    let folder = try TemporaryFolder()
    try folder.make("closed".names)
    try folder.write("closed/before".names)
    chmod(folder.path + "/closed", 0)
    let process = try process()
    #expect(try process.watch(folder).contains(.rescan(root, path: "closed".names)))
    chmod(folder.path + "/closed", 0o755)
    _ = try process.hints { $0 == .changed(root, path: "closed/before".names, change: .created) }
    try folder.write("closed/after".names)
    _ = try process.hints { $0 == .changed(root, path: "closed/after".names, change: .written) }
    // A watch that stands goes on telling.
    chmod(folder.path + "/closed", 0o300)
    try folder.write("closed/later".names)
    _ = try process.hints { $0 == .changed(root, path: "closed/later".names, change: .written) }
    chmod(folder.path + "/closed", 0o700)
  }

  @Test("A root that may not be read says so, and is followed when it may")
  func wholeRoot() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0)
    let process = try process()
    try process.send(.watch(root, path: folder.bytes))
    let hints = try process.hints { if case .rootLost = $0 { true } else { false } }
    guard case .rootLost(_, let reason)? = hints.last else { return }
    #expect(reason.contains("make it readable"))
    chmod(folder.path, 0o755)
    _ = try process.hints { if case .watching = $0 { true } else { false } }
    try folder.write("f".names)
    _ = try process.hints { $0 == .changed(root, path: "f".names, change: .written) }
  }
}

@Suite("What is mounted where")
struct MountTableTests {
  private let table = MountTable(
    parsing: Array(
      """
      21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      22 21 0:20 / /mnt/my\\040notes rw - nfs4 server:/notes rw
      23 21 0:21 / /mnt/my\\040notes/inner rw master:1 propagate_from:2 - fuse.sshfs user@host: rw
      24 21 8:2 / /media/disk rw - fuseblk /dev/sdb1 rw
      not a line
      """.utf8))

  @Test("The mount of a path is the longest that holds it, and names may have blanks")
  func mountOfPath() {
    func type(_ path: String) -> String? { table.mount(of: Array(path.utf8))?.type }
    #expect(type("/home") == "ext4")
    #expect(type("/mnt/my notes/plan.md") == "nfs4")
    #expect(type("/mnt/my notes/inner/x") == "fuse.sshfs")
    #expect(type("/mnt/my notesbook") == "ext4")
    #expect(table.mounts.count == 4)
  }

  @Test("Other computers and programs are silent, a disk that a program reads is not")
  func silence() {
    #expect(table.mounts.map(\.isSilent) == [false, true, true, false])
    #expect(table.silentBelow(Array("/mnt".utf8)).map(\.fileSystem) == ["nfs4", "fuse.sshfs"])
    #expect(table.silentBelow(Array("/mnt/my notes".utf8)).map(\.names) == [["inner".names[0]]])
    #expect(table.around(Array("/media".utf8)).map(\.type) == ["ext4", "fuseblk"])
  }

  @Test("A look never takes more than a fiftieth of the time, and what changes is looked at soon")
  func pace() {
    var pace = PollPace()
    #expect(pace.pause(afterRoundOf: .milliseconds(1), sawChange: true) == .seconds(2))
    #expect(pace.pause(afterRoundOf: .milliseconds(1), sawChange: false) == .seconds(3))
    for _ in 0..<9 { _ = pace.pause(afterRoundOf: .zero, sawChange: false) }
    #expect(pace.pause(afterRoundOf: .zero, sawChange: false) == .seconds(10))
    #expect(pace.pause(afterRoundOf: .seconds(1), sawChange: true) == .seconds(50))
    #expect(pace.pause(afterRoundOf: .seconds(100), sawChange: true) == .seconds(300))
  }
}
