// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Extended attributes of a document's file")
  struct AttributeTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private static let note = "user.note"
    private static let list = "system.posix_acl_access"
    /// Version 2; the owner may write, user 12345 and the mask may read, the group and others nothing.
    private static let reader = entries([(1, 6, ~0), (2, 4, 12345), (4, 0, ~0), (16, 4, ~0), (32, 0, ~0)])

    private static func entries(_ entries: [(tag: UInt16, rights: UInt16, id: UInt32)]) -> [UInt8] {
      [2, 0, 0, 0]
        + entries.flatMap { entry in
          [entry.tag, entry.rights].flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
          }
            + (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
        }
    }

    private func set(_ name: String, _ value: [UInt8], _ file: String) -> Bool {
      let descriptor = open(folder.path(file), O_RDONLY)
      defer { close(descriptor) }
      guard continuo_set_attribute(descriptor, name, value, value.count) != 0 else { return true }
      print("skipped: this file system refuses \(name) (errno \(errno))")
      return false
    }

    private func value(_ name: String, _ file: String) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = continuo_get_attribute(folder.path(file), name, &bytes, bytes.count)
      return count < 0 ? nil : Array(bytes.prefix(count))
    }

    @Test func savingKeepsTheUsersOwn() async throws {
      let document = try await app.open("plan.md", "alpha")
      guard set(Self.note, Array("kept".utf8), "plan.md"), set("user.empty", [], "plan.md") else { return }
      let before = folder.status("plan.md").st_ino
      document.type("!")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!" && folder.status("plan.md").st_ino != before)
      #expect(value(Self.note, "plan.md") == Array("kept".utf8) && value("user.empty", "plan.md") == [])
    }

    @Test func savingKeepsWhoMayRead() async throws {
      let document = try await app.open("plan.md", "alpha")
      guard set(Self.list, Self.reader, "plan.md") else { return }
      let mode = folder.status("plan.md").st_mode
      document.type("!")
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!" && folder.status("plan.md").st_mode == mode)
      #expect(value(Self.list, "plan.md") == Self.reader)
    }

    @Test func theFoldersDefaultListAddsNobody() async throws {
      let document = try await app.open("plan.md", "alpha")
      chmod(folder.path("plan.md"), 0o640)
      guard set("system.posix_acl_default", Self.reader, ".") else { return }
      document.type("!")
      try await document.save()
      #expect(value(Self.list, "plan.md") == nil && folder.status("plan.md").st_mode & 0o7777 == 0o640)
    }

    @Test func aFileSystemWithoutAttributesSavesAsWell() async throws {
      let plain = SampleFolder()
      guard plain.becomeDisk(of: "1m", kind: "ramfs") else { return }
      plain.write("plan.md", "alpha")
      let (opened, _) = try await DocumentController.shared.openDocument(
        withContentsOf: plain.url("plan.md"), display: true)
      let document = try #require(opened as? TextFile)
      let before = plain.status("plan.md").st_ino
      document.type("!")
      try await document.save()
      #expect(plain.text("plan.md") == "alpha!" && plain.status("plan.md").st_ino != before)
    }

    @Test func movingToAnotherFileSystemTakesThemAlong() async throws {
      let disk = SampleFolder()
      guard disk.becomeDisk(of: "1m") else { return }
      let document = try await app.open("plan.md", "alpha")
      guard set(Self.list, Self.reader, "plan.md") else { return }
      try await document.move(to: disk.url("plan.md"))
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = continuo_get_attribute(disk.path("plan.md"), Self.list, &bytes, bytes.count)
      #expect(Array(bytes.prefix(max(0, count))) == Self.reader)
    }
  }
}
