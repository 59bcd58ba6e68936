// SPDX-License-Identifier: MIT

import ActivityModel

/// An app's `Info.plist`: what is wrong is told in one line of plain text, with a line that is there; what is
/// right keeps to the rules of its parts.
struct ManifestTarget: FuzzTarget {
  static let name = "manifest"
  static let longest = 2048
  static let words = [
    "<plist>", "</plist>", "<dict>", "</dict>", "<dict/>", "<array>", "</array>", "<string>", "</string>",
    "<key>", "</key>", "<true/>", "<integer>1</integer>", "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "?>",
    "<!DOCTYPE plist", "&amp;", "&lt;", "&#x41;", "&#0;", "&#1114112;", "CFBundleIdentifier", "CFBundleName",
    "NSUserActivityTypes", "CFBundleDocumentTypes", "CFBundleTypeName", "CFBundleTypeRole", "Editor",
    "CFBundleTypeExtensions", "CFBundleTypeMIMETypes", "LSItemContentTypes", "NSDocumentClass",
    "NSUbiquitousDocumentUserActivityType", "ContinuoTeamIdentifier", "ContinuoAssociatedDomains",
    "ContinuoDesktopEntry", "ContinuoExecutable", "*.example.org", "\u{202e}", "\u{1b}[", "\r\n",
  ].map { Array($0.utf8) }

  func seeds() throws -> [[UInt8]] {
    let types = "<array><string>public.text-editing</string></array>"
    let document =
      "<dict><key>CFBundleTypeName</key><string>T</string><key>CFBundleTypeRole</key><string>Viewer</string>"
      + "<key>CFBundleTypeExtensions</key><array><string>md</string><string>*</string></array>"
      + "<key>NSUbiquitousDocumentUserActivityType</key><string>public.text-editing</string></dict>"
    let identifier = "<key>CFBundleIdentifier</key><string>a.b</string>"
    let team = String(repeating: "9", count: 64)
    let bodies = [
      "<key>CFBundleIdentifier</key><string>org.example.editor</string>",
      "<key>CFBundleIdentifier</key><string>org.example.editor</string>\n<key>CFBundleName</key>"
        + "<string>Edit &amp; more</string>\n<key>NSUserActivityTypes</key>\(types)",
      "\(identifier)<key>CFBundleDocumentTypes</key><array>\(document)</array>",
      "\(identifier)<key>ContinuoTeamIdentifier</key><string>\(team)</string>"
        + "<key>ContinuoAssociatedDomains</key><array><string>*.example.org</string></array>"
        + "<key>ContinuoExecutable</key><string>/usr/bin/editor</string>",
    ]
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist>\n<!-- a -->\n"
    return bodies.map { Array("\(head)<plist version=\"1.0\"><dict>\n\($0)\n</dict></plist>\n".utf8) }
  }

  func check(_ input: [UInt8]) throws {
    let lines = input.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
    let checked: CheckedManifest
    do throws(ContinuityError) {
      checked = try ManifestReader.check(input, file: "Info.plist")
    } catch {
      try expect(DisplayText.isClean(error.description), "an error shows what came as it came: \(error)")
      try expect(error.code == .invalidManifest, "an error has another code")
      return try expect(error.description.utf8.count < 4096, "an error is longer than a screen")
    }
    let manifest = checked.manifest
    try expect(AppManifest.isIdentifier(manifest.appID), "an identifier names no folder")
    try expect(manifest.team.map { $0.count == 32 } ?? true, "a team has another length")
    try expect(manifest.associatedDomains.allSatisfy(WebAddress.isDomain), "a domain is none")
    for warning in checked.warnings {
      try expect((1...lines).contains(warning.line), "a warning is about a line that is not there")
      try expect(DisplayText.isClean(warning.description), "a warning shows what came as it came")
    }
    let longer = try? ManifestReader.check(input + Array("\n<!-- a -->\n".utf8), file: "Info.plist")
    try expect(longer == checked, "a remark at the end changes what a manifest says")
  }
}
