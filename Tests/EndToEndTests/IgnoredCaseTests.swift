// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// A folder on a disk for which two names that differ in case alone are one file (T09).
@Suite(.waiting, .serialized, .timeLimit(.minutes(20))) struct IgnoredCaseTests {
  @discardableResult
  private func run(_ words: String...) throws -> String {
    try ChildProcess.run(
      "/usr/bin/env", words, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: "", expecting: 0)
  }

  enum Kind: CaseIterable { case exFAT, shim }

  /// Puts such a disk in the folder's place, with what the folder holds on it. What takes it away; nil where
  /// none can be had.
  private func mount(_ kind: Kind, at folder: String) throws -> (() -> Void)? {
    let behind = folder + ".behind"
    // What is refused here is a mount, and not a compiler.
    let shim = kind == .shim ? try makeShim(beside: folder) : ""
    var loop: String?
    let end = {
      for place in [folder, behind] { _ = try? run("umount", "-l", place) }
      if let loop { _ = try? run("losetup", "-d", loop) }
    }
    do {
      switch kind {
      case .exFAT:
        let image = folder + ".img"
        try Files.writeInPlace(image, [])
        guard truncate(image, 24 << 20) == 0 else { throw Failure("an image", lastSeen: lastSystemError()) }
        loop = try run("losetup", "-f", "--show", image).split(separator: "\n").first.map(String.init)
        try run("mkfs.exfat", loop ?? "")
        try Files.makeDirectory(behind)
        try run("mount.exfat-fuse", loop ?? "", behind)
        try run("cp", "-r", folder + "/.", behind)
        try run("mount", "--bind", behind, folder)
      case .shim:
        try run("mv", folder, behind)
        try Files.makeDirectory(folder)
        // It goes on in the background, and would hold the ends of pipes that the runner reads.
        try run(
          "sh", "-c", "LD_PRELOAD=\(shim) exec bindfs \(behind) \(folder) </dev/null >/dev/null 2>&1")
      }
      try Files.writeInPlace(folder + "/A", [])
      #expect(Files.isRegular(folder + "/a"), "\(kind) tells case apart")
      try Files.remove(folder + "/A")
      return end
    } catch {
      end()
      print("\(kind): refused here (apt-get install exfat-fuse exfatprogs bindfs): \(error)")
      return nil
    }
  }

  /// The library of `shim`.
  private func makeShim(beside folder: String) throws -> String {
    let (source, library) = (folder + ".c", folder + ".so")
    try Files.replace(source, with: Array(Self.shim.utf8))
    try run("cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl")
    return library
  }

  /// What bindfs asks of the disk behind it, under the name that is stored there.
  private static let shim = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <string.h>
    #include <strings.h>
    #include <sys/stat.h>
    static const char *stored(const char *path, char *name) {
      DIR *(*list)(const char *) = dlsym(RTLD_NEXT, "opendir");
      size_t end = 0;
      while (*path) {
        size_t length = strcspn(path, "/");
        name[end] = 0;
        DIR *folder = length ? list(end ? name : ".") : 0;
        memcpy(name + end, path, length);
        for (struct dirent *entry; folder && (entry = readdir(folder));)
          if (strlen(entry->d_name) == length && !strncasecmp(entry->d_name, path, length))
            memcpy(name + end, entry->d_name, length);
        if (folder) closedir(folder);
        end += length;
        path += length;
        if (*path) name[end++] = *path++;
      }
      name[end] = 0;
      return name;
    }
    #define FOLDED(result, call, parameters, ...) \\
      result call parameters { \\
        char one[8192], two[8192]; \\
        (void)one, (void)two; \\
        return ((result (*) parameters)dlsym(RTLD_NEXT, #call))(__VA_ARGS__); \\
      }
    #define ONE stored(path, one)
    FOLDED(int, __lxstat64, (int version, const char *path, void *status), version, ONE, status)
    FOLDED(int, lstat64, (const char *path, struct stat64 *status), ONE, status)
    FOLDED(int, lstat, (const char *path, struct stat *status), ONE, status)
    FOLDED(int, __open64_2, (const char *path, int flags), ONE, flags)
    FOLDED(int, open64, (const char *path, int flags, ...), ONE, flags, 0600)
    FOLDED(int, open, (const char *path, int flags, ...), ONE, flags, 0600)
    FOLDED(int, access, (const char *path, int mode), ONE, mode)
    FOLDED(int, mkdir, (const char *path, mode_t mode), ONE, mode)
    FOLDED(int, chmod, (const char *path, mode_t mode), ONE, mode)
    FOLDED(int, chown, (const char *path, uid_t user, gid_t group), ONE, user, group)
    FOLDED(int, lchown, (const char *path, uid_t user, gid_t group), ONE, user, group)
    FOLDED(int, unlink, (const char *path), ONE)
    FOLDED(int, rmdir, (const char *path), ONE)
    FOLDED(int, truncate64, (const char *path, off64_t size), ONE, size)
    FOLDED(int, utimensat, (int folder, const char *path, const struct timespec *times, int flags), folder,
      ONE, times, flags)
    FOLDED(int, rename, (const char *path, const char *to), ONE, stored(to, two))
    FOLDED(int, link, (const char *path, const char *to), ONE, stored(to, two))
    FOLDED(DIR *, opendir, (const char *path), ONE)
    """

  @Test(arguments: Kind.allCases)
  func ofTwoNamesThatAreOneFileHereOnlyTheBytesThatWereOfferedOpen(_ kind: Kind) throws {
    let devices = try TwoDevices()
    let laptop = devices.laptop.device
    guard let unmount = try mount(kind, at: laptop.folder) else { return }
    defer { unmount() }
    let app = devices.laptop.app
    // Another document lies here, which the disk finds under the name that is offered.
    try Files.replace(laptop.folder + "/plan.md", with: Array("other".utf8))
    var moment = WallTime(milliseconds: wallNow())
    try devices.write("Plan.md", "alpha")
    try devices.desktop.publish("Plan.md", line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    let first = try app.wait(for: "an offer of Plan.md") { $0.offer(of: "Plan.md", since: moment) }
    #expect(first.status.arrival.name != "current", "\(first)")
    try app.resume("Plan.md", since: moment)
    try app.wait(for: "a word why it waits") { $0.continuation?.progress == nil ? nil : () }
    #expect(app.continuation?.isOpen == true, "nothing was handed over: \(app.state)")
    // What was offered comes, under whichever name the disk keeps.
    try Files.replace(laptop.folder + "/Plan.md", with: Array("alpha".utf8))
    try app.expectDelivery(of: "Plan.md", text: "alpha", line: 1, column: 1)

    // Two documents there are one here: whichever was written last is there, and the other one is not.
    moment = WallTime(milliseconds: wallNow())
    try devices.write("plan.md", "beta!")
    try devices.desktop.publish("plan.md", line: 1, column: 1)
    try devices.player.carrying().deliverRecords()
    try Files.replace(laptop.folder + "/plan.md", with: Array("beta!".utf8))
    try app.see("plan.md", "current", since: moment)
    try app.resume("plan.md", since: moment)
    try app.expectDelivery(of: "plan.md", text: "beta!", line: 1, column: 1)
  }
}
