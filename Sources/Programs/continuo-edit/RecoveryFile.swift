// SPDX-License-Identifier: MIT

import Continuo
import Glibc

/// Text in a file of its own beside a document's: what would be lost otherwise.
enum RecoveryFile {
  /// Writes `bytes` beside `file` as `NAME~recovered`, or another `mark` (for an untitled text: to the
  /// working folder), else to the home folder, and returns the path. A long name is cut. Never overwrites
  /// anything; only the user may read the file.
  static func write(
    _ bytes: [UInt8], besides file: String?, mark: String = "recovered"
  ) throws(ContinuityError) -> String {
    let name = file.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "untitled"
    var folders: [String] = []
    if let file, let slash = file.lastIndex(of: "/") { folders.append(String(file[..<slash])) }
    if file == nil { folders.append(".") }
    if let home = getenv("HOME") { folders.append(String(cString: home)) }
    for folder in folders {
      for number in 1...99 {
        let end = "~\(mark)\(number == 1 ? "" : "-\(number)")"
        let path = "\(folder)/\(DisplayText.cut(name, to: 255 - end.utf8.count))\(end)"
        switch create(path, bytes) {
        case 0: return path
        case EEXIST: continue
        default: break
        }
        break
      }
    }
    throw ContinuityError(
      .documentUnreadable, subject: name, "The unsaved text of \(name) could not be kept.")
  }

  /// 0, or the error number.
  private static func create(_ path: String, _ bytes: [UInt8]) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return abandon(path) }
      rest = rest.dropFirst(count)
    }
    return fsync(descriptor) == 0 ? 0 : abandon(path)
  }

  private static func abandon(_ path: String) -> Int32 {
    let reason = errno
    unlink(path)
    return reason == 0 ? EIO : reason
  }
}
