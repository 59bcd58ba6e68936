// SPDX-License-Identifier: MIT

import ActivityModel

/// The marker files that make "everything up to now has been told" exact.
///
/// Whoever asks creates an empty file of this name in the root's `.continuo` directory, or in the root itself
/// where there is none, and deletes it when `FolderHint.synchronized` comes. The kernel queues a folder's
/// events in order, so what happened before the file was created has been told by then. Only the kernel's
/// report of the creation counts, never a listing. After a `rescan` of the root the report may be among the
/// lost events: write another file. The name ends in `~` because engines and editors leave such files alone.
public enum WatchCookie {
  private static let prefix: [UInt8] = Array(".continuo-cookie-".utf8)

  /// The name of the file for `cookie`, 1 to 64 bytes that the asker chose at random.
  public static func name(for cookie: [UInt8]) -> [UInt8] {
    prefix + Array(cookie.hexadecimal.utf8) + [UInt8(ascii: "~")]
  }

  /// The cookie that a file name stands for; nil for every other file.
  public static func cookie(inName name: [UInt8]) -> [UInt8]? {
    guard name.last == UInt8(ascii: "~"), name.starts(with: prefix) else { return nil }
    let digits = String(decoding: name[prefix.count..<(name.count - 1)], as: UTF8.self)
    guard let cookie = [UInt8](hexadecimal: digits), (1...64).contains(cookie.count) else { return nil }
    return self.name(for: cookie) == name ? cookie : nil
  }
}
