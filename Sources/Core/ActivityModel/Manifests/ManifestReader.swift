// SPDX-License-Identifier: MIT

/// An app's `Info.plist` as bytes -> `AppManifest`. XML only, at most 256 KiB.
///
/// The bytes are read by `PropertyListReader`, not by Foundation: errors name a line, and a binary property
/// list of 43 bytes ends the process inside Foundation on Linux. Pure: who calls reads the file.
public enum ManifestReader {
  /// The most bytes an `Info.plist` may have.
  public static let sizeLimit = 256 * 1024

  /// The manifest that `bytes` declare. `file` names them in errors.
  ///
  /// Throws `invalidManifest` naming file, line, key and value.
  public static func manifest(from bytes: [UInt8], file: String) throws(ContinuityError) -> AppManifest {
    try check(bytes, file: file).manifest
  }

  /// The manifest that `bytes` declare, and what in it is allowed but probably not meant.
  ///
  /// Throws as `manifest(from:file:)` does: warnings never keep an app from starting.
  public static func check(_ bytes: [UInt8], file: String) throws(ContinuityError) -> CheckedManifest {
    try checkForm(bytes, file: file)
    let read: PropertyListEntry
    do throws(PropertyListReader.Fault) {
      read = try PropertyListReader.read(bytes)
    } catch {
      throw fault(file, error.line, error.description)
    }
    guard case .dictionary(let members) = read.value else {
      throw fault(file, read.line, "a dictionary (<dict>) is expected at the top")
    }
    var decoder = ManifestDecoder(file: file)
    let manifest = try decoder.manifest(ManifestKeys(members: members, line: read.line))
    return CheckedManifest(manifest: manifest, warnings: decoder.warnings.sorted { $0.line < $1.line })
  }

  /// Where an app's manifest is looked for, in order: beside the executable, then in the XDG directories of
  /// apps.
  ///
  /// The first that exists counts, also when it is malformed. `appIDs` are the names the app may be installed
  /// under.
  public static func candidates(
    executable: String?, appIDs: [String], places: AgentPlaces?
  ) -> [String] {
    let beside = executable.map { [$0 + ".Info.plist"] } ?? []
    let installed = appIDs.flatMap { appID in
      (places?.manifestDirectories ?? []).map { $0 + "/" + appID + "/Info.plist" }
    }
    return beside + installed
  }

  private static func checkForm(_ bytes: [UInt8], file: String) throws(ContinuityError) {
    guard bytes.count <= sizeLimit else {
      throw invalid(file, "has \(bytes.count) bytes; an Info.plist may have at most \(sizeLimit)")
    }
    guard !bytes.starts(with: "bplist".utf8) else {
      throw invalid(file, "is a binary property list; convert it with plutil -convert xml1")
    }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let start = content.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard ["<?xml", "<!DOCTYPE plist", "<!--", "<plist"].contains(where: { start.starts(with: $0.utf8) })
    else {
      throw invalid(file, "is not an XML property list; it must begin with <?xml or <plist")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw invalid(file, "is not valid UTF-8; save it as UTF-8")
    }
  }

  static func fault(_ file: String, _ line: Int, _ fault: String) -> ContinuityError {
    ContinuityError(.invalidManifest, subject: file, description: "\(file), line \(line): \(fault).")
  }

  private static func invalid(_ file: String, _ fault: String) -> ContinuityError {
    ContinuityError(.invalidManifest, subject: file, description: "\(file) \(fault).")
  }
}

/// A manifest that can be used, and what its author may want to look at again.
public struct CheckedManifest: Hashable, Sendable {
  /// What was understood.
  public var manifest: AppManifest
  /// In the order of their lines.
  public var warnings: [ManifestWarning]
}

/// Something in an `Info.plist` that is allowed, and probably not meant.
public struct ManifestWarning: Hashable, Sendable, CustomStringConvertible {
  /// Where it stands, from 1.
  public var line: Int
  /// The key's path, as in `CFBundleDocumentTypes[0].CFBundleTypeRole`.
  public var key: String
  /// One sentence that says what comes of it, and what to do.
  public var description: String
}
