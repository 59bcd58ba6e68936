// SPDX-License-Identifier: MIT

import ActivityModel
import ConflictVersions
import FolderAccess
import LinuxSystem
import SyncedFolders

/// A copy of the version that another device offers, beside the document here. The document, the offer and
/// the other device stay as they are: nothing is continued.
struct ForkedCopy {
  /// The copy.
  let path: FilePath

  /// Copies exactly that version: from here, under the document's name or a conflict copy's, else from the
  /// other device over its link, else as soon as the folder has brought it.
  /// Throws a sentence when it cannot come, `versionNeverArrived` after `timeout` seconds, and what keeps the
  /// copy from being made; then nothing is left of it.
  init(of offer: Offer, _ watch: OfferWatch, timeout: Int?) throws(ContinuityError) {
    let name = offer.displayTitle
    guard let relative = offer.path, let version = offer.version else {
      throw ContinuityError(
        .invalidRequest, subject: name,
        description: "\(name) of \(offer.deviceName) has no document to copy: `continuo resume` continues it."
      )
    }
    guard let local = OfferPlaces(of: [offer]).path(of: offer) else {
      throw ContinuityError(
        .folderUnavailable, subject: offer.folderName,
        description: "This device has no folder \(offer.folderName): `continuo folder add` registers one.")
    }
    let document = FilePath(bytes: local)
    var wait = DocumentWait(folderName: offer.folderName, path: relative, offer: offer.id)
    let deadline = timeout.map { Instant.now + .seconds($0) }
    // The first list is no waiting: also `--timeout 0` asks the agent.
    var offers = try watch.next(until: Instant.now + .seconds(30))
    var told: Reason?
    if let bytes = Self.bytes(of: version, document) ?? FetchedDocument.bytes(of: version, offer, timeout) {
      path = try Self.copy(bytes, offer, document)
      return
    }
    while let list = offers {
      if let bytes = Self.bytes(of: version, document) {
        path = try Self.copy(bytes, offer, document)
        return
      }
      switch wait.receive(list) {
      case .gone(let error): throw error
      case .here: throw Self.gone(offer)
      case .waits(let reason):
        if let reason, reason != told { Terminal.hint(reason.sentence) }
        told = reason
      }
      offers = try watch.next(until: deadline)
    }
    throw ContinuityError(
      .versionNeverArrived, subject: name,
      because: told ?? .told("The agent did not say what is offered: `continuo status` asks it."))
  }

  /// The bytes of exactly that version, wherever beside the document they lie.
  private static func bytes(of version: DocumentVersion, _ document: FilePath) -> [UInt8]? {
    let names = (try? document.parent.names()) ?? []
    let copies = names.filter { SyncNames.isConflictCopy($0, of: document.name) }
    for path in [document] + copies.map(document.parent.appending) {
      guard let file = try? path.open([.readOnly, .noFollow, .nonBlocking, .noTerminal]),
        let bytes = bytes(of: version, in: file)
      else { continue }
      return bytes
    }
    return nil
  }

  /// The bytes of the file from where it is read, where they are exactly that version's.
  static func bytes(of version: DocumentVersion, in file: Descriptor) -> [UInt8]? {
    guard let status = try? file.status(), status.kind == .regular, UInt64(status.size) == version.size,
      let bytes = try? file.readToEnd(limit: status.size), UInt64(bytes.count) == version.size,
      ContentHasher.digest(of: bytes) == version.digest
    else { return nil }
    return bytes
  }

  private static func copy(
    _ bytes: [UInt8], _ offer: Offer, _ document: FilePath
  ) throws(ContinuityError) -> FilePath {
    let folder = document.parent
    let real = try DocumentFault.unless(folder, action: "written to") { () throws(Errno) in
      try folder.realPath()
    }
    guard real == folder else {
      throw DocumentFault.error(folder, failure: .symbolicLink, action: "written to")
    }
    let names = SyncNames.namesBeside(document.name, what: "copy from \(offer.deviceName)")
    let made = try DocumentFault.unless(folder.appending(names[0]), action: "written") { () throws(Errno) in
      try FreeName.create(with: bytes, like: document, in: folder, firstFreeOf: names)
    }
    guard let made else {
      throw DocumentFault.error(folder.appending(names[0]), failure: .fileExists, action: "written")
    }
    return made
  }

  private static func gone(_ offer: Offer) -> ContinuityError {
    ContinuityError(
      .documentMissing, subject: offer.displayTitle,
      description: "The document here goes on from the version of \(offer.deviceName), whose bytes are "
        + "not here any more: copy the document itself.")
  }

  /// Opens it: a text in the sample editor on this terminal, else with the desktop's default app. Whether
  /// something was started.
  func open(_ offer: Offer) -> Bool {
    SampleEditor.open(path, type: offer.type)
    let isGraphical = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      CurrentProcess.variable($0)?.isEmpty == false
    }
    guard isGraphical else { return false }
    var start = ChildProcess.Start("xdg-open")
    start.paths = [path]
    return (try? ChildProcess(start))?.wait() == .code(0)
  }
}

/// What `resume --fork --print --json` prints.
struct ForkRow: Encodable {
  var path: String
  /// The path, every byte of it.
  var url: String
  var device: String
  /// SHA-256 of the copied version.
  var version: String?

  init(_ copy: ForkedCopy, _ offer: Offer) {
    path = copy.path.shown
    url = FileURL.text(of: copy.path.bytes)
    device = offer.deviceName
    version = offer.version?.digest.description
  }
}
