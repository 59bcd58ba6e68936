// SPDX-License-Identifier: MIT

import ActivityModel
import CDesktopGLib
import LinuxSystem

/// The desktop's list of recent files, `recently-used.xbel`, which every program reads and replaces as a
/// whole.
///
/// There is no lock for it. It is read, changed by GLib's `GBookmarkFile`, written beside, and put in its
/// place only if what lay there is still what was read; else all that is done again. A list that GLib does
/// not understand is never replaced.
struct RecentlyUsed {
  /// A file, and who opened it.
  struct Use {
    /// Its absolute path.
    var file: [UInt8]
    /// The name of the app, for people.
    var application: String
    /// The absolute path of the app's program; without one the app's name is taken for its command.
    var program: [UInt8]
  }

  private let path: FilePath
  /// For tests: runs between reading and replacing.
  var meanwhile: () -> Void = {}

  init(path: [UInt8]) { self.path = FilePath(bytes: path) }

  private static let attempts = 8
  private static let sizeLimit = 16 << 20

  private var shown: String { String(decoding: path.bytes, as: UTF8.self) }

  /// Notes the use, and returns when it is on the disk.
  func record(_ use: Use) throws(DesktopFault) {
    // Where a link leads, so that the link stays.
    let place = (try? path.realPath()) ?? path
    for _ in 0..<Self.attempts {
      let former = try read(place)
      let content = try changed(former?.bytes ?? [], use)
      meanwhile()
      if try replace(place, expecting: former?.status, with: content) { return }
    }
    throw DesktopFault(sentence: "\(shown) is being changed all the time; nothing was noted in it.")
  }

  // MARK: Reading

  private func read(_ place: FilePath) throws(DesktopFault) -> (bytes: [UInt8], status: FileStatus)? {
    do throws(Errno) {
      let file = try place.open([.readOnly, .nonBlocking, .noTerminal])
      let status = try file.status()
      if status.kind == .regular, status.size <= Self.sizeLimit {
        return (try file.readToEnd(limit: Self.sizeLimit), status)
      }
    } catch {
      if error == .noSuchFile { return nil }
      throw fault("cannot be read", error)
    }
    throw DesktopFault(
      sentence: "\(shown) is no list of recent files of less than 16 MB; look what it is, and remove it.")
  }

