// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

/// Writes over a file that must stay the same file. The temporary one holds the new bytes until it is done,
/// so that they outlive a loss of power, too: `UnfinishedWrite` tells of it then.
struct InPlaceWrite {
  let path: FilePath
  let temporary: TemporaryFile

  /// On failure the old bytes are written back; if even that fails, the error names the file that has the new
  /// ones. Returns the file that was written.
  @discardableResult
  func write(_ data: Data, over existing: FileStatus) throws(ContinuityError) -> Descriptor {
    let file = try DocumentFault.unless(path, "saved") { () throws(Errno) in
      try path.open([.readWrite, .noFollow, .nonBlocking])
    }
    guard DocumentFile.stamp(file) == existing.stamp else {
      throw ContinuityError(
        .documentDiverged, subject: path.shown,
        description:
          "\(path.shown) changed on disk while it was being saved; reload it, or save over it on purpose.")
    }
    let old = try DocumentFile.read(path).data
    try temporary.becomeCopy()
    do throws(Errno) {
      try put(data, into: file)
      return file
    } catch {
      do throws(Errno) { try put(old, into: file) } catch {
        temporary.keep()
        throw ContinuityError(
          .documentUnreadable, subject: path.shown,
          description: "\(path.shown) could be written only in part; the whole text is in \(temporary.shown)."
        )
      }
      throw DocumentFault.error(path, error, "saved")
    }
  }

  private func put(_ data: Data, into file: Descriptor) throws(Errno) {
    try file.overwrite(with: data.bytes)
    try file.truncate(to: data.count)
    // Another owner's file, or a file system that does not take it, keeps the time that it has.
    try? file.setExactTime()
    try file.synchronize()
  }
}

/// What is left of an `InPlaceWrite` when its process, or the computer, stopped in the midst of it.
enum UnfinishedWrite {
  /// Throws `documentUnreadable`, naming the file with the whole text, when a save of `file` in place may not
  /// have come to its end. A copy that is no longer needed is removed.
  static func check(_ file: DocumentFile, at path: FilePath) throws(ContinuityError) {
    // Only such files are written in place; others need not wait for their folder to be read.
    guard let status = try? path.status(),
      status.linkCount > 1 || !status.isOwn || status.group != CurrentProcess.group
    else { return }
    let place = path.resolved ?? path
    for name in place.parent.entries where TemporaryFile.isCopy(name, of: place) {
      let copy = place.parent.appending(name)
      // One that is gone meanwhile was not needed.
      guard let whole = try? DocumentFile.read(copy) else { continue }
      guard whole.data != file.data else {
        try? copy.unlink()
        continue
      }
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        description:
          "\(path.shown) may hold only a part of what was saved, for the saving was interrupted; the whole "
          + "text is in \(copy.shown): copy it into \(path.shown), or remove it to keep what is there, and "
          + "open that again."
      )
    }
  }
}
