// SPDX-License-Identifier: MIT

import ActivityWire
import CDesktopGLib
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import continuo_desktop

@Suite("Types by the desktop's rules") struct ContentTypeTests {
  private func names(_ name: String, _ beginning: [UInt8], _ candidates: [String] = []) -> [String] {
    ContentType.names(of: Array(name.utf8), beginning: beginning[...], among: candidates)
  }

  @Test func aNameTellsFirstThenTheContent() {
    #expect(names("plan.md", []) == ["text/markdown"])
    #expect(names("picture", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) == ["image/png"])
    #expect(names("notes", Array("alpha\n".utf8)) == ["text/plain"])
    #expect(names("noise", [0, 1, 2, 0xff]) == ["application/octet-stream"])
    #expect(names("", Array("%PDF-1.5".utf8)) == ["application/pdf"])
  }

  @Test func declaredTypesThatItIsAKindOfFollowNearestFirst() {
    #expect(
      names("a.c", [], ["text/plain", "image/png", "TEXT/X-CSRC"]).map { $0.lowercased() }
        == ["text/x-csrc", "text/plain"])
    #expect(
      names("a.svg", [], ["application/octet-stream", "text/plain", "application/xml"])
        == ["image/svg+xml", "application/xml", "text/plain", "application/octet-stream"])
  }

  @Test func aNameThatIsNotUTF8IsJudgedByItsEnd() {
    #expect(
      ContentType.names(of: [0xff, 0xfe] + Array(".png".utf8), beginning: [], among: []) == ["image/png"])
  }
}

@Suite("The desktop's recent files") struct RecentlyUsedTests {
  let scratch: Scratch
  var path: String { scratch.path + "/data/recently-used.xbel" }
  var list: RecentlyUsed { RecentlyUsed(path: Array(path.utf8)) }

  init() throws {
    scratch = try Scratch("desktop")
    try scratch.folder("data")
  }

  private func use(_ file: String, by application: String = "Trails") -> RecentlyUsed.Use {
    RecentlyUsed.Use(
      file: Array(file.utf8), application: application, program: Array("/opt/my apps/trails".utf8))
  }

  /// What GLib reads: each URI, and who opened it how often.
  private func entries(_ application: String = "Trails") throws -> [String: UInt32] {
    let list = try #require(g_bookmark_file_new())
    defer { g_bookmark_file_free(list) }
    try #require(g_bookmark_file_load_from_file(list, path, nil) != 0)
    var found: [String: UInt32] = [:]
    var length: gsize = 0
    let uris = try #require(g_bookmark_file_get_uris(list, &length))
    defer { g_strfreev(uris) }
    for index in 0..<Int(length) {
      guard let uri = uris[index] else { continue }
      var count: guint = 0
      var command: UnsafeMutablePointer<gchar>?
      if g_bookmark_file_get_application_info(list, uri, application, &command, &count, nil, nil) != 0 {
        found[String(cString: uri)] = count
        #expect(command.map { String(cString: $0) } == "'/opt/my apps/trails' file" || command != nil)
      } else {
        found[String(cString: uri)] = 0
      }
      g_free(command)
    }
    return found
  }

  private func other(_ names: [String]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <xbel version="1.0" xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
      xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">\(names.map { """
        <bookmark href="file:///\($0)" added="2026-01-01T00:00:00Z" modified="2026-01-01T00:00:00Z"
          visited="2026-01-01T00:00:00Z"><info><metadata owner="http://freedesktop.org">
          <mime:mime-type type="text/plain"/><bookmark:applications><bookmark:application name="Other"
          exec="&apos;other %u&apos;" modified="2026-01-01T00:00:00Z" count="3"/></bookmark:applications>
          </metadata></info></bookmark>
        """ }.joined())
    </xbel>
    """
  }

  @Test func aFileIsNotedAsGLibReadsIt() throws {
    try list.record(use("/notes/plan.md"))
    try list.record(use("/notes/a b\u{e9}.md"))
    try list.record(use("/notes/plan.md"))
    #expect(try entries() == ["file:///notes/plan.md": 2, "file:///notes/a%20b%C3%A9.md": 1])
    let glib = try #require(g_bookmark_file_new())
    defer { g_bookmark_file_free(glib) }
    #expect(g_bookmark_file_load_from_file(glib, path, nil) != 0)
    let type = try #require(g_bookmark_file_get_mime_type(glib, "file:///notes/plan.md", nil))
    defer { g_free(type) }
    #expect(String(cString: type) == "text/markdown")
    #expect(Scratch.names(in: scratch.path + "/data") == ["recently-used.xbel"])
  }

