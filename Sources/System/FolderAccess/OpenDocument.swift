// SPDX-License-Identifier: MIT

public import ActivityModel
public import LinuxSystem

/// A document that is open for reading: a regular file of this user, reached without a symbolic link.
///
/// What is read through `descriptor` is this file, whatever happens to its name. The file position is never
/// moved by this room, so the descriptor can be handed to another process.
public final class OpenDocument: Sendable {
  /// Where it was opened.
  public let path: RelativePath
  /// Open for reading, non-blocking, close-on-exec.
  public let descriptor: Descriptor
  /// What `fstat` said right after opening.
  public let stamp: FileStamp

  init(path: RelativePath, descriptor: Descriptor, stamp: FileStamp) {
    self.path = path
    self.descriptor = descriptor
    self.stamp = stamp
  }
}
