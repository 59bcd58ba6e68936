// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import Testing

/// A folder on disk that goes away with its test.
final class SampleFolder {
  let directory: String

  init() {
    let made = FileManager.default.temporaryDirectory.appendingPathComponent("documents-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    let resolved = realpath(made.path, nil)
    directory = resolved.map { String(cString: $0) } ?? made.path
    free(resolved)
  }

  /// Makes the folder, which must be empty, a disk of `size`; false where mounting is refused.
  func becomeDisk(of size: String, kind: String = "tmpfs") -> Bool {
    isDisk = mount(kind, directory, kind, 0, kind == "tmpfs" ? "size=\(size),mode=0700" : "mode=0700") == 0
    if !isDisk { print("skipped: mounting a \(kind) of \(size) is refused here (errno \(errno))") }
    return isDisk
  }

  /// The disk of `becomeDisk` goes; what lay in the folder before is seen again.
  func stopBeingDisk() {
    if isDisk { umount2(directory, Int32(MNT_DETACH)) }
    isDisk = false
  }

  /// Makes the disk of `becomeDisk` read-only.
  func becomeReadOnly() -> Bool {
    isDisk && mount("tmpfs", directory, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
  }

  /// Leaves no room on the disk of `becomeDisk`.
  func fill() {
    let descriptor = open(path("filler"), O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  private var isDisk = false

  deinit {
    stopBeingDisk()
    chmod(directory, 0o700)
    try? FileManager.default.removeItem(atPath: directory)
  }

  var root: SyncedRoot { SyncedRoot(id: .random(), name: "notes", path: Array(directory.utf8)) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory).sorted()) ?? [] }

  func path(_ name: String) -> String { directory + "/" + name }
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  func write(_ name: String, _ text: String) {
    let created = FileManager.default.createFile(atPath: path(name), contents: Data(text.utf8))
    #expect(created)
  }

  /// As sync engines do: a new file renamed over the old one.
  func replace(_ name: String, _ text: String) {
    write(name + ".incoming", text)
    #expect(rename(path(name + ".incoming"), path(name)) == 0)
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  func status(_ name: String) -> stat {
    var status = stat()
    #expect(lstat(path(name), &status) == 0)
    return status
  }
}
