// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// How a manifest says that its app is started.
@Suite struct ManifestStartTests {
  private func start(_ keys: String) throws(ContinuityError) -> AppStart? {
    let text = """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.example.app</string>
      <key>NSUserActivityTypes</key><array><string>org.example.reading</string></array>
      \(keys)
      </dict></plist>
      """
    return try ManifestReader.manifest(from: Array(text.utf8), file: "Info.plist").start
  }

  @Test func aDesktopEntryIsNamedWithItsSuffixOrWithout() throws {
    #expect(try start("") == nil)
    for name in ["org.example.app", "org.example.app.desktop"] {
      let key = "<key>ContinuoDesktopEntry</key><string>\(name)</string>"
      #expect(try start(key) == .desktopEntry("org.example.app"))
    }
  }

  @Test func associatedDomainsAreHosts() throws {
    func domains(_ list: String) throws -> [String] {
      let text = """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>org.example.app</string>
        <key>ContinuoAssociatedDomains</key><array>\(list)</array>
        </dict></plist>
        """
      return try ManifestReader.manifest(from: Array(text.utf8), file: "Info.plist").associatedDomains
    }
    let list = "<string>example.org</string><string>*.example.org</string>"
    #expect(try domains(list) == ["example.org", "*.example.org"])
    for wrong in ["https://example.org", "example", "*", "*.", ".example.org", "a b.org", "*.*.org", ""] {
      #expect(throws: ContinuityError.self) { try domains("<string>\(wrong)</string>") }
    }
  }

  @Test func anArgumentVectorIsTakenAsItStands() throws {
    let vector = "<key>ContinuoExecutable</key><array><string>vim</string><string>-c a; b</string></array>"
    #expect(try start(vector) == .executable(["vim", "-c a; b"], inTerminal: false))
    #expect(
      try start(vector + "<key>ContinuoTerminal</key><true/>")
        == .executable(["vim", "-c a; b"], inTerminal: true))
    #expect(
      try start(vector + "<key>ContinuoTerminal</key><false/>")
        == .executable(["vim", "-c a; b"], inTerminal: false))
  }

  @Test(arguments: [
    "<key>ContinuoDesktopEntry</key><string>../x</string>", "<key>ContinuoDesktopEntry</key><true/>",
    "<key>ContinuoExecutable</key><string>vim file</string>", "<key>ContinuoExecutable</key><array/>",
    "<key>ContinuoExecutable</key><array><string>bin/vim</string></array>",
    "<key>ContinuoTerminal</key><true/>", "<key>ContinuoTerminal</key><string>yes</string>",
    "<key>ContinuoDesktopEntry</key><string>a.b</string><key>ContinuoTerminal</key><true/>",
  ])
  func aWrongValueIsNamedWithItsKeyAndLine(_ keys: String) {
    let error = #expect(throws: ContinuityError.self) { _ = try start(keys) }
    #expect(error?.code == .invalidManifest)
    #expect(error?.description.contains("Continuo") == true && error?.description.contains("line ") == true)
  }
}
