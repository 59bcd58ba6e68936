// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// The events that come by the thousand: a file was made, written, deleted or touched.
extension WatchTree {
  /// Appends the frame of the one hint that an event means, when it means nothing else: the same bytes as
  /// those of the hint that `handle` gives, with no value made in between. False, and nothing is appended,
  /// for every other event; `handle` takes it then.
  ///
  /// `name` is the raw name in the folder that `descriptor` watches; it is not kept.
  public func appendFrame(
    of mask: KernelEvent.Mask, in descriptor: Int32, name: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) -> Bool {
    // A name that may be a cookie's is for `handle`.
    guard !mayBeSettled, let change = Self.plainChange(mask), let end = name.last, end != UInt8(ascii: "~"),
      let folder = table.only(watchedBy: descriptor), let depth = table.depth(folder),
      depth < FolderHint.frameDepthLimit
    else { return false }
    let frame = ChangedFrame(table[folder].root, names: depth + 1, to: &bytes)
    table.appendNames(folder, to: frame, in: &bytes)
    frame.append(name, to: &bytes)
    return frame.finish(change, in: &bytes)
  }

  /// What happened to a file; nil for folders, renames, and what happened to the watched folder itself. The
  /// order is that of `named`.
  private static func plainChange(_ mask: KernelEvent.Mask) -> FolderHint.Change? {
    guard mask.isDisjoint(with: others) else { return nil }
    if mask.contains(.create) { return .created }
    if mask.contains(.delete) { return .deleted }
    if mask.contains(.closeWrite) { return .written }
    return mask.contains(.attributes) ? .attributes : nil
  }

  private static let others: KernelEvent.Mask = [.isFolder, .movedFrom, .movedTo, .overflow, .ignored]
}

extension FolderTable {
  /// How many folders lie above this one in its root; nil when it is in none, as in the middle of a rename.
  func depth(_ number: Int32) -> Int? {
    var depth = 0
    var each = number
    while self[each].parent >= 0 {
      depth += 1
      each = self[each].parent
    }
    return isRoot(each) ? depth : nil
  }

  /// Writes the names of the folders from below the root down to this one.
  func appendNames(_ number: Int32, to frame: ChangedFrame, in bytes: inout [UInt8]) {
    let folder = self[number]
    guard folder.parent >= 0 else { return }
    appendNames(folder.parent, to: frame, in: &bytes)
    folder.name.withUnsafeBytes { frame.append($0, to: &bytes) }
  }
}
