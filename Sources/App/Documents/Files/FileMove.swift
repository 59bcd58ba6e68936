// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

/// Gives a file another name, never onto something that is there already. Where a name cannot be taken
/// without looking, the file gets both names before it loses the old one; on another file system the bytes
/// are written, read back and compared before the old file goes.
struct FileMove: Sendable {
  /// What the file was under the old name, and is under the new one.
  struct Moved: Sendable {
    var before: FileStamp
    var after: FileStamp
  }

  /// Where it is; no symbolic link.
  let source: FilePath
  let target: FilePath

  /// On any thread; blocks until the disk has it. On any failure the file is where it was.
  func perform() throws(ContinuityError) -> Moved {
    let file = try unless { () throws(Errno) in try source.open([.placeOnly, .noFollow]) }
    let status = try unless { () throws(Errno) in try file.status() }
    guard status.kind == .regular else {
      throw ContinuityError(
        .documentUnreadable, subject: source.shown,
        description: "\(source.shown) is not a regular file; move a file instead.")
    }
    let before = status.stamp
    do throws(Errno) {
      try source.rename(to: target, mode: .keeping)
    } catch {
      switch error {
      case .fileExists:
        guard isOtherSpelling(of: before), (try? source.rename(to: target)) != nil else { throw taken() }
      case .crossDevice: return Moved(before: before, after: try copy(status))
      case _ where error.isUnsupported: return Moved(before: before, after: try link(file, status))
      default: throw fault(error)
      }
    }
    return Moved(before: before, after: try settled(file))
  }

  /// The same name in other letters, on a file system where those name the same file.
  private func isOtherSpelling(of before: FileStamp) -> Bool {
    guard let there = DocumentFile.stamp(target, followingLinks: false) else { return false }
    return there.isSameFile(as: before)
      && String(decoding: source.bytes, as: UTF8.self).lowercased()
        == String(decoding: target.bytes, as: UTF8.self).lowercased()
  }

  /// A file system that cannot synchronize a folder needs none of it.
  private func settled(_ file: Descriptor) throws(ContinuityError) -> FileStamp {
    target.parent.synchronizeFolder()
    if source.parent != target.parent { source.parent.synchronizeFolder() }
    return try unless { () throws(Errno) in try file.status().stamp }
  }

  // MARK: Where a name cannot be taken without looking

  private func link(_ file: Descriptor, _ status: FileStatus) throws(ContinuityError) -> FileStamp {
    do throws(Errno) { try source.link(to: target) } catch {
      switch error {
      case .fileExists: throw taken()
      case .notPermitted, .noSuchCall, .notSupported, .tooManyLinks: return try copy(status)
      default: throw fault(error)
      }
    }
    target.parent.synchronizeFolder()
    do throws(Errno) {
      guard try target.status(followingLinks: false).stamp.isSameFile(as: status.stamp) else {
        throw .fileExists
      }
      try source.unlink()
    } catch {
      removeTarget(status.stamp)
      throw fault(error)
    }
    return try settled(file)
  }

  // MARK: To another file system

  private func copy(_ status: FileStatus) throws(ContinuityError) -> FileStamp {
    let file = try DocumentFile.read(source)
    let directory = try DocumentFault.unless(target, "written") { () throws(Errno) in
      try target.parent.open([.readOnly, .folder])
    }
    let temporary = try TemporaryFile(directory, for: target, mode: 0o600)
    try temporary.fill(file.data)
    // A file system that does not know them cannot have them.
    _ = ExtendedAttributes(of: source)?.give(to: temporary.file)
    // Another owner than this user keeps no file that this user may not give away.
    if !temporary.adopt(status) { try? temporary.file.setPermissions(status.permissions & 0o777) }
    try? temporary.file.setTimes(like: status)
    guard (try? temporary.file.synchronize()) != nil, try temporary.holds(file.data) else {
      throw DocumentFault.error(target, .inputOutput, "written")
    }
    try temporary.move(.keeping) { failure in
      failure == .fileExists ? taken() : DocumentFault.error(target, failure, "written")
    }
    try? directory.synchronize()
    let after = try unless { () throws(Errno) in try temporary.file.status().stamp }
    do {
      try removeSource(file.stamp)
    } catch {
      removeTarget(after)
      throw error
    }
    temporary.remove()
    return DocumentFile.stamp(temporary.file) ?? after
  }

  /// Put aside before it goes, so that it can be looked at when nobody finds it by its name any more: what
  /// another writer put there since stays.
  private func removeSource(_ stamp: FileStamp) throws(ContinuityError) {
    let aside = source.parent.appending(TemporaryFile.name(for: source))
    try unless { () throws(Errno) in try source.rename(to: aside) }
    guard DocumentFile.stamp(aside, followingLinks: false)?.isSameContent(as: stamp) == true else {
      let isBack = (try? aside.rename(to: source, mode: .keeping)) != nil
      throw ContinuityError(
        .changedWhileOpening, subject: source.shown,
        description: "\(source.shown) changed while it was being moved; try again in a moment."
          + (isBack ? "" : " What was there is in \(aside.shown)."))
    }
    try? aside.unlink()
    source.parent.synchronizeFolder()
  }

  /// Only what this move made.
  private func removeTarget(_ stamp: FileStamp) {
    guard DocumentFile.stamp(target, followingLinks: false)?.isSameFile(as: stamp) == true else { return }
    try? target.unlink()
  }

  private func taken() -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: target.shown,
      description: "\(target.shown) exists already; choose another name.")
  }

  private var action: String { "moved to \(target.shown)" }

  private func fault(_ failure: Errno) -> ContinuityError {
    DocumentFault.error(source, failure, action)
  }

  private func unless<Result>(_ work: () throws(Errno) -> Result) throws(ContinuityError) -> Result {
    try DocumentFault.unless(source, action, work)
  }
}
