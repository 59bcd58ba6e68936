// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ConflictVersions
import FolderAccess
import LinuxSystem
import SyncedFolders

/// The versions of a document in conflict as a person is told of them: what the folder holds, and what other
/// devices offer.
struct ConflictList {
  /// Resolved.
  let path: FilePath
  let resolution: ConflictResolution
  /// SHA-256 of each version that could be read, by its name.
  private(set) var digests: [[UInt8]: ContentDigest] = [:]
  /// What other devices offer of the document.
  private(set) var offers: [Offer] = []

  /// Lists what is there now. The agent is asked where one runs.
  init(_ path: FilePath) throws(ContinuityError) {
    self.path = path
    resolution = try VersionLook.versions(of: path)
    guard isInConflict else { return }
    for version in resolution.versions {
      let file = try? path.parent.appending(version.name).open([.readOnly, .noFollow, .nonBlocking])
      guard let file, case .stable(let digest, let stamp, _) = ContentHasher.hash(file) else { continue }
      if stamp.isSameContent(as: version.stamp) { digests[version.name] = digest }
    }
    offers = Self.offers(of: path)
  }

  var isInConflict: Bool { !resolution.copies.isEmpty }

  /// The device that offers exactly this version.
  func offering(_ version: ConflictVersion) -> Offer? {
    guard let digest = digests[version.name] else { return nil }
    return offers.first { $0.version?.digest == digest }
  }

  /// Offers of versions that are neither the document nor a copy.
  var missing: [Offer] {
    offers.filter { offer in offer.version.map { !digests.values.contains($0.digest) } ?? false }
  }

  /// The version that a person means: by number or name, or by the beginning of its SHA-256.
  func version(meantBy word: [UInt8]) throws(ContinuityError) -> ConflictVersion {
    if let found = resolution.version(meantBy: word) { return found }
    let text = String(decoding: word, as: UTF8.self).lowercased()
    let found = resolution.versions.filter { version in
      text.utf8.count >= 8 && digests[version.name]?.description.hasPrefix(text) == true
    }
    guard let version = found.first else {
      throw ContinuityError(
        .invalidRequest, subject: DisplayText.shown(word),
        description: "There is no version \(DisplayText.shown(word)) of \(path.shown): give a number from 1 "
          + "to \(resolution.versions.count), or a file's name.")
    }
    return version
  }

  /// What a person reads of a version: what it is, from whom and when.
  func sentence(_ version: ConflictVersion) -> String {
    var parts = [version.isDocument ? "the document here" : DisplayText.shown(version.name)]
    if let device = version.device { parts.append("of device \(device)") }
    if let time = version.namedTime { parts.append("put aside \(time)") }
    if let time = LocalTime(ofContent: version.stamp) { parts.append("changed \(time.date) \(time.clock)") }
    parts.append("\(version.stamp.size) bytes")
    if let offer = offering(version) { parts.append("the version that \(offer.deviceName) offers") }
    if version.fingerprint == nil { parts.append("cannot be read") }
    return parts.joined(separator: ", ")
  }

  private static func offers(of path: FilePath) -> [Offer] {
    guard let session = try? AgentSession(startsAgent: false, limit: .seconds(2)),
      case .folders(let roots)? = try? session.ask(.listFolders, limit: .seconds(5)),
      let (root, relative) = roots.innermost(holding: path.bytes),
      case .offers(let offers)? = try? session.ask(.offers, limit: .seconds(5))
    else { return [] }
    return offers.filter { $0.folderName == root.name && $0.path == relative }
  }
}

/// One version as `resolve --json` prints it.
struct ConflictRow: Encodable {
  /// What --keep takes.
  var number: Int
  var name: String
  var path: String
  /// The path, every byte of it.
  var url: String
  /// Whether it is the document itself.
  var isDocument: Bool
  /// What the copy's name tells of its device, and of when it was put aside.
  var device: String?
  var putAside: String?
  var changedAt: String
  var size: UInt64
  /// SHA-256; nil for one that cannot be read.
  var version: String?
  /// The device that offers exactly this version.
  var offeredBy: String?

  static func rows(_ list: ConflictList) -> [ConflictRow] {
    guard list.isInConflict else { return [] }
    return list.resolution.versions.enumerated().map { ConflictRow($0.offset + 1, $0.element, list) }
  }

  init(_ number: Int, _ version: ConflictVersion, _ list: ConflictList) {
    let path = list.path.parent.appending(version.name)
    self.number = number
    name = DisplayText.shown(version.name)
    self.path = path.shown
    url = FileURL.text(of: path.bytes)
    isDocument = version.isDocument
    device = version.device
    putAside = version.namedTime
    changedAt = JSONOutput.date(
      WallTime(milliseconds: UInt64(clamping: version.stamp.modified / 1_000_000)))
    size = version.stamp.size
    self.version = list.digests[version.name]?.description
    offeredBy = list.offering(version)?.deviceName
  }
}
