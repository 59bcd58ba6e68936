// SPDX-License-Identifier: MIT

import ActivityModel
import EditorProtocol
import LinuxSystem

extension FileLook {
  /// Larger files are marked, and not read.
  private static let limit: UInt64 = 64 << 20

  /// What lies in a file now; nil where no file is, or none that can be read. The bytes of the file `known`
  /// are not read again.
  static func of(_ uri: FileURI, known: FileMark?) -> FileLook? {
    guard let file = try? FilePath(bytes: uri.path).open([.readOnly, .nonBlocking]),
      let status = try? file.status(), status.kind == .regular
    else { return nil }
    let mark = status.stamp.mark
    if mark == known || mark.size > limit { return FileLook(mark: mark) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(mark.size))
    var piece = [UInt8](repeating: 0, count: 256 * 1024)
    while let count = try? file.read(into: &piece) {
      guard count > 0 else { return FileLook(mark: mark, bytes: bytes) }
      bytes += piece.prefix(count)
    }
    return nil
  }
}
