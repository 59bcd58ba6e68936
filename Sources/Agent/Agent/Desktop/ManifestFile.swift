// SPDX-License-Identifier: MIT

package import ActivityModel
import LinuxSystem

/// An `Info.plist` on disk, read with a limit. Asks no agent.
package struct ManifestFile {
  private let path: String

  /// The file at that path.
  package init(path: String) { self.path = path }

  /// What it declares. Throws `invalidManifest` when the file cannot be read or cannot be used.
  package func check() throws(ContinuityError) -> CheckedManifest {
    try ManifestReader.check(try bytes(), file: path)
  }

  /// One byte more than allowed is enough to be refused for its size.
  private func bytes() throws(ContinuityError) -> [UInt8] {
    let (bytes, status) = try contents()
    guard status.kind == .regular else {
      throw ContinuityError(
        .invalidManifest, subject: path,
        description: "\(path) is not a regular file; name the Info.plist itself.")
    }
    // The size in the refusal is the file's, not that of what was read.
    if bytes.count > ManifestReader.sizeLimit, status.size > bytes.count {
      throw ContinuityError(
        .invalidManifest, subject: path,
        description:
          "\(path) has \(status.size) bytes; an Info.plist may have at most \(ManifestReader.sizeLimit).")
    }
    return bytes
  }

  /// None for what is no regular file.
  private func contents() throws(ContinuityError) -> ([UInt8], FileStatus) {
    do throws(Errno) {
      let file = try FilePath(path).open([.readOnly, .nonBlocking, .noTerminal])
      let status = try file.status()
      guard status.kind == .regular else { return ([], status) }
      return (try file.readToEnd(limit: ManifestReader.sizeLimit), status)
    } catch {
      throw ContinuityError(
        .invalidManifest, subject: path,
        description: "\(path) cannot be read (\(error.text)): check its name and permissions.")
    }
  }
}
