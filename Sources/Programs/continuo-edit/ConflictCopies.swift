// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TextEditing

/// The conflict copies that lie in a document's folder now.
enum ConflictCopies {
  /// Newest first.
  static func beside(_ path: String) -> [ConflictCopy] {
    guard let slash = path.lastIndex(of: "/") else { return [] }
    let (folder, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
    // A folder that cannot be listed shows no copies; nothing is done to any.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder)) ?? []
    return names.filter { ConflictCopy.isCopy($0, of: name) }
      .compactMap { copy in
        let path = "\(folder)/\(copy)"
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (facts.st_mtim.tv_sec, ConflictCopy(path: path, modified: shown(facts.st_mtim.tv_sec)))
      }
      .sorted { $0.0 > $1.0 }
      .map { (_: time_t, copy: ConflictCopy) in copy }
  }

  /// Local time to the minute.
  private static func shown(_ seconds: time_t) -> String {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min))"
  }
}