  @Test func entriesOfOtherAppsStay() throws {
    try Scratch.write(other(["one", "two"]), to: path)
    try list.record(use("/two"))
    #expect(try entries() == ["file:///one": 0, "file:///two": 1])
    #expect(try entries("Other") == ["file:///one": 3, "file:///two": 3])
  }

  @Test func whatAnotherWriterPutsThereMeanwhileIsNotLost() throws {
    try Scratch.write(other(["one"]), to: path)
    var list = list
    nonisolated(unsafe) var times = 0
    list.meanwhile = { [path] in
      times += 1
      if times == 1 { try? Scratch.write(other(["one", "two"]), to: path) }
    }
    try list.record(use("/three"))
    #expect(times == 2)
    #expect(try entries() == ["file:///one": 0, "file:///two": 0, "file:///three": 1])
  }

  @Test func aListThatAppearsMeanwhileIsNotOverwritten() throws {
    var list = list
    nonisolated(unsafe) var times = 0
    list.meanwhile = { [path] in
      times += 1
      if times == 1 { try? Scratch.write(other(["one"]), to: path) }
    }
    try list.record(use("/three"))
    #expect(try entries() == ["file:///one": 0, "file:///three": 1])
  }

  @Test func aListThatChangesAllTheTimeIsLeftAlone() throws {
    var list = list
    nonisolated(unsafe) var times = 0
    list.meanwhile = { [path] in
      times += 1
      try? Scratch.write(other((0...times).map(String.init)), to: path)
    }
    #expect(throws: DesktopFault.self) { try list.record(use("/three")) }
    #expect(try entries().count == times + 1)
    #expect(Scratch.names(in: scratch.path + "/data") == ["recently-used.xbel"])
  }

  @Test(arguments: ["<xbel", "not a list", "<?xml version=\"1.0\"?><html/>"])
  func aBrokenListIsNeverOverwritten(_ text: String) throws {
    try Scratch.write(text, to: path)
    let fault = #expect(throws: DesktopFault.self) { try list.record(use("/plan.md")) }
    #expect(fault?.sentence.contains("repair or remove it") == true)
    #expect(Scratch.bytes(at: path) == Array(text.utf8))
    #expect(Scratch.names(in: scratch.path + "/data") == ["recently-used.xbel"])
  }

  @Test func whatIsNoFileIsRefusedWithoutWaitingForIt() throws {
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: DesktopFault.self) { try list.record(use("/plan.md")) }
    try #require(unlink(path) == 0 && mkdir(path, 0o700) == 0)
    #expect(throws: DesktopFault.self) { try list.record(use("/plan.md")) }
    try #require(rmdir(path) == 0)
    try #require(mkfifo(scratch.path + "/fifo.png", 0o600) == 0)
    try list.record(use(scratch.path + "/fifo.png"))
    #expect(try entries().count == 1)
  }

  @Test func aLinkStaysALinkAndTheModeStays() throws {
    let target = scratch.path + "/elsewhere.xbel"
    try Scratch.write(other(["one"]), to: target)
    try #require(chmod(target, 0o640) == 0 && symlink(target, path) == 0)
    try list.record(use("/two"))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try entries().count == 2)
  }

  @Test func foldersThatAreMissingAreMade() throws {
    let deep = RecentlyUsed(path: Array((scratch.path + "/new/share/recently-used.xbel").utf8))
    try deep.record(use("/plan.md"))
    #expect(Scratch.names(in: scratch.path + "/new/share") == ["recently-used.xbel"])
  }
}

@Suite("Requests of the agent") struct DesktopFrameTests {
  @Test func fieldsComeOneByOneAndTheRestStays() throws {
    var request = DesktopFrame(Array("plan\u{0}2\u{0}a\u{0}b\u{0}rest\u{0}".utf8))
    #expect(try request.text() == "plan" && request.number() == 2)
    #expect(try request.field() == [97] && request.field() == [98])
    #expect(Array(request.rest) == Array("rest\u{0}".utf8))
  }

  @Test func aRequestThatIsCutIsRefused() throws {
    for text in ["", "5\nabc", "x\nabc", "99999999999999999999\na", "-1\n"] {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      _ = write(ends[1], text, text.utf8.count)
      close(ends[1])
      #expect(throws: DesktopFault.self) { try DesktopFrame.read(ends[0]) }
      close(ends[0])
    }
  }
}
