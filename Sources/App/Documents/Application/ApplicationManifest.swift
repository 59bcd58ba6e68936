// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Glibc

/// Finds an app's own manifest: beside its executable, in the XDG directories of apps, else the bytes it
/// carries.
enum ApplicationManifest {
  /// The first one that exists counts; when it is malformed that is an error, and nothing else is tried.
  static func find(
    embedded: [UInt8]?, executable: String?, environment: [String: String]
  ) throws(ContinuityError) -> AppManifest {
    let own = try embedded.map { (bytes) throws(ContinuityError) in
      try ManifestReader.manifest(from: bytes, file: "the embedded Info.plist")
    }
    let name = executable?.split(separator: "/").last.map(String.init)
    let candidates = ManifestReader.candidates(
      executable: executable, appIDs: [own?.appID, name].compactMap { $0 },
      places: try? AgentPlaces(environment: environment))
    for file in candidates {
      if let bytes = try read(file) { return try ManifestReader.manifest(from: bytes, file: file) }
    }
    if let own { return own }
    throw ContinuityError(
      .invalidManifest, subject: name ?? "",
      "This app has no Info.plist; put one at \(candidates.first ?? "<executable>.Info.plist").")
  }

  /// This program's own file, links followed.
  static func ownExecutable() -> String? {
    FilePath(bytes: Array("/proc/self/exe".utf8)).resolved.map(\.shown)
  }

  /// Nil when no file is there.
  private static func read(_ file: String) throws(ContinuityError) -> [UInt8]? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      throw fault(file, code)
    }
    let owned = OwnedDescriptor(descriptor)
    var status = stat()
    guard fstat(owned.value, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ContinuityError(.invalidManifest, subject: file, "\(file) is not a regular file; replace it.")
    }
    // One byte more than allowed is enough to be refused for its size.
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), ManifestReader.sizeLimit + 1))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(owned.value, $0.baseAddress?.advanced(by: filled), $0.count - filled, off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(file, errno) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  private static func fault(_ file: String, _ code: Int32) -> ContinuityError {
    ContinuityError(
      .invalidManifest, subject: file,
      "\(file) cannot be read (\(String(cString: strerror(code)))); make it readable or remove it.")
  }
}
