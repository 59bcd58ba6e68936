// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc

/// An `Info.plist` on disk, read with a limit. Asks no agent.
struct ManifestFile {
  let path: String

  /// Throws `invalidManifest` when the file cannot be read or cannot be used.
  func check() throws(ContinuityError) -> CheckedManifest {
    try ManifestReader.check(try bytes(), file: path)
  }

  /// One byte more than allowed is enough to be refused for its size.
  private func bytes() throws(ContinuityError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ContinuityError(
        .invalidManifest, subject: path, "\(path) is not a regular file; name the Info.plist itself.")
    }
    var bytes = [UInt8](repeating: 0, count: ManifestReader.sizeLimit + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable }
      if count == 0 { break }
      filled += count
    }
    // The size in the refusal is the file's, not that of what was read.
    if filled == bytes.count, status.st_size > bytes.count {
      throw ContinuityError(
        .invalidManifest, subject: path,
        "\(path) has \(status.st_size) bytes; an Info.plist may have at most \(ManifestReader.sizeLimit).")
    }
    return Array(bytes.prefix(filled))
  }

  private var unreadable: ContinuityError {
    ContinuityError(
      .invalidManifest, subject: path,
      "\(path) cannot be read (\(String(cString: strerror(errno)))): check its name and permissions.")
  }
}
