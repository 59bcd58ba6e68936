// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@Suite("What in an Info.plist is probably not meant")
struct ManifestWarningTests {
  private func warnings(_ body: String, appID: String = "org.example.app") throws -> [String] {
    let text = """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(appID)</string>
      \(body)
      </dict></plist>
      """
    let checked = try ManifestReader.check(Array(text.utf8), file: "Info.plist")
    return checked.warnings.map { "\($0.line) \($0.key): \($0.description)" }
  }

  private let declared = "<key>NSUserActivityTypes</key><array><string>org.example.reading</string></array>"

  /// A document type in one line.
  private func type(
    _ name: String, _ extensions: String..., activity: String? = "org.example.editing", more: String = ""
  ) -> String {
    let list = extensions.map { "<string>\($0)</string>" }.joined()
    let activity = activity.map {
      "<key>NSUbiquitousDocumentUserActivityType</key><string>\($0)</string>"
    }
    return "<dict><key>CFBundleTypeName</key><string>\(name)</string><key>CFBundleTypeExtensions</key>"
      + "<array>\(list)</array>\(activity ?? "")\(more)</dict>"
  }

  private func types(_ lines: String...) -> String {
    "<key>CFBundleDocumentTypes</key><array>\n" + lines.joined(separator: "\n") + "</array>"
  }

  @Test func aSoundManifestGivesNone() throws {
    #expect(try warnings(declared + types(type("Text", "txt", "*"), type("Drawing", "svg"))) == [])
  }

  @Test func namesThatAreNotInReverseDNSFormAreToldOf() throws {
    #expect(
      try warnings(declared, appID: "app").first?.hasPrefix("2 CFBundleIdentifier: app is not in") == true)
    let list =
      "<key>NSUserActivityTypes</key><array>\n<string>reading</string>\n<string>a..b</string></array>"
    #expect(
      try warnings(list) == [
        "4 NSUserActivityTypes: reading is not in reverse-DNS form; org.example.app.reading is.",
        "5 NSUserActivityTypes: a..b is not in reverse-DNS form; org.example.app.reading is.",
      ])
    let key = "CFBundleDocumentTypes[0].NSUbiquitousDocumentUserActivityType"
    #expect(try warnings(types(type("Text", "txt", activity: "text"))).first?.hasPrefix("4 \(key)") == true)
  }

  @Test func anExtensionClaimedTwiceGoesToTheFirst() throws {
    let three = try warnings(types(type("Text", "txt"), type("Log", "txt"), type("Note", "txt")))
    #expect(three.count == 2 && three.allSatisfy { $0.hasSuffix("its files are of the type Text.") })
    #expect(
      try warnings(types(type("Text", "txt"), type("Log", "log", "TXT"))) == [
        "5 CFBundleDocumentTypes[1].CFBundleTypeExtensions: TXT is claimed twice; its files are of the type "
          + "Text."
      ])
  }

  @Test func aDocumentTypeWithoutActivityTypeExtensionOrNameOfItsOwnIsToldOf() throws {
    let first = "CFBundleDocumentTypes[0]."
    #expect(
      try warnings(declared + types(type("Text", "txt", activity: nil))) == [
        "4 \(first)NSUbiquitousDocumentUserActivityType: It is missing: documents of this type are offered "
          + "to no other device."
      ])
    #expect(
      try warnings(types(type("Text"))) == [
        "4 \(first)CFBundleTypeExtensions: Text has no extension and no MIME type, so no file is of "
          + "this type."
      ])
    let byContent = "<key>CFBundleTypeMIMETypes</key><array><string>text/plain</string></array>"
    #expect(try warnings(types(type("Text", more: byContent))) == [])
    #expect(
      try warnings(types(type("Text", "txt"), type("Text", "md"))) == [
        "5 CFBundleDocumentTypes[1].CFBundleTypeName: Text is the name of two types; the class of the first "
          + "one opens the documents of both."
      ])
    #expect(try warnings(types(type("Archive", "tar.gz"))).first?.contains("tar.gz matches no file") == true)
  }

  @Test func appleRolesWithoutMeaningHereAreTakenAsNone() throws {
    let role = "<key>CFBundleTypeRole</key><string>QLGenerator</string>"
    #expect(try warnings(types(type("Text", "txt", more: role))).first?.contains("is taken as None") == true)
  }

  @Test func whatDeclaresNothingOrMisspellsAKeyIsToldOf() throws {
    #expect(
      try warnings("") == [
        "1 NSUserActivityTypes: No activity type is declared, so nothing can be continued here."
      ])
    #expect(
      try warnings(declared + "\n<key>ContinuoTeam</key><string>a</string>") == [
        "4 ContinuoTeam: ContinuoTeam is no key that is looked at here; check its spelling and place."
      ])
    #expect(try warnings(declared + declared.replacing("Types", with: "Type")).count == 1)
    let twice = declared.replacing("</array>", with: "<string>org.example.reading</string></array>")
    #expect(
      try warnings(twice) == ["3 NSUserActivityTypes: org.example.reading is there twice; once is enough."])
  }
}
