// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

extension FilePath {
  /// Nil unless `url` is a `file:` URL of this host.
  init?(_ url: URL) {
    guard let bytes = FileURL.path(of: url.absoluteString) else { return nil }
    var trimmed = bytes
    while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
    self.init(bytes: trimmed)
  }

  var url: URL? { URL(string: FileURL.text(of: bytes)) }

  /// The names in the folder, as far as it can be read; none when it cannot.
  var entries: [[UInt8]] {
    var found: [[UInt8]] = []
    try? open([.readOnly, .folder]).forEachName { name, _ in
      found.append(name)
      return true
    }
    return found
  }
}

extension FileStamp {
  /// A stamp that no file has.
  var unknown: FileStamp {
    var stamp = self
    stamp.size = .max
    return stamp
  }
}

extension DocumentFault {
  static func error(_ path: FilePath, _ failure: Errno, _ action: String) -> ContinuityError {
    error(path, failure: failure, action: action)
  }

  static func unless<Result>(
    _ path: FilePath, _ action: String, _ work: () throws(Errno) -> Result
  ) throws(ContinuityError) -> Result {
    try unless(path, action: action, perform: work)
  }
}
