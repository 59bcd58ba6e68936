// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SettingsFile
import TestSupport
import Testing

/// One line changes; every other byte stays.
@Suite struct SettingsWritingTests {
  private let scratch: Scratch
  private let file: SettingsFile
  private var path: String { file.path.shown }
  private var text: String? { Scratch.bytes(at: path).map { String(decoding: $0, as: UTF8.self) } }

  init() throws {
    scratch = try Scratch("writing")
    file = SettingsFile(in: FilePath(scratch.path + "/config/continuo"))
  }

  private func put(_ text: String) throws {
    FilePath(scratch.path + "/config/continuo").makeFolders(mode: 0o700)
    try Scratch.write(text, to: path)
  }

  @Test func fileAndFoldersAreMadeForThisUserAlone() throws {
    try file.set(.hideTitles, to: nil)
    #expect(text == nil && !file.path.parent.isFolder)
    try file.set(.hideTitles, to: .boolean(true))
    #expect(text == "[notifications]\nhide-titles = true\n")
    #expect(try file.path.status().permissions == 0o600)
    #expect(try file.path.parent.status().permissions == 0o700)
    #expect(try file.path.parent.parent.status().permissions == 0o700)
    #expect(Scratch.names(in: file.path.parent.shown) == ["settings.toml"])
  }

  @Test func commentsOrderAndBlanksStayByteForByte() throws {
    let before = """
      # é mine

      [ notifications ]   # shown
      # on?
        enabled   =  true   # yes
      off-types = [ # these
        "a.b", # one
      ]

      # apps below
      [apps.prefer]
      "x.y"='z'
      """
    try put(before)
    try file.set(.notificationsEnabled, to: .boolean(false))
    var wanted = before.replacing("=  true ", with: "=  false ")
    #expect(text == wanted)
    try file.set(.hideTitles, to: .boolean(true))
    wanted = wanted.replacing("\n]\n", with: "\n]\nhide-titles = true\n")
    #expect(text == wanted)
    try file.prefer("q", forType: "x.z")
    wanted += "\n\"x.z\" = \"q\"\n"
    #expect(text == wanted)
    try file.set(.terminal, to: .strings(["foot"]))
    wanted += "\n[apps]\nterminal = [\"foot\"]\n"
    #expect(text == wanted)
    try file.set(.terminal, to: .strings(["foot", "-e"]))
    wanted = wanted.replacing("[\"foot\"]", with: "[\"foot\", \"-e\"]")
    #expect(text == wanted)
    try file.prefer(nil, forType: "x.y")
    wanted = wanted.replacing("\"x.y\"='z'\n", with: "")
    #expect(text == wanted)
    try file.set(.hideTitles, to: nil)
    #expect(text == wanted.replacing("hide-titles = true\n", with: ""))
  }

  @Test(arguments: [
    (
      "notifications.enabled = true\r\n",
      "notifications.enabled = true\r\nnotifications.hide-titles = true\r\n"
    ),
    ("\u{FEFF}# a\n", "\u{FEFF}# a\n\n[notifications]\nhide-titles = true\n"),
    (
      "[apps.prefer]\nnotifications = 'a'\n[notifications]",
      "[apps.prefer]\nnotifications = 'a'\n[notifications]\nhide-titles = true\n"
    ),
    (
      "[[x]]\n[notifications]\n[notifications.y]\na = 1\n",
      "[[x]]\n[notifications]\nhide-titles = true\n[notifications.y]\na = 1\n"
    ),
    (
      "notifications = { enabled = true, hide-titles = false } # é\n",
      "notifications = { enabled = true, hide-titles = true } # é\n"
    ),
    ("\"notifications\".'hide-titles'=false", "\"notifications\".'hide-titles'=true"),
  ])
  func aLineIsPutWhereItsTableIs(before: String, after: String) throws {
    try put(before)
    try file.set(.hideTitles, to: .boolean(true))
    #expect(text == after)
  }

  @Test func dottedKeysOfATableAreGoneOnWith() throws {
    try put("[apps]\nprefer.a = \"b\"\n")
    try file.prefer("d", forType: "c.x")
    #expect(text == "[apps]\nprefer.a = \"b\"\nprefer.\"c.x\" = \"d\"\n")
  }

