// SPDX-License-Identifier: MIT

import FolderWatch
import LinuxSystem

/// The folder above the one that was followed last, kept open: its other children are opened from there, in
/// one step instead of from the root.
///
/// It is let go before anything else is done than following, for after an event it may be another folder's
/// turn to have that name, and an open folder keeps its file system from being unmounted.
struct HeldFolder {
  private var number: FolderNumber?
  private var descriptor: Int32 = -1
  private(set) var names: [[UInt8]] = []
  private(set) var root: [UInt8] = []

  /// The open folder, close-on-exec and owned by the caller, or why not.
  mutating func open(_ folder: FolderNumber, in tree: WatchTree) -> Result<Int32, FollowFailure> {
    // Followed anew, it may be another folder than the open one.
    if folder == number { letGo() }
    guard let step = tree.step(to: folder) else {
      letGo()
      guard let place = tree.place(of: folder) else { return .failure(.gone) }
      (root, names) = (place.root, place.names)
      return FolderReader.open(root: root, names: names)
    }
    if step.parent != number {
      letGo()
      guard let above = tree.place(of: step.parent) else { return .failure(.gone) }
      (root, names) = (above.root, above.names)
      switch FolderReader.open(root: root, names: names) {
      case .failure(let failure): return .failure(failure)
      case .success(let opened): (number, descriptor) = (step.parent, opened)
      }
    }
    return FolderReader.open(step.name, in: descriptor)
  }

  /// The names from the root to a folder that `open` has just opened.
  func names(of folder: FolderNumber, in tree: WatchTree) -> [[UInt8]] {
    tree.step(to: folder).map { names + [$0.name] } ?? names
  }

  mutating func letGo() {
    guard number != nil else { return }
    BorrowedDescriptor(descriptor).close()
    number = nil
  }
}
