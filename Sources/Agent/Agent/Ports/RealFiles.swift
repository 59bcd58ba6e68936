// SPDX-License-Identifier: MIT

import ActivityIndex
package import ActivityModel
package import AgentEngine
import FolderAccess
import LinuxSystem
package import SyncedFolders
import VersionHistory

// What the agent asks of files, by the rooms that have hands.

extension Descriptor: OpenFile {
  package func isOther(than stamp: FileStamp) -> Bool {
    guard let status = try? status() else { return false }
    return !status.stamp.isSameFile(as: stamp)
  }

  package var size: UInt64 { (try? status())?.stamp.size ?? 0 }
}

extension ReceivedFile: OpenFile {
  package func isOther(than stamp: FileStamp) -> Bool { descriptor.isOther(than: stamp) }

  package var size: UInt64 { descriptor.size }
}

extension OpenFile {
  /// What another process is handed.
  var passed: Descriptor? { (self as? any LaidSource)?.descriptor }
}

extension SyncedDirectory: SyncedFolder {
  /// See `SyncedFolder`. Throws what opening beneath the folder throws.
  package func open(document path: RelativePath) throws(ContinuityError) -> OpenedDocument {
    let document = try open(path)
    return OpenedDocument(path: path, file: document.descriptor, stamp: document.stamp)
  }

  package func hash(
    _ path: RelativePath, file: (any OpenFile)?, isCancelled: () -> Bool, progress: (UInt64) -> Void
  ) -> HashOutcome {
    guard let descriptor = file as? Descriptor else {
      return hash(path, isCancelled: isCancelled, progress: progress)
    }
    return hash(descriptor, at: path, isCancelled: isCancelled, progress: progress)
  }

  package func lay(
    _ document: LaidDocument, from file: any OpenFile, keeping kept: any ReplacedFiles,
    isCancelled: () -> Bool, progress: (UInt64) -> Void
  ) -> (outcome: LayingOutcome, stamp: FileStamp?) {
    guard let source = file as? any LaidSource else { return (.otherBytes, nil) }
    return lay(
      document, from: source,
      known: { kept.digest(of: $0, isCancelled: isCancelled) },
      keep: { (former, name, digest) throws(ContinuityError) in
        try kept.keep(former, called: name, digest: digest)
      }, isCancelled: isCancelled, progress: progress)
  }

  /// See `SyncedFolder`. Throws `folderUnavailable` when the folder of records cannot be opened or made.
  package func ownFiles(creating: Bool) throws(ContinuityError) -> (any OwnFiles)? {
    try OwnDirectory.records(in: self, creating: creating)
  }

  package func age(of stamp: FileStamp) -> Duration { stamp.age }
}

extension OwnDirectory: OwnFiles {
  /// File systems of this computer's kernel that tell of each change.
  private static let telling: Set<Int64> = [
    0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e, 0x3153_464a,
    0x2011_bab0, 0x4d44, 0x7366_746e, 0x8584_58f6, 0x794c_7630, 0xf15f, 0x5265_4973,
  ]

  package var raisesEvents: Bool { Self.telling.contains(fileSystem & 0xffff_ffff) }

  /// Others may read what `isShared`: an engine may run as another user of the person's choice. Throws
  /// `folderUnavailable` with what the file system said; the old bytes stay then.
  package func replace(_ name: String, with bytes: [UInt8], isShared: Bool) throws(ContinuityError) {
    try replace(name, with: bytes, mode: isShared ? 0o644 : 0o600)
  }

  /// See `OwnFiles`. Throws `folderUnavailable` when the folder cannot be listed.
  package func scan(_ found: ([UInt8], FileObservation) -> Void) throws(ContinuityError) -> Bool {
    try scan(limit: OwnFilesLimit.scan, found: found)
  }

  package func age(of stamp: FileStamp) -> Duration { stamp.age }

  /// See `OwnFiles`. Throws `folderUnavailable`.
  package func receive(_ size: UInt64) throws(ContinuityError) -> any OpenFile {
    try receive(size) as ReceivedFile
  }
}

extension DocumentHistories: VersionLog {}

extension ActivityIndex: ActivityIndexing {}

extension ReplacedDocuments: ReplacedFiles {
  /// See `ReplacedFiles`. Throws `folderUnavailable`.
  package func keep(
    _ file: any OpenFile, called name: [UInt8], digest: ContentDigest
  ) throws(ContinuityError) {
    try keep(descriptor(of: file), called: name, digest: digest)
  }

  /// See `ReplacedFiles`.
  package func begin(
    _ path: RelativePath, for size: UInt64, in folder: any SyncedFolder
  ) -> any ReplacedFiles {
    guard let folder = folder as? SyncedDirectory else { return self }
    return begin(path, for: size, in: folder) as FormerVersion
  }
}

extension FormerVersion: ReplacedFiles {
  /// See `ReplacedFiles`. Throws `folderUnavailable`.
  package func keep(
    _ file: any OpenFile, called name: [UInt8], digest: ContentDigest
  ) throws(ContinuityError) {
    try keep(descriptor(of: file), called: name, digest: digest)
  }
}

private func descriptor(of file: any OpenFile) throws(ContinuityError) -> Descriptor {
  guard let descriptor = file as? Descriptor else {
    throw ContinuityError(.folderUnavailable, description: "A file of another world is not kept.")
  }
  return descriptor
}

extension PrivateCopyDirectory: CopyFiles {
  package var isThere: Bool { true }

  /// See `CopyFiles`. Throws `folderUnavailable`, and `agentUnavailable` for a directory that is not private.
  package func folder() throws(ContinuityError) -> any SyncedFolder { try folder() as SyncedDirectory }
}

extension DraftDirectory: DraftFiles {
  /// See `DraftFiles`. Throws as there.
  package func keep(_ file: any OpenFile) throws(ContinuityError) -> (digest: ContentDigest, size: UInt64) {
    guard let file = (file as? any LaidSource)?.descriptor else {
      throw ContinuityError(.folderUnavailable, description: "A file of another world is not kept.")
    }
    return try keep(file)
  }

  /// See `DraftFiles`.
  package func open(_ digest: ContentDigest) -> (any OpenFile)? { open(digest) as Descriptor? }
}
