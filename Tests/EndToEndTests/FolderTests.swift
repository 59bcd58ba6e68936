// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// Folders that are forgotten, go away and come back.
@Suite(.waiting, .timeLimit(.minutes(20))) struct FolderTests {
  @Test func aRemovedFolderIsForgottenAndItsFilesStay() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.offer("plan.md", "alpha")
    let told = try laptop.continuo("folder", "remove", "Notes")
    #expect(told.contains("Notes") && told.contains("stay"), "\(told)")
    #expect(try laptop.continuo("folder", "list") == "")
    #expect(Files.text(laptop.folder + "/plan.md") == "alpha")
    expectSentence(
      try devices.laptop.run("publish", laptop.folder + "/plan.md"), saying: "plan.md", "folder add")
    expectSentence(try devices.laptop.run("folder", "remove", "Notes"), saying: "Notes")

    try laptop.continuo("folder", "add", laptop.folder)
    try devices.laptop.app.see("plan.md", "current", since: WallTime(milliseconds: 0))
  }

  @Test func aFolderThatComesBackIsUsedAgain() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    try devices.offer("plan.md", "alpha")
    #expect(rename(laptop.folder, laptop.folder + ".away") == 0)
    let app = devices.laptop.app
    _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
    #expect(try laptop.continuo("folder", "list").contains("not there now"))
    #expect(try laptop.continuo("status").contains("bring it back"))
    expectSentence(try devices.laptop.run("publish", laptop.folder + "/plan.md"), saying: "plan.md")
    #expect(!Files.isRegular(laptop.folder + "/plan.md"), "a folder that is away is not made anew")

    #expect(rename(laptop.folder + ".away", laptop.folder) == 0)
    _ = try app.wait(for: "the folder's return") { $0.roots?.first?.isPresent == true ? () : nil }
    try app.see("plan.md", "current", since: WallTime(milliseconds: 0))
    try app.resume("plan.md", since: WallTime(milliseconds: 0))
    try app.expectDelivery(of: "plan.md", text: "alpha", line: 1, column: 1)
    #expect(!(try laptop.continuo("status")).contains("bring it back"))
  }

  /// The highest number among the watches of the device's watch process: the kernel never uses one again, so
  /// it tells how often folders were followed.
  private func highestWatch(of device: Device) throws -> Int {
    let place = "/proc/\(try device.status().watchProcess)/fdinfo/"
    let lines = try FileManager.default.contentsOfDirectory(atPath: place)
      .flatMap { (Files.text(place + $0) ?? "").split(separator: "\n") }
    return lines.compactMap { line in
      line.hasPrefix("inotify wd:") ? Int(line.dropFirst(11).prefix { $0 != " " }, radix: 16) : nil
    }.max() ?? 0
  }

  @Test func aFolderThatComesBackIsWalkedOnce() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    for number in 0..<200 { try Files.makeDirectory(laptop.folder + "/\(number)") }
    try devices.offer("plan.md", "alpha")
    let app = devices.laptop.app
    let before = try highestWatch(of: laptop)
    #expect(before >= 200)
    for round in 1...3 {
      #expect(rename(laptop.folder, laptop.folder + ".away") == 0)
      _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
      #expect(rename(laptop.folder + ".away", laptop.folder) == 0)
      _ = try app.wait(for: "the folder's return") { $0.roots?.first?.isPresent == true ? () : nil }
      try devices.offer("next\(round).md", "beta")
    }
    let walks = Double(try highestWatch(of: laptop) - before) / 200
    print("walks for three returns: \(walks)")
    #expect(walks >= 3 && walks < 4)
  }

  /// What is here goes away by `away`, which is told, and is in use again after `back`, with nothing lost.
  private func expectReturn(
    _ devices: TwoDevices, away: (String) throws -> Void, back: (String) throws -> Void
  ) throws {
    let laptop = devices.laptop.device
    let app = devices.laptop.app
    try devices.offer("plan.md", "alpha")
    try away(laptop.folder)
    _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
    let status = try laptop.continuo("status")
    #expect(status.contains("Folder Notes is not at") && status.contains("bring it back"), "\(status)")
    try back(laptop.folder)
    _ = try app.wait(for: "the folder's return") { $0.roots?.first?.isPresent == true ? () : nil }
    try app.see("plan.md", "current", since: WallTime(milliseconds: 0))
    #expect(Files.text(laptop.folder + "/plan.md") == "alpha")
    try devices.offer("next.md", "beta")
    #expect(!(try laptop.continuo("status")).contains("bring it back"))
  }

  private func run(_ words: String...) throws {
    _ = try ChildProcess.run(
      "/usr/bin/env", words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: "", expecting: 0)
  }

  @Test func anUnmountedFolderIsAwayAndComesBackWithTheMount() throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    let disk = laptop.root + "/disk"
    #expect(mkdir(disk, 0o700) == 0)
    // The disk holds what the folder held; the mount is another file system at the folder's place.
    guard (try? run("mount", "-t", "tmpfs", "none", disk)) != nil else {
      print("mount: refused here; a folder that is renamed shows the same")
      return
    }
    print("mount: a real tmpfs over the registered folder")
    defer { for place in [laptop.folder, disk] { _ = try? run("umount", "-l", place) } }
    // Moved first: the agent may still be taking away what the pairing left.
    try run("mv", laptop.folder, laptop.folder + ".before")
    try run("cp", "-a", laptop.folder + ".before/.", disk)
    #expect(mkdir(laptop.folder, 0o700) == 0)
    try run("mount", "--bind", disk, laptop.folder)
    try expectReturn(devices) { folder in
      try run("umount", "-l", folder)
    } back: { folder in
      #expect(!Files.isRegular(folder + "/plan.md"))
      try run("mount", "--bind", disk, folder)
    }
  }

  @Test func aFolderThatIsReplacedByAnEmptyOneIsAwayAndComesBack() throws {
    let devices = try TwoDevices()
    try expectReturn(devices) { folder in
      #expect(rename(folder, folder + ".away") == 0)
      #expect(mkdir(folder, 0o700) == 0)
    } back: { folder in
      #expect(rmdir(folder) == 0, "nothing is written into a folder that is not the registered one")
      #expect(rename(folder + ".away", folder) == 0)
    }
  }

  @Test func aFolderWhoseParentIsRenamedIsAwayAndComesBack() throws {
    let devices = try TwoDevices()
    let root = devices.laptop.device.root
    let above = root + "/above"
    #expect(mkdir(above, 0o700) == 0)
    let laptop = devices.laptop.device
    try laptop.continuo("folder", "remove", "Notes")
    #expect(rename(laptop.folder, above + "/Notes") == 0)
    try laptop.continuo("folder", "add", above + "/Notes", "--name", "Notes")
    let app = devices.laptop.app
    #expect(rename(above, above + ".away") == 0)
    _ = try app.wait(for: "the folder's absence") { $0.roots?.first?.isPresent == false ? () : nil }
    #expect(rename(above + ".away", above) == 0)
    _ = try app.wait(for: "the folder's return") { $0.roots?.first?.isPresent == true ? () : nil }
  }

  @Test func aFolderThatIsDeletedAndRestoredIsUsedAgain() throws {
    let devices = try TwoDevices()
    try expectReturn(devices) { folder in
      try run("cp", "-a", folder, folder + ".copy")
      // The agent may write a record while its folder is emptied.
      try run("sh", "-c", "until rm -rf \"$0\" 2>/dev/null; do :; done", folder)
    } back: { folder in
      try run("mv", folder + ".copy", folder)
    }
  }
}

