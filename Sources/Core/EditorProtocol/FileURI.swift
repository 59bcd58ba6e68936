// SPDX-License-Identifier: MIT

import ActivityModel

/// A file by its URI. What was said of it later names it by the very text that the editor used.
public struct FileURI: Hashable, Sendable {
  /// As the editor wrote it.
  public let text: String
  /// The absolute path; any bytes but zero.
  public let path: [UInt8]

  /// Nil for what is no `file:` URI of this machine.
  public init?(_ text: String) {
    guard let path = FileURL.path(of: text) else { return nil }
    (self.text, self.path) = (text, path)
  }

  /// The URI of an absolute path.
  public init(path: [UInt8]) {
    self.path = path
    text = FileURL.text(of: path)
  }
}