  private func changed(_ former: [UInt8], _ use: Use) throws(DesktopFault) -> [UInt8] {
    guard let list = g_bookmark_file_new() else { return former }
    defer { g_bookmark_file_free(list) }
    var problem: UnsafeMutablePointer<GError>?
    if !former.isEmpty {
      let isRead = former.withUnsafeBufferPointer {
        g_bookmark_file_load_from_data(
          list, UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: gchar.self), gsize($0.count),
          &problem)
      }
      guard isRead != 0 else {
        throw Self.fault(problem) {
          "\(shown) is not understood (\($0)), so nothing was noted in it; repair or remove it."
        }
      }
    }
    guard let uri = withText(use.file, { g_filename_to_uri($0, nil, &problem) }) else {
      throw Self.fault(problem) { "A file cannot be noted in \(shown): \($0)." }
    }
    defer { g_free(uri) }
    g_bookmark_file_set_mime_type(list, uri, FileBeginning.type(of: use.file))
    g_bookmark_file_add_application(list, uri, use.application, Self.command(of: use))
    var length: gsize = 0
    guard let text = g_bookmark_file_to_data(list, &length, &problem) else {
      throw Self.fault(problem) { "\(shown) cannot be made: \($0)." }
    }
    defer { g_free(text) }
    return UnsafeBufferPointer(start: text, count: Int(length)).map { UInt8(bitPattern: CChar($0)) }
  }

  /// `%u` stands for the file, as in desktop entries.
  private static func command(of use: Use) -> String {
    let program = use.program.isEmpty ? Array(use.application.utf8) : use.program
    guard let quoted = withText(program, { g_shell_quote($0) }) else { return "\(use.application) %u" }
    defer { g_free(quoted) }
    return String(cString: quoted) + " %u"
  }

  private static func fault(
    _ problem: UnsafeMutablePointer<GError>?, _ sentence: (String) -> String
  ) -> DesktopFault {
    guard let problem else { return DesktopFault(sentence: sentence("GLib does not say why")) }
    defer { g_error_free(problem) }
    return DesktopFault(sentence: sentence(problem.pointee.message.map { String(cString: $0) } ?? ""))
  }

  // MARK: Replacing

  /// False, with everything as another writer left it, when that one was faster.
  private func replace(
    _ place: FilePath, expecting former: FileStatus?, with content: [UInt8]
  ) throws(DesktopFault) -> Bool {
    let folder = place.parent
    folder.makeFolders(mode: 0o700)
    let beside = folder.appending(Array(".recently-used.xbel.".utf8) + DurableFile.temporaryName())
    do throws(Errno) {
      let file = try beside.open([.writeOnly, .create, .exclusive, .noFollow], mode: 0o600)
      let isReplaced: Bool
      do throws(Errno) {
        try file.writeAll(content)
        try file.setPermissions((former?.permissions ?? 0o600) & 0o777)
        try file.synchronize()
        isReplaced = try put(beside, file, at: place, expecting: former)
      } catch {
        try? beside.unlink()
        throw error
      }
      if !isReplaced { try? beside.unlink() }
      folder.synchronizeFolder()
      return isReplaced
    } catch {
      throw fault("cannot be written", error)
    }
  }

  /// False when something else lies there than was read.
  private func put(
    _ beside: FilePath, _ file: Descriptor, at place: FilePath, expecting former: FileStatus?
  ) throws(Errno) -> Bool {
    guard let former else { return try rename(beside, to: place, .keeping, unless: .fileExists) }
    guard Self.isSame(place, former) else { return false }
    do throws(Errno) {
      // It was there a moment ago: another writer may have removed it.
      guard try rename(beside, to: place, .exchanging, unless: .noSuchFile) else { return false }
    } catch {
      // A file system that cannot exchange: a moment remains in which another writer may come between.
      guard error.isUnsupported else { throw error }
      try beside.rename(to: place)
      return true
    }
    if Self.isSame(beside, former) {
      try? beside.unlink()
      return true
    }
    // Back again; if a third writer replaced ours meanwhile, its list is the newest.
    try? beside.rename(to: place, mode: .exchanging)
    if let own = try? file.status(), let out = try? beside.status(), own.stamp.inode != out.stamp.inode {
      try? beside.rename(to: place, mode: .exchanging)
    }
    return false
  }

  /// False when it fails for that reason.
  private func rename(
    _ path: FilePath, to newPath: FilePath, _ mode: RenameMode, unless reason: Errno
  ) throws(Errno) -> Bool {
    do throws(Errno) { try path.rename(to: newPath, mode: mode) } catch {
      guard error == reason else { throw error }
      return false
    }
    return true
  }

  private static func isSame(_ path: FilePath, _ former: FileStatus) -> Bool {
    guard let now = try? path.status().stamp else { return false }
    return now.device == former.stamp.device && now.mark == former.stamp.mark
  }

  private func fault(_ what: String, _ reason: Errno) -> DesktopFault {
    DesktopFault(sentence: "\(shown) \(what): \(reason.text).")
  }
}

/// The beginnings of files.
enum FileBeginning {
  /// What the desktop's rules look at.
  private static let sample = 4096

  /// The MIME type of the file at that path, by its name alone where it cannot be read.
  static func type(of path: [UInt8]) -> String {
    let path = FilePath(bytes: path)
    guard let file = try? path.open([.readOnly, .nonBlocking, .noTerminal]),
      (try? file.status())?.kind == .regular, let bytes = try? file.readToEnd(limit: sample)
    else { return ContentType.guess(path.name, []) }
    return ContentType.guess(path.name, bytes.prefix(sample))
  }

  /// What there is next: empty at the end and when it cannot be read, nil when there is nothing yet.
  static func piece(of descriptor: Int32) -> ArraySlice<UInt8>? {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    do throws(Errno) {
      let count = try BorrowedDescriptor(descriptor).read(into: &piece)
      return piece.prefix(count)
    } catch {
      return error == .wouldBlock ? nil : []
    }
  }

  /// How many of them were taken: 0 when there is no room now, nil when there never will be.
  static func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    do throws(Errno) {
      return try BorrowedDescriptor(descriptor).write(Array(bytes))
    } catch {
      return error == .wouldBlock ? 0 : nil
    }
  }
}
