// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc
import LinuxSystem

/// Writes over a file that must stay the same file. The temporary one holds the new bytes until it is done,
/// so that they outlive a loss of power, too: `UnfinishedWrite` tells of it then.
struct InPlaceWrite {
  let path: FilePath
  let temporary: TemporaryFile

  /// On failure the old bytes are written back; if even that fails, the error names the file that has the new
  /// ones. Returns the file that was written.
  @discardableResult
  func write(_ data: Data, over existing: stat) throws(ContinuityError) -> OwnedDescriptor {
    let opened = path.withPointer { open($0, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw DocumentFault.error(path, errno, "saved") }
    let file = OwnedDescriptor(opened)
    guard DocumentFile.stamp(file.value) == FileStamp(existing) else {
      throw ContinuityError(
        .documentDiverged, subject: path.shown,
        "\(path.shown) changed on disk while it was being saved; reload it, or save over it on purpose.")
    }
    let old = try DocumentFile.read(path).data
    try temporary.becomeCopy()
    if put(data, file.value) { return file }
    let code = errno
    if !put(old, file.value) {
      temporary.keep()
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        "\(path.shown) could be written only in part; the whole text is in \(temporary.shown).")
    }
    throw DocumentFault.error(path, code, "saved")
  }

  private func put(_ data: Data, _ descriptor: Int32) -> Bool {
    guard FileBytes.write(data, to: descriptor), ftruncate(descriptor, off_t(data.count)) == 0 else {
      return false
    }
    FileBytes.setExactTime(descriptor)
    return fsync(descriptor) == 0
  }
}

/// What is left of an `InPlaceWrite` when its process, or the computer, stopped in the midst of it.
enum UnfinishedWrite {
  /// Throws `documentUnreadable`, naming the file with the whole text, when a save of `file` in place may not
  /// have come to its end. A copy that is no longer needed is removed.
  static func check(_ file: DocumentFile, at path: FilePath) throws(ContinuityError) {
    var status = stat()
    // Only such files are written in place; others need not wait for their folder to be read.
    guard path.withPointer({ stat($0, &status) }) == 0,
      status.st_nlink > 1 || status.st_uid != geteuid() || status.st_gid != getegid()
    else { return }
    let place = path.resolved ?? path
    for name in place.parent.entries where TemporaryFile.isCopy(name, of: place) {
      let copy = place.parent.appending(name)
      // One that is gone meanwhile was not needed.
      guard let whole = try? DocumentFile.read(copy) else { continue }
      guard whole.data != file.data else {
        _ = copy.withPointer { unlink($0) }
        continue
      }
      throw ContinuityError(
        .documentUnreadable, subject: path.shown,
        "\(path.shown) may hold only a part of what was saved, for the saving was interrupted; the whole "
          + "text is in \(copy.shown): copy it into \(path.shown), or remove it to keep what is there, and "
          + "open that again."
      )
    }
  }
}
