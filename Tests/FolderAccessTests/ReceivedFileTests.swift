// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

/// Large documents, which are copied while they come.
@Suite struct ReceivedFileTests {
  private static let bytes = Scratch.largeBytes

  private let scratch: Scratch
  private let directory: SyncedDirectory
  private let own: OwnDirectory

  init() throws {
    scratch = try Scratch()
    try scratch.folder("synced/.continuo")
    directory = try scratch.directory()
    own = try OwnDirectory.privateDirectory(scratch.path + "/state")
  }

  private func document(_ bytes: [UInt8] = Self.bytes, at name: String = "plan.md") throws -> LaidDocument {
    let digest = try #require(ContentHasher.digest(of: bytes))
    return LaidDocument(
      path: try relative(name), version: DocumentVersion(digest: digest, size: UInt64(bytes.count)),
      history: DocumentHistory())
  }

  private func lay(_ document: LaidDocument, _ received: ReceivedFile) -> LayingOutcome {
    directory.lay(document, from: received, keep: { _, _, _ in }).outcome
  }

  private func stamp(_ name: String = "synced/plan.md") throws -> FileStamp {
    try FilePath(scratch.path + "/" + name).status().stamp
  }

  @Test func aDocumentIsCopiedWhileItComesAndTheCopyIsLaid() throws {
    let received = try own.receive(UInt64(Self.bytes.count))
    for start in stride(from: 0, to: Self.bytes.count, by: 700_000) {
      try received.descriptor.writeAll(Array(Self.bytes[start..<min(start + 700_000, Self.bytes.count)]))
    }
    let copies = scratch.namelessFiles(in: "state")
    #expect(lay(try document(), received) == .laid)
    #expect(try copies.contains(stamp().inode), "it is not copied once more")
    // Whoever received it has another file.
    try received.descriptor.overwrite(with: [UInt8](repeating: 9, count: 3).span.bytes)
    #expect(try FilePath(scratch.path + "/synced/plan.md").open([.readOnly]).readToEnd() == Self.bytes)
    #expect(try FilePath(scratch.path + "/synced/.continuo").names().isEmpty)
    // That is a document by now, and no other name leads to it.
    try received.descriptor.overwrite(with: Array(Self.bytes.prefix(3)).span.bytes)
    #expect(lay(try document(at: "second.md"), received) == .laid)
    #expect(try !stamp("synced/second.md").isSameFile(as: stamp()) && stamp().linkCount == 1)
  }

  @Test(arguments: [[UInt8](), Array(bytes.dropLast()), bytes + [1], bytes.dropLast() + [1]])
  func whatIsNotTheVersionIsNotLaid(came: [UInt8]) throws {
    let received = try own.receive(UInt64(Self.bytes.count))
    try received.descriptor.writeAll(came)
    #expect(lay(try document(), received) == .otherBytes)
    #expect(scratch.text("synced/plan.md") == nil)
  }

  @Test func aSmallDocumentIsCopiedWhenItIsLaid() throws {
    let received = try own.receive(3)
    try received.descriptor.writeAll([1, 2, 3])
    let files = scratch.namelessFiles(in: "state")
    #expect(lay(try document([1, 2, 3]), received) == .laid)
    #expect(try !files.contains(stamp().inode))
  }

  /// A file that is made there would have the folder's group.
  @Test func aNewFileIsMadeInAFolderThatGivesItsFilesAGroup() throws {
    try FilePath(scratch.path + "/synced").setPermissions(0o2755)
    let received = try own.receive(UInt64(Self.bytes.count))
    try received.descriptor.writeAll(Self.bytes)
    let files = scratch.namelessFiles(in: "state")
    #expect(lay(try document(), received) == .laid)
    #expect(try !files.contains(stamp().inode))
  }

  @Test func whatIsGivenUpIsGone() throws {
    var received: ReceivedFile? = try own.receive(UInt64(Self.bytes.count))
    try received?.descriptor.writeAll(Array(Self.bytes.prefix(1_000_000)))
    #expect(openFiles == 2)
    received = nil
    let deadline = ContinuousClock.now + .seconds(30)
    while openFiles > 0, ContinuousClock.now < deadline {}
    #expect(openFiles == 0)
    let stopped = try own.receive(UInt64(Self.bytes.count))
    let laid = directory.lay(
      try document(), from: stopped, keep: { _, _, _ in }, isCancelled: { true })
    #expect(laid.outcome == .cancelled)
  }

  private var openFiles: Int { scratch.namelessFiles(in: "state").count }
}
