// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import FolderAccess

@Suite struct DraftDirectoryTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = try scratch.folder("state", mode: 0o700) + "/drafts"
  }

  private func keep(_ bytes: [UInt8], in drafts: DraftDirectory) throws -> ContentDigest {
    let kept = try drafts.keep(Descriptor.memory(holding: bytes))
    #expect(kept.size == UInt64(bytes.count))
    return kept.digest
  }

  private func text(_ digest: ContentDigest, in drafts: DraftDirectory) throws -> [UInt8]? {
    try drafts.open(digest)?.readToEnd()
  }

  private var names: [[UInt8]] { (try? FilePath(path).names()) ?? [] }

  @Test func whatIsKeptIsFoundByItsDigest() throws {
    let drafts = DraftDirectory(path)
    let digest = try keep(Array("draft".utf8), in: drafts)
    #expect(try text(digest, in: drafts) == Array("draft".utf8))
    #expect(try keep(Array("draft".utf8), in: drafts) == digest && names.count == 1, "once")
    #expect(try FilePath(path).status().isPrivate)
    #expect(try text(digest, in: DraftDirectory(path)) == Array("draft".utf8), "also by the next agent")
    #expect(DraftDirectory(path + "elsewhere").open(digest) == nil)
  }

  @Test func onlyAFewAreKept() throws {
    let drafts = DraftDirectory(path, limit: 25)
    let digests = try (0..<4).map { try keep([UInt8](repeating: 65 + $0, count: 10), in: drafts) }
    #expect(names.count == 2)
    #expect(try text(digests[3], in: drafts) != nil && text(digests[0], in: drafts) == nil, "the newest")
  }

  @Test func whatIsNoDraftIsRefusedAndLeavesNothing() throws {
    let drafts = DraftDirectory(path)
    func code(_ file: Descriptor) -> ContinuityError.Code? {
      do throws(ContinuityError) { _ = try drafts.keep(file) } catch { return error.code }
      return nil
    }
    #expect(code(try Descriptor.memory(holding: [])) == .invalidBytes)
    let large = [UInt8](repeating: 65, count: Int(Draft.byteLimit) + 1)
    #expect(code(try Descriptor.memory(holding: large)) == .userInfoTooLarge)
    #expect(code(try FilePath("/dev/zero").open([.readOnly])) == .invalidBytes)
    #expect(code(try FilePath(scratch.folder("a")).open([.readOnly])) == .invalidBytes)
    #expect(names.isEmpty)
  }

  @Test func aLinkUnderTheNameIsNotFollowed() throws {
    let drafts = DraftDirectory(path)
    let digest = try keep(Array("draft".utf8), in: drafts)
    let file = FilePath(path + "/" + digest.description)
    try file.unlink()
    let secret = try scratch.folder("elsewhere") + "/secret"
    try Scratch.write("secret", to: secret)
    try #require(symlink(secret, file.shown) == 0)
    #expect(drafts.open(digest) == nil)
  }
}
