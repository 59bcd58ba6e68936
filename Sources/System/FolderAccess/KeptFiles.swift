// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// A private directory in which files are kept for a while, and no more of them than a limit. Made when the
/// first one is kept. Any thread.
struct KeptFiles: Sendable {
  /// Its absolute path.
  let path: String
  /// The most bytes of all; the oldest ones go first.
  let limit: Int
  /// So long a file is kept.
  let lifetime: Duration

  /// Calls `body` with the directory. Throws `agentUnavailable` where that cannot be made or is not private,
  /// and `folderUnavailable` with what `body` ran into.
  func inFolder<Value>(_ body: (Descriptor) throws(Errno) -> Value) throws(ContinuityError) -> Value {
    _ = try OwnDirectory.privateDirectory(path)
    do throws(Errno) {
      return try body(FilePath(path).open([.readOnly, .folder]))
    } catch {
      throw error.error(.folderUnavailable, subject: path, "The directory \(path) could not be written to")
    }
  }

  /// Copies what `file` holds, on the disk when `give` is called with its digest: that gives the copy its
  /// name. Throws what a step runs into; nothing is kept then.
  func copy(
    _ file: Descriptor, of size: Int, into folder: Descriptor,
    give: (ContentDigest, NewFile) throws(Errno) -> Void
  ) throws(Errno) {
    makeRoom(for: size, in: folder)
    let place = DurableFile(in: folder, name: [])
    let (copy, isNamed) = try place.begin()
    do throws(Errno) {
      guard let digest = try ContentHasher.copy(file, into: copy, limit: UInt64(size)) else { throw .stale }
      try copy.synchronize()
      try give(digest, NewFile(file: copy, isNamed: isNamed, place: place, folder: folder))
    } catch {
      if isNamed { place.removeTemporary() }
      throw error
    }
  }

  /// A file that has no name of its own yet.
  struct NewFile {
    let file: Descriptor
    let isNamed: Bool
    let place: DurableFile
    let folder: Descriptor

    /// Gives it that name, which no file may have. Throws `fileExists` where one has it.
    func take(_ name: [UInt8]) throws(Errno) {
      try place.give(name, in: folder, to: file, isNamed: isNamed)
      try? folder.synchronize()
    }
  }

  /// Takes away what is older than `lifetime`, and the oldest while all of them, with `size` bytes more, are
  /// larger than `limit`. What cannot be removed stays.
  func makeRoom(for size: Int, in folder: Descriptor) {
    var kept: [(name: [UInt8], status: FileStatus)] = []
    try? folder.forEachName { name, kind in
      if kind() == .regular, let status = try? folder.status(of: name) { kept.append((name, status)) }
      return true
    }
    var total = kept.reduce(size) { $0 + $1.status.size }
    for (name, status) in kept.sorted(by: { $0.status.stamp.modified < $1.status.stamp.modified })
    where total > limit || status.stamp.ageOfContent > lifetime {
      try? folder.unlink(name)
      total -= status.size
    }
  }
}