/// Folders of which the kernel tells too little, with the real agent.
@Suite(.waiting, .timeLimit(.minutes(20))) struct FolderWithoutEventsTests {
  @Test func atTheWatchLimitTheStatusNamesTheSettingToRaise() throws {
    let script = "echo 12 > /proc/sys/user/max_inotify_watches; exec \"$@\""
    let home = try Home()
    let path = "/usr/sbin:/usr/bin:/sbin:/bin"
    let trial = try ChildProcess(
      "/usr/bin/env", ["unshare", "-Ur", "sh", "-c", script, "sh", "true"], environment: ["PATH": path])
    guard try trial.waitForExit() == .code(0) else {
      print("watch limit: user namespaces are refused here; WatchLimitTests use a shim")
      return
    }
    for number in 0..<40 { try Files.makeDirectory(home.device.folder + "/\(number)") }
    // The agent that this starts lives in a user namespace of its own, which allows twelve watches.
    var environment = home.device.environment
    environment["PATH"] = (environment["PATH"] ?? "") + ":" + path
    let adding = try ChildProcess(
      "/usr/bin/env",
      ["unshare", "-Ur", "sh", "-c", script, "sh", home.device.programs["continuo"]]
        + ["folder", "add", home.device.folder, "--name", "Notes"],
      environment: environment)
    #expect(try adding.waitForExit() == .code(0), "\(adding.state)")
    try home.device.waitForStatus("user.max_inotify_watches=")
    let status = try home.device.continuo("status")
    #expect(status.contains("Folder Notes: The kernel allows 12 watches"), "\(status)")
  }
}

extension FolderWithoutEventsTests {
  /// Watches are put on a folder where nothing happens, on a file system of a number that nobody has.
  private static func silence(_ quiet: String) -> String {
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <sys/stat.h>
    #include <sys/vfs.h>
    int inotify_add_watch(int fd, const char *path, uint32_t mask) {
      static int count;
      char other[512];
      int (*real)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
      snprintf(other, sizeof other, "\(quiet)/%d", count++);
      mkdir(other, 0700);
      return real(fd, other, mask);
    }
    int fstatfs(int fd, struct statfs *found) {
      int (*real)(int, struct statfs *) = dlsym(RTLD_NEXT, "fstatfs");
      int result = real(fd, found);
      found->f_type = 0x7357;
      return result;
    }
    """
  }

  @Test func aCookieThatDoesNotReturnLeadsToLooking() throws {
    let home = try Home()
    let shim = home.device.root + "/shim"
    try Files.makeDirectory(shim)
    try Files.writeInPlace(shim + "/shim.c", Array(Self.silence(shim).utf8))
    _ = try ChildProcess.run(
      "/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", shim + "/shim.so", shim + "/shim.c", "-ldl"],
      environment: ["PATH": "/usr/bin:/bin"], input: "", expecting: 0)
    let added = try home.continuo(
      "folder", "add", home.device.folder, "--name", "Notes",
      changing: ["LD_PRELOAD": shim + "/shim.so"])
    #expect(added.exit == .code(0), "\(added.state)")
    try home.device.waitForStatus("tells nothing of changes made elsewhere")
    // The cookie file is gone again.
    let left = Files.list(home.device.folder + "/.continuo").filter { $0.contains("cookie") }
    #expect(left == [])
  }
}

extension Device {
  /// Asks for the status until it says `words`; each question waits for the answer.
  func waitForStatus(_ words: String, within seconds: Int = 20) throws {
    let deadline = Deadline(seconds: seconds)
    var status = ""
    while !status.contains(words) {
      guard !deadline.hasPassed else { throw Failure("a status that says \(words)", lastSeen: status) }
      status = try continuo("status")
    }
  }
}