  @Test func namesOfAnyKindAreQuoted() throws {
    let names = ["a.b", "\"", "\\", "a\nb = 1\n[x]", "'", "#", "é\u{301}", "a]", "\t\u{1}\u{7F}", " "]
    for name in names { try file.prefer(name, forType: name) }
    #expect(file.read() == SettingsReading(settings: preferring(names), problems: []))
    for name in names.dropFirst() { try file.prefer(nil, forType: name) }
    #expect(text == "[apps.prefer]\n\"a.b\" = \"a.b\"\n")
  }

  private func preferring(_ names: [String]) -> AgentSettings {
    var settings = AgentSettings()
    for name in names { settings.preferredApps[name] = name }
    return settings
  }

  @Test(arguments: [
    ("notifications = 3\n", "stands where it cannot be changed alone"),
    ("notifications = { enabled = true }\n", "stands where it cannot be changed alone"),
    ("a = \n", "line 1: this is no TOML"),
    ("[notifications]\nhide-titles = [\n1, # why\n]\n", "stands where it cannot be changed alone"),
  ])
  func whatCannotBeChangedAloneIsRefusedAndStays(before: String, words: String) throws {
    try put(before)
    expectRefusal(saying: words) { () throws(SettingsProblem) in
      try file.set(.hideTitles, to: .boolean(true))
    }
    #expect(text == before)
  }

  @Test func valuesAreCheckedBeforeAnythingIsWritten() throws {
    expectRefusal(saying: "notifications.enabled is true or false, not \"yes\".") {
      () throws(SettingsProblem) in
      try file.set(.notificationsEnabled, to: .string("yes"))
    }
    expectRefusal(saying: "empty text") { () throws(SettingsProblem) in try file.prefer("", forType: "a") }
    expectRefusal(saying: "name one") { () throws(SettingsProblem) in try file.set(.prefer, to: nil) }
    #expect(!file.path.parent.isFolder)
  }

  @Test func aLinkAndTheModeStay() throws {
    try put("")
    let target = scratch.path + "/dotfile"
    try Scratch.write("# mine\n", to: target)
    try FilePath(target).setPermissions(0o640)
    try file.path.unlink()
    try file.path.makeSymbolicLink(to: "../../dotfile")
    try file.set(.hideTitles, to: .boolean(true))
    #expect(try file.path.status(followingLinks: false).kind == .symbolicLink)
    #expect(text == "# mine\n\n[notifications]\nhide-titles = true\n")
    #expect(try FilePath(target).status().permissions == 0o640)
  }

  @Test func whatIsNoFileIsRefused() throws {
    try put("")
    try file.path.unlink()
    try file.path.makePipe(mode: 0o600)
    expectRefusal(saying: "no regular file") { () throws(SettingsProblem) in
      try file.set(.hideTitles, to: .boolean(true))
    }
    try file.path.unlink()
    try file.path.makeSymbolicLink(to: "none")
    expectRefusal(saying: "leads to nothing") { () throws(SettingsProblem) in
      try file.set(.hideTitles, to: .boolean(true))
    }
  }

  @Test func twoWritersLoseNothingOfEachOther() async throws {
    let file = file
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for turn in 0..<10 {
            #expect(throws: Never.self) { try file.prefer("a", forType: "\(writer).\(turn)") }
          }
        }
      }
    }
    #expect(file.read().settings?.preferredApps.count == 40)
  }

  @Test(arguments: [
    ("true", "true", "[\"true\"]"), ("a,b", "\"a,b\"", "[\"a\", \"b\"]"),
    ("a, b ,", "\"a, b ,\"", "[\"a\", \"b\"]"),
    ("", "\"\"", "[]"), ("[]", "[]", "[]"), ("['a,b', \"c\"]", "[\"a,b\", \"c\"]", "[\"a,b\", \"c\"]"),
    ("1", "1", "[\"1\"]"), ("x\ny = 1", "\"x\\ny = 1\"", "[\"x\\ny = 1\"]"),
  ])
  func wordsAreTOMLOrBare(word: String, asBoolean: String, asList: String) {
    #expect(SettingsWord(word).value(for: .notificationsEnabled).written == asBoolean)
    #expect(SettingsWord(word).value(for: .terminal).written == asList)
  }

  private func expectRefusal(saying words: String, _ body: () throws(SettingsProblem) -> Void) {
    do throws(SettingsProblem) {
      try body()
      Issue.record("nothing was refused")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }
}
