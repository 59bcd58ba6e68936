// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Foundation
import Glibc

/// The file that keeps an app's recent files, `recent/<app-id>` in continuo's state directory. Replaced as a
/// whole, under a lock that all processes of the app take.
struct RecentFile: Hashable {
  let path: FilePath

  /// Nil when the app's identifier is no file name.
  init?(stateDirectory: String, appID: String) {
    guard !appID.isEmpty, !appID.hasPrefix("."), !appID.utf8.contains(where: { $0 == 0 || $0 == 0x2f }) else {
      return nil
    }
    path = FilePath(bytes: Array((stateDirectory + "/recent").utf8)).appending(Array(appID.utf8))
  }

  private static let sizeLimit: Int64 = 1 << 20

  /// What it holds; empty when it is not there. Throws `invalidBytes` for one that is not understood.
  func read() throws(ContinuityError) -> RecentList {
    guard let stamp = DocumentFile.stamp(path) else { return RecentList() }
    guard stamp.size <= Self.sizeLimit else { throw fault(.damaged) }
    let data = try DocumentFile.read(path).data
    guard let text = String(data: data, encoding: .utf8) else { throw fault(.damaged) }
    do throws(RecentList.Fault) { return try RecentList(text: text) } catch { throw fault(error) }
  }

  /// Brings the changes to what it holds now, durably. One that is damaged is set aside first, as `~damaged`
  /// beside it, and that is returned; one of a later version stays as it is.
  func apply(_ changes: [RecentList.Change]) throws(ContinuityError) -> ContinuityError? {
    makeFolder()
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    var list: RecentList
    var damage: ContinuityError?
    do throws(ContinuityError) {
      list = try read()
    } catch {
      guard error.code == .invalidBytes, !error.subject.hasSuffix("newer") else { throw error }
      try setAside()
      list = RecentList()
      damage = error
    }
    for change in changes { list.apply(change) }
    try replace(with: Data(list.text.utf8))
    return damage
  }

  private func fault(_ fault: RecentList.Fault) -> ContinuityError {
    switch fault {
    case .damaged:
      ContinuityError(
        .invalidBytes, subject: "recent files",
        "\(path.shown) is damaged; it was renamed to \(beside("~damaged").shown), and the list of "
          + "recent files begins empty.")
    case .newer:
      ContinuityError(
        .invalidBytes, subject: "recent files, newer",
        "\(path.shown) was written by a later version of continuo, so no recent files are kept; update this "
          + "app, or remove that file.")
    }
  }

  private func beside(_ ending: String) -> FilePath {
    path.parent.appending(path.name + Array(ending.utf8))
  }

  private func makeFolder() {
    let folder = path.parent.bytes
    for end in folder.indices.dropFirst() where folder[end] == UInt8(ascii: "/") {
      _ = FilePath(bytes: Array(folder[..<end])).withPointer { mkdir($0, 0o700) }
    }
    _ = path.parent.withPointer { mkdir($0, 0o700) }
  }

  /// Waits for the other processes of this app.
  private func takeLock() throws(ContinuityError) -> OwnedDescriptor {
    let place = beside("~lock")
    let descriptor = place.withPointer { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw DocumentFault.error(place, errno, "opened") }
    let lock = OwnedDescriptor(descriptor)
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw DocumentFault.error(place, errno, "locked") }
    }
    return lock
  }

  private func setAside() throws(ContinuityError) {
    let aside = beside("~damaged")
    let result = path.withPointer { from in aside.withPointer { rename(from, $0) } }
    if result != 0 { throw DocumentFault.error(path, errno, "set aside") }
  }

  private func replace(with data: Data) throws(ContinuityError) {
    let new = beside("~new")
    let descriptor = new.withPointer {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard descriptor >= 0 else { throw DocumentFault.error(new, errno, "written") }
    let file = OwnedDescriptor(descriptor)
    guard FileBytes.write(data, to: file.value), fsync(file.value) == 0 else {
      throw DocumentFault.error(new, errno, "written")
    }
    let renamed = new.withPointer { from in path.withPointer { rename(from, $0) } }
    guard renamed == 0 else { throw DocumentFault.error(path, errno, "written") }
    let folder = OwnedDescriptor(path.parent.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    if folder.value >= 0 { fsync(folder.value) }
  }
}
