// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

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
      description: "This app has no Info.plist; put one at \(candidates.first ?? "<executable>.Info.plist").")
  }

  /// This program's own file, links followed.
  static func ownExecutable() -> String? {
    FilePath("/proc/self/exe").resolved.map(\.shown)
  }

  /// Nil when no file is there.
  private static func read(_ file: String) throws(ContinuityError) -> [UInt8]? {
    let opened: Descriptor
    do throws(Errno) { opened = try FilePath(file).open([.readOnly, .nonBlocking, .noTerminal]) } catch {
      if error == .noSuchFile || error == .notFolder { return nil }
      throw fault(file, error)
    }
    guard let status = try? opened.status(), status.kind == .regular else {
      throw ContinuityError(
        .invalidManifest, subject: file, description: "\(file) is not a regular file; replace it.")
    }
    do throws(Errno) {
      // One byte more than allowed is enough to be refused for its size.
      return try opened.readToEnd(limit: ManifestReader.sizeLimit)
    } catch {
      throw fault(file, error)
    }
  }

  private static func fault(_ file: String, _ failure: Errno) -> ContinuityError {
    ContinuityError(
      .invalidManifest, subject: file,
      description: "\(file) cannot be read (\(failure.text)); make it readable or remove it.")
  }
}
