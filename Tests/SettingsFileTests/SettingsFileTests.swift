// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SettingsFile
import TestSupport
import Testing

/// Reading: whatever stands at the path, a sentence or settings come back at once.
@Suite struct SettingsFileTests {
  private let scratch: Scratch
  private let file: SettingsFile

  init() throws {
    scratch = try Scratch("settings")
    file = SettingsFile(in: FilePath(scratch.path + "//continuo/"))
    #expect(file.path == FilePath(scratch.path + "/continuo/settings.toml"))
  }

  private func write(_ text: String) throws {
    try Scratch.write(text, to: file.path.shown)
  }

  @Test func noFileIsTheDefaults() throws {
    #expect(file.read() == SettingsReading(settings: AgentSettings(), problems: []))
    try scratch.folder("continuo")
    #expect(file.read() == SettingsReading(settings: AgentSettings(), problems: []))
  }

  @Test func linesCountEachForItself() throws {
    try scratch.folder("continuo")
    try write("[notifications]\nenabled = false\nhide-titles = 1\n[x]\n[apps.prefer]\n\"a.b\" = \"c\"\n")
    let reading = file.read()
    #expect(reading.settings?.notifications.isEnabled == false)
    #expect(reading.settings?.preferredApps == ["a.b": "c"])
    #expect(
      reading.problems.map(\.description) == [
        "settings.toml line 3: notifications.hide-titles is true or false, not 1.",
        "settings.toml line 4: there is no setting x: use one of those that `continuo set` lists.",
      ])
  }

  @Test func aFolderAPipeADeviceAndALinkToNothingAreSentences() throws {
    try scratch.folder("continuo")
    try scratch.folder("continuo/settings.toml")
    #expect(told() == "settings.toml: it is a folder: move it away, and write a file.")
    try file.path.removeFolder()
    try file.path.makePipe(mode: 0o600)
    #expect(told() == "settings.toml: it is no regular file: put one in its place.")
    try file.path.unlink()
    try file.path.makeSymbolicLink(to: "/dev/zero")
    #expect(told() == "settings.toml: it is no regular file: put one in its place.")
    try file.path.unlink()
    try file.path.makeSymbolicLink(to: "nothing")
    #expect(told() == "settings.toml: it is a link that leads to nothing: repair the link, or remove it.")
    try file.path.unlink()
    try file.path.makeSymbolicLink(to: "settings.toml")
    #expect(told()?.hasPrefix("settings.toml: it cannot be read: ") == true)
  }

  @Test func whatIsNoTOMLOrTooLargeIsASentence() throws {
    try scratch.folder("continuo")
    try write("[notifications]\nenabled = yes\n")
    #expect(told()?.hasPrefix("settings.toml line 2: this is no TOML at column ") == true)
    try Scratch.write([0x61, 0xFF], to: file.path.shown)
    #expect(told()?.contains("this is no TOML") == true)
    try Scratch.write([UInt8](repeating: 0x0A, count: TomlDocument.byteLimit + 1), to: file.path.shown)
    #expect(told() == "settings.toml: it has more than 256 KiB: keep settings alone in it.")
  }

  private func told() -> String? {
    let reading = file.read()
    #expect(reading.settings == nil && reading.problems.count == 1)
    return reading.problems.first?.description
  }
}

extension FilePath {
  /// Puts a link there that says `target`.
  func makeSymbolicLink(to target: String) throws { try SymbolicLink.make(self, target) }
}
