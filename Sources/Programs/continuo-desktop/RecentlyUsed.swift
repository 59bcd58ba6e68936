// SPDX-License-Identifier: MIT

import CDesktopGLib
import CLinux
import Glibc

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

  let path: [UInt8]
  /// For tests: runs between reading and replacing.
  var meanwhile: () -> Void = {}

  init(path: [UInt8]) { self.path = path }

  private static let attempts = 8
  private static let sizeLimit = 16 << 20
  private static let noReplace: UInt32 = 1
  private static let exchange: UInt32 = 2

  private var shown: String { String(decoding: path, as: UTF8.self) }

  /// Notes the use, and returns when it is on the disk.
  func note(_ use: Use) throws(DesktopFault) {
    let place = resolved
    for _ in 0..<Self.attempts {
      let former = try read(place)
      let content = try changed(former?.bytes ?? [], use)
      meanwhile()
      if try replace(place, expecting: former?.status, with: content) { return }
    }
    throw DesktopFault(sentence: "\(shown) is being changed all the time; nothing was noted in it.")
  }

  /// Where a link leads, so that the link stays.
  private var resolved: [UInt8] {
    withText(path) { text in
      guard let real = realpath(text, nil) else { return path }
      defer { free(real) }
      return (0..<strlen(real)).map { UInt8(bitPattern: real[$0]) }
    }
  }

  // MARK: Reading

  private func read(_ place: [UInt8]) throws(DesktopFault) -> (bytes: [UInt8], status: stat)? {
    let descriptor = withText(place) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw fault("cannot be read", errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault("cannot be read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
      throw DesktopFault(
        sentence: "\(shown) is no list of recent files of less than 16 MB; look what it is, and remove it.")
    }
    guard let bytes = FileBeginning.read(descriptor, limit: Self.sizeLimit) else {
      throw fault("cannot be read", errno)
    }
    return (bytes, status)
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
    _ place: [UInt8], expecting former: stat?, with content: [UInt8]
  ) throws(DesktopFault) -> Bool {
    let folder = Array(place[..<(place.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
    Self.makeFolder(folder)
    var pattern = (folder + Array("/.recently-used.xbel.XXXXXX".utf8)).map { CChar(bitPattern: $0) } + [0]
    let descriptor = mkstemp(&pattern)
    guard descriptor >= 0 else { throw fault("cannot be written", errno) }
    defer { close(descriptor) }
    let name = pattern
    guard FileBeginning.write(content, to: descriptor),
      fchmod(descriptor, (former?.st_mode ?? 0o600) & 0o777) == 0,
      fsync(descriptor) == 0
    else {
      let code = errno
      unlink(name)
      throw fault("cannot be written", code)
    }
    let result = put(name, descriptor, at: place, expecting: former)
    if result != 0 { unlink(name) }
    guard result == 0 || result == EAGAIN else { throw fault("cannot be written", result) }
    Self.synchronize(folder)
    return result == 0
  }

  /// 0, `EAGAIN` when something else lies there than was read, or why it failed.
  private func put(
    _ name: [CChar], _ descriptor: Int32, at place: [UInt8], expecting former: stat?
  ) -> Int32 {
    func rename(_ flags: UInt32) -> Int32 {
      withText(place) { continuo_renameat2(AT_FDCWD, name, AT_FDCWD, $0, flags) } == 0 ? 0 : errno
    }
    guard let former else {
      let result = rename(Self.noReplace)
      return result == EEXIST ? EAGAIN : result
    }
    guard Self.isSame(place, former) else { return EAGAIN }
    let result = rename(Self.exchange)
    // A file system that cannot exchange: a moment remains in which another writer may come between.
    if result == EINVAL || result == ENOSYS || result == EOPNOTSUPP { return rename(0) }
    // It was there a moment ago: another writer may have removed it.
    guard result == 0 else { return result == ENOENT ? EAGAIN : result }
    if Self.isSame(name.dropLast().map { UInt8(bitPattern: $0) }, former) {
      unlink(name)
      return 0
    }
    // Back again; if a third writer replaced ours meanwhile, its list is the newest.
    _ = rename(Self.exchange)
    var own = stat()
    var out = stat()
    if fstat(descriptor, &own) == 0, stat(name, &out) == 0, own.st_ino != out.st_ino {
      _ = rename(Self.exchange)
    }
    return EAGAIN
  }

  private static func isSame(_ path: [UInt8], _ former: stat) -> Bool {
    var now = stat()
    return withText(path) { stat($0, &now) } == 0 && now.st_dev == former.st_dev
      && now.st_ino == former.st_ino
      && now.st_size == former.st_size && now.st_mtim.tv_sec == former.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == former.st_mtim.tv_nsec
  }

  private static func makeFolder(_ folder: [UInt8]) {
    for end in folder.indices.dropFirst() where folder[end] == UInt8(ascii: "/") {
      _ = withText(Array(folder[..<end])) { mkdir($0, 0o700) }
    }
    _ = withText(folder) { mkdir($0, 0o700) }
  }

  private static func synchronize(_ folder: [UInt8]) {
    let descriptor = withText(folder) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func fault(_ what: String, _ code: Int32) -> DesktopFault {
    DesktopFault(sentence: "\(shown) \(what): \(String(cString: strerror(code))).")
  }
}

/// Bytes of files.
enum FileBeginning {
  /// What the desktop's rules look at.
  private static let sample = 4096

  /// The MIME type of the file at that path, by its name alone where it cannot be read.
  static func type(of path: [UInt8]) -> String {
    let name = Array(path.split(separator: UInt8(ascii: "/")).last ?? [])
    let descriptor = withText(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { return ContentType.guess(name, []) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return ContentType.guess(name, [])
    }
    return ContentType.guess(name, (read(descriptor, limit: sample) ?? [])[...])
  }

  /// Up to `limit` bytes; nil when they cannot be read.
  static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &piece, min(piece.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }

  /// What there is next: empty at the end and when it cannot be read, nil when there is nothing yet.
  static func piece(of descriptor: Int32) -> ArraySlice<UInt8>? {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    return piece.prefix(max(0, count))
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = writeSome(rest, to: descriptor), count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// How many of them were taken: 0 when there is no room now, nil when there never will be.
  static func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return 0 }
      return count > 0 ? count : nil
    }
  }
}
