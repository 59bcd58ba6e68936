// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

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
    path.parent.makeFolders(mode: 0o700)
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
        description:
          "\(path.shown) is damaged; it was renamed to \(beside("~damaged").shown), and the list of "
          + "recent files begins empty.")
    case .newer:
      ContinuityError(
        .invalidBytes, subject: "recent files, newer",
        description:
          "\(path.shown) was written by a later version of continuo, so no recent files are kept; "
          + "update this "
          + "app, or remove that file.")
    }
  }

  private func beside(_ ending: String) -> FilePath {
    path.parent.appending(path.name + Array(ending.utf8))
  }

  /// Waits for the other processes of this app.
  private func takeLock() throws(ContinuityError) -> Descriptor {
    let place = beside("~lock")
    let lock = try DocumentFault.unless(place, "opened") { () throws(Errno) in
      try place.open([.readWrite, .create, .noFollow], mode: 0o600)
    }
    try DocumentFault.unless(place, "locked") { () throws(Errno) in try lock.lock(waiting: true) }
    return lock
  }

  private func setAside() throws(ContinuityError) {
    try DocumentFault.unless(path, "set aside") { () throws(Errno) in
      try path.rename(to: beside("~damaged"))
    }
  }

  private func replace(with data: Data) throws(ContinuityError) {
    let new = beside("~new")
    try DocumentFault.unless(new, "written") { () throws(Errno) in
      let file = try new.open([.writeOnly, .create, .truncate, .noFollow], mode: 0o600)
      try file.overwrite(with: data.bytes)
      try file.synchronize()
    }
    try DocumentFault.unless(path, "written") { () throws(Errno) in try new.rename(to: path) }
    path.parent.synchronizeFolder()
  }
}
