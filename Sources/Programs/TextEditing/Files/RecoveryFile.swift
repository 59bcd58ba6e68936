// SPDX-License-Identifier: MIT

public import Continuo
import LinuxSystem

/// Text in a file of its own beside a document's: what would be lost otherwise.
public enum RecoveryFile {
  /// Writes `bytes` beside `file` as `NAME~recovered`, or another `mark` (for an untitled text: to the
  /// working folder), else to the home folder, and returns the path. A long name is cut. Never overwrites
  /// anything; only the user may read the file.
  /// Throws `documentUnreadable` where no folder takes it.
  public static func write(
    _ bytes: [UInt8], besides file: String?, mark: String = "recovered"
  ) throws(ContinuityError) -> String {
    let name = file.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "untitled"
    var folders: [String] = []
    if let file, let slash = file.lastIndex(of: "/") { folders.append(String(file[..<slash])) }
    if file == nil { folders.append(".") }
    if let home = CurrentProcess.variable("HOME") { folders.append(home) }
    for folder in folders {
      for number in 1...99 {
        let end = "~\(mark)\(number == 1 ? "" : "-\(number)")"
        let path = "\(folder)/\(DisplayText.cut(name, to: 255 - end.utf8.count))\(end)"
        do throws(Errno) {
          try create(FilePath(path), bytes)
          return path
        } catch {
          guard error == .fileExists else { break }
        }
      }
    }
    throw ContinuityError(
      .documentUnreadable, subject: name, description: "The unsaved text of \(name) could not be kept.")
  }

  /// Under its name from the start, which has to be a new one. A file that is not whole is taken away.
  static func create(_ path: FilePath, _ bytes: [UInt8]) throws(Errno) {
    let file = try path.open([.writeOnly, .create, .exclusive, .noFollow], mode: 0o600)
    do throws(Errno) {
      try file.writeAll(bytes)
      try file.synchronize()
    } catch {
      try? path.unlink()
      throw error
    }
  }
}
