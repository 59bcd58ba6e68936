// SPDX-License-Identifier: MIT

public import LinuxSystem

/// Gives files names that are free, never onto something.
public enum FreeName {
  /// Gives the file at `path` the first of `names` in its folder that no file has; its path then, nil when
  /// all are taken. Throws what rename(2) fails with.
  public static func rename(_ path: FilePath, toFirstFreeOf names: [[UInt8]]) throws(Errno) -> FilePath? {
    for name in names {
      let target = path.parent.appending(name)
      do throws(Errno) {
        try rename(path, to: target)
        return target
      } catch {
        guard error == .fileExists else { throw error }
      }
    }
    return nil
  }

  /// Throws `fileExists` when the name is taken.
  public static func rename(_ path: FilePath, to target: FilePath) throws(Errno) {
    do throws(Errno) { try path.rename(to: target, mode: .keeping) } catch {
      guard [.invalidArgument, .noSuchCall, .notSupported].contains(error) else { throw error }
      // A file system without that: a second name fails when it is taken.
      try path.link(to: target)
      path.parent.synchronizeFolder()
      try path.unlink()
    }
  }

  /// A new file with `bytes` in `folder`, with the first of `names` that no file has, and on the disk; its
  /// path, nil when all names are taken. Owner, mode and attributes are those of `other`, as far as this user
  /// may. On failure nothing is left. Throws what the step that failed ran into.
  public static func create(
    with bytes: [UInt8], like other: FilePath, in folder: FilePath, firstFreeOf names: [[UInt8]]
  ) throws(Errno) -> FilePath? {
    let directory = try folder.open([.readOnly, .folder])
    let mode = (try? other.status().permissions).map { $0 & 0o777 } ?? 0o600
    for name in names {
      do throws(Errno) {
        try DurableFile(in: directory, name: name).create(with: bytes, like: other, mode: mode)
        return folder.appending(name)
      } catch {
        guard error == .fileExists else { throw error }
      }
    }
    return nil
  }
}
