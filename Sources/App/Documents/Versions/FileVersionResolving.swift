// SPDX-License-Identifier: MIT

public import ActivityModel
import CLinux
public import Foundation
import Glibc
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
    guard let file = try? Self.read(aside), seen.isSame(as: file) else {
      // Back where it was; where somebody has put another copy meanwhile, both stay.
      _ = Self.rename(aside, path)
      throw changed()
    }
    guard aside.withPointer({ unlink($0) }) == 0 else {
      let code = errno
      _ = Self.rename(aside, path)
      throw DocumentFault.error(path, code, "removed")
    }
    Self.synchronize(path.parent)
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
      let code = Self.rename(path, target)
      if code == EEXIST { continue }
      guard code == 0 else { throw DocumentFault.error(path, code, "renamed") }
      // Another writer may have put a file in its place after the look.
      guard DocumentFile.stamp(target, followingLinks: false)?.isSameContent(as: seen.stamp) == true else {
        _ = Self.rename(target, path)
        throw changed()
      }
      Self.synchronize(path.parent)
      return target.url ?? url
    }
    throw ContinuityError(
      .invalidRequest, subject: path.shown,
      "There is a file called \(name ?? path.shown) already; give another name.")
  }

  /// Keeps `data` beside the document as a version of it. It is on the disk when this returns.
  static func keep(_ data: Data, of document: FilePath) throws(ContinuityError) -> FileVersion {
    var failure = DocumentFault.error(document, EEXIST, "kept")
    for _ in 0..<8 {
      let place = copyPlace(of: document)
      guard DocumentFile.stamp(place, followingLinks: false) == nil else { continue }
      do throws(ContinuityError) {
        let saved = try DocumentWriter(path: place, data: data, expectation: .absent).write()
        close(saved.descriptor)
        let seen = Seen(stamp: saved.stamp, fingerprint: Seen.fingerprint(of: data))
        return FileVersion(place, of: document, seen)
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
      throw DocumentFault.error(path, ENOENT, "read")
    }
    guard seen.fingerprint != nil else { throw DocumentFault.error(path, EACCES, "read") }
    guard stamp.isSameContent(as: seen.stamp), seen.isSame(as: try Self.read(path)) else { throw changed() }
  }

  private func names(_ given: String?) throws(ContinuityError) -> [[UInt8]] {
    guard let given else { return ordinaryNames }
    let bytes = Array(given.utf8)
    guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")), given != ".", given != "..",
      bytes.count <= 255
    else {
      throw ContinuityError(
        .invalidRequest, subject: given, "“\(given)” cannot be a file's name; give one without “/”.")
    }
    return [bytes]
  }

  /// `plan (ABCDEFG 2026-11-22).md`, then with a number.
  private var ordinaryNames: [[UInt8]] {
    let (stem, end) = SyncNames.parts(of: original.name)
    let day = Self.local(time_t(seen.stamp.modified / 1_000_000_000)).prefix(10)
    let what = deviceName.map { "\($0) \(day)" } ?? String(day)
    return (1...99).map { number in
      let what = Array(" (\(what))\(number == 1 ? "" : " \(number)")".utf8)
      return SyncNames.fitted(stem, tail: what + end)
    }
  }

  private func setAside() throws(ContinuityError) -> FilePath {
    for _ in 0..<8 {
      let aside = Self.copyPlace(of: original)
      switch Self.rename(path, aside) {
      case 0: return aside
      case EEXIST: continue
      case let code: throw DocumentFault.error(path, code, "removed")
      }
    }
    throw DocumentFault.error(path, EEXIST, "removed")
  }

  private static func copyPlace(of document: FilePath) -> FilePath {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let mark = "-" + (0..<6).compactMap { _ in letters.randomElement().map(String.init) }.joined()
    return document.parent.appending(
      SyncNames.conflictCopyName(of: document.name, date: local(time(nil)), mark: mark))
  }

  /// `2026-11-22 040000`, local time.
  private static func local(_ seconds: time_t) -> String {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined()
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(clock)"
  }

  /// Never onto something. Zero, or `errno`.
  private static func rename(_ from: FilePath, _ to: FilePath) -> Int32 {
    let result = from.withPointer { from in
      to.withPointer { continuo_renameat2(AT_FDCWD, from, AT_FDCWD, $0, TemporaryFile.noReplace) }
    }
    guard result != 0 else { return 0 }
    let code = errno
    guard code == EINVAL || code == ENOSYS || code == EOPNOTSUPP else { return code }
    // A file system without that: a second name fails when it is taken.
    guard from.withPointer({ from in to.withPointer { link(from, $0) } }) == 0 else { return errno }
    return from.withPointer { unlink($0) } == 0 ? 0 : errno
  }

  private static func synchronize(_ folder: FilePath) {
    let opened = folder.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }
}
