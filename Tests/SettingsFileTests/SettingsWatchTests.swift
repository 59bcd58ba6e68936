// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SettingsFile
import TestSupport
import Testing

/// Every change of what the file says is told, and nothing else.
@Suite(.waiting) struct SettingsWatchTests {
  private let scratch: Scratch
  private let file: SettingsFile
  private var path: String { file.path.shown }

  init() throws {
    scratch = try Scratch("watch")
    file = SettingsFile(in: FilePath(scratch.path + "/config/continuo"))
  }

  /// Waits for a change that is told, or for as long as one may take.
  private func isTold(_ watch: SettingsWatch) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      var entries = [Poll.Entry(watch.descriptor)]
      Poll.wait(for: &entries, atMost: deadline - ContinuousClock.now)
      if watch.mustReadAgain() { return true }
    }
    return false
  }

  /// Kernels tell of a call before it returns.
  private func isQuiet(_ watch: SettingsWatch) -> Bool { !watch.mustReadAgain() }

  private func set(_ isEnabled: Bool, at path: String? = nil) throws {
    try Scratch.write("[notifications]\nenabled = \(isEnabled)\n", to: path ?? self.path)
  }

  private var isEnabled: Bool? { file.read().settings?.notifications.isEnabled }

  private func folders() throws {
    try scratch.folder("config")
    try scratch.folder("config/continuo")
  }

  @Test func aFileThatComesIsReplacedAndGoes() throws {
    try folders()
    let watch = try SettingsWatch(file)
    #expect(isQuiet(watch) && !watch.isBlind)
    for value in [false, true, false] {
      try set(value)
      #expect(isTold(watch) && isEnabled == value)
      #expect(isQuiet(watch))
    }
    try Scratch.write("", to: scratch.path + "/config/continuo/other")
    #expect(isQuiet(watch))
    try file.path.unlink()
    #expect(isTold(watch) && isEnabled == true)
  }

  @Test func bytesWrittenInPlaceCountWhenTheyAreAllThere() throws {
    try folders()
    let watch = try SettingsWatch(file)
    do {
      let open = try file.path.open([.writeOnly, .create], mode: 0o600)
      #expect(isQuiet(watch))
      try open.writeAll(Array("[notifications]\nenabled = ".utf8))
      #expect(isQuiet(watch))
      try open.writeAll(Array("false".utf8))
    }
    #expect(isTold(watch) && isEnabled == false)
  }

  @Test func foldersThatAreNotThereYetAreWaitedFor() throws {
    let watch = try SettingsWatch(file)
    try scratch.folder("else")
    #expect(isQuiet(watch))
    try scratch.folder("config")
    #expect(isTold(watch))
    try scratch.folder("config/continuo")
    #expect(isTold(watch))
    try set(false)
    #expect(isTold(watch) && isEnabled == false)
  }

  @Test func foldersMadeAtOnceWithTheFileAreSeen() throws {
    let watch = try SettingsWatch(file)
    try folders()
    try set(false)
    #expect(isTold(watch) && isEnabled == false)
    try set(true)
    #expect(isTold(watch) && isEnabled == true)
  }

  @Test(arguments: ["config", "config/continuo"])
  func aFolderThatIsReplacedIsFollowed(folder: String) throws {
    try folders()
    try set(true)
    let watch = try SettingsWatch(file)
    let place = FilePath(scratch.path + "/" + folder)
    try place.rename(to: FilePath(scratch.path + "/away"))
    #expect(isTold(watch))
    try scratch.folder("config" == folder ? "config" : folder)
    if folder == "config" { try scratch.folder("config/continuo") }
    #expect(isTold(watch))
    try set(false)
    #expect(isTold(watch) && isEnabled == false)
  }

  @Test func linksAreFollowedToWhatTheyLeadTo() throws {
    try folders()
    try scratch.folder("dotfiles")
    let target = scratch.path + "/dotfiles/mine.toml"
    try set(true, at: target)
    let watch = try SettingsWatch(file)
    try file.path.makeSymbolicLink(to: "../../dotfiles/mine.toml")
    #expect(isTold(watch) && isEnabled == true)
    try set(false, at: target)
    #expect(isTold(watch) && isEnabled == false)
    try FilePath(target).unlink()
    #expect(isTold(watch) && isEnabled == nil)
  }

  @Test func aLinkedFolderThatIsReplacedIsNoticed() throws {
    for name in ["one", "two"] { try scratch.folder(name) }
    try scratch.folder("config")
    try set(true, at: scratch.path + "/one/settings.toml")
    try set(false, at: scratch.path + "/two/settings.toml")
    let link = FilePath(scratch.path + "/config/continuo")
    try link.makeSymbolicLink(to: "../one")
    let watch = try SettingsWatch(file)
    let other = FilePath(scratch.path + "/config/new")
    try other.makeSymbolicLink(to: "../two")
    #expect(isQuiet(watch))
    try other.rename(to: link)
    #expect(isTold(watch) && isEnabled == false)
  }
}
