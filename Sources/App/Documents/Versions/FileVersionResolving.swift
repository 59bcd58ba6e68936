// SPDX-License-Identifier: MIT

public import ActivityModel
import ConflictVersions
public import Foundation
import LinuxSystem
import SyncedFolders

extension FileVersion {
  /// Marks the conflict as resolved: removes the copy. One that is gone already is no error. Throws
  /// `documentDiverged`, and leaves what lies there, when that is not what was listed.
  public func remove() throws(ContinuityError) {
    guard !isResolved else { return }
    try checkSeen()
    // Under a name of its own nobody can put another file in its place between the look and the removal; and
    // one that is a copy's, so that it is found if the power goes.
    let aside = try setAside()
    guard let file = try? Self.read(aside), isSame(as: file) else {
      // Back where it was; where somebody has put another copy meanwhile, both stay.
      try? FreeName.rename(aside, to: path)
      throw changed()
    }
    do throws(Errno) { try aside.unlink() } catch {
      try? FreeName.rename(aside, to: path)
      throw DocumentFault.error(path, error, "removed")
    }
    path.parent.synchronizeFolder()
  }

  /// Keeps both: the copy becomes an ordinary file beside the document, called `name`, or after the document,
  /// the device and the day. Never takes the place of a file that is there: throws `invalidRequest` for a
  /// `name` that is in use, or that is no file name. Throws `documentDiverged` when the copy is not what was
  /// listed.
  @discardableResult
  public func keepBoth(as name: String? = nil) throws(ContinuityError) -> URL {
    try checkSeen()
    for candidate in try names(name) {
      let target = path.parent.appending(candidate)
      do throws(Errno) { try FreeName.rename(path, to: target) } catch {
        if error == .fileExists { continue }
        throw DocumentFault.error(path, error, "renamed")
      }
      // Another writer may have put a file in its place after the look.
      guard DocumentFile.stamp(target, followingLinks: false)?.isSameContent(as: seen.stamp) == true else {
        try? FreeName.rename(target, to: path)
        throw changed()
      }
      path.parent.synchronizeFolder()
      return target.url ?? url
    }
    throw ContinuityError(
      .invalidRequest, subject: path.shown,
      description: "There is a file called \(name ?? path.shown) already; give another name.")
  }

  /// Keeps `data` beside the document as a version of it. It is on the disk when this returns.
  static func keep(_ data: Data, of document: FilePath) throws(ContinuityError) -> FileVersion {
    var failure = DocumentFault.error(document, .fileExists, "kept")
    for _ in 0..<8 {
      let place = copyPlace(of: document)
      guard DocumentFile.stamp(place, followingLinks: false) == nil else { continue }
      do throws(ContinuityError) {
        let saved = try DocumentWriter(path: place, data: data, expectation: .absent).write()
        return FileVersion(seen(place, DocumentFile(data: data, stamp: saved.stamp)), of: document)
      } catch {
        failure = error
        guard error.code == .documentDiverged else { throw error }
      }
    }
    throw failure
  }

  // MARK: What is there

  private func checkSeen() throws(ContinuityError) {
    guard let stamp = DocumentFile.stamp(path, followingLinks: false) else {
      throw DocumentFault.error(path, .noSuchFile, "read")
    }
    guard seen.fingerprint != nil else { throw DocumentFault.error(path, .permissionDenied, "read") }
    guard stamp.isSameContent(as: seen.stamp), isSame(as: try Self.read(path)) else { throw changed() }
  }

  private func names(_ given: String?) throws(ContinuityError) -> [[UInt8]] {
    guard let given else { return ordinaryNames }
    let bytes = Array(given.utf8)
    guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")), given != ".", given != "..",
      bytes.count <= 255
    else {
      throw ContinuityError(
        .invalidRequest, subject: given,
        description: "“\(given)” cannot be a file's name; give one without “/”.")
    }
    return [bytes]
  }

  /// `plan (ABCDEFG 2026-11-22).md`, then with a number.
  private var ordinaryNames: [[UInt8]] {
    let day = ConflictKeeping.day(seen)
    return SyncNames.namesBeside(original.name, what: deviceName.map { "\($0) \(day)" } ?? day)
  }

  private func setAside() throws(ContinuityError) -> FilePath {
    for _ in 0..<8 {
      let aside = Self.copyPlace(of: original)
      do throws(Errno) {
        try FreeName.rename(path, to: aside)
        return aside
      } catch {
        guard error == .fileExists else { throw DocumentFault.error(path, error, "removed") }
      }
    }
    throw DocumentFault.error(path, .fileExists, "removed")
  }

  private static func copyPlace(of document: FilePath) -> FilePath {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let mark = "-" + (0..<6).compactMap { _ in letters.randomElement().map(String.init) }.joined()
    // `2026-11-22 040000`
    let date =
      LocalTime(.now).map { time in "\(time.date) \(time.clockWithSeconds.filter { $0 != ":" })" } ?? ""
    return document.parent.appending(
      SyncNames.conflictCopyName(of: document.name, date: date, mark: mark))
  }
}
