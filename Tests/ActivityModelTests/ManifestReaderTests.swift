// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@Suite("An app's Info.plist")
struct ManifestReaderTests {
  private func manifest(_ body: String) throws(ContinuityError) -> AppManifest {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>\(body)</dict></plist>
      """
    return try ManifestReader.manifest(from: Array(text.utf8), file: "Info.plist")
  }

  private func fault(bytes: [UInt8]) -> String {
    do throws(ContinuityError) {
      _ = try ManifestReader.manifest(from: bytes, file: "Info.plist")
      return "accepted"
    } catch {
      return error.description
    }
  }

  private let id = "<key>CFBundleIdentifier</key><string>org.example.editor</string>"

  @Test func appleKeysAreUnderstood() throws {
    let read = try manifest(
      id + """
        <key>NSUserActivityTypes</key><array><string>org.example.browsing</string></array>
        <key>CFBundleDocumentTypes</key><array><dict>
          <key>CFBundleTypeName</key><string>Text</string>
          <key>CFBundleTypeRole</key><string>Viewer</string>
          <key>CFBundleTypeExtensions</key><array><string>txt</string><string>*</string></array>
          <key>CFBundleTypeMIMETypes</key><array><string>text/plain</string></array>
          <key>LSItemContentTypes</key><array><string>public.plain-text</string></array>
          <key>NSDocumentClass</key><string>TextDocument</string>
          <key>NSUbiquitousDocumentUserActivityType</key><string>public.text-editing</string>
        </dict></array>
        <key>LSMinimumSystemVersion</key><real>1.5</real><key>Extra</key><true/>
        <key>ContinuoTeamIdentifier</key><string>\(String(repeating: "0Af9", count: 16))</string>
        """)
    var type = AppManifest.DocumentType(name: "Text", role: .viewer)
    type.extensions = ["txt", "*"]
    type.mimeTypes = ["text/plain"]
    type.contentTypes = ["public.plain-text"]
    type.documentClass = "TextDocument"
    type.activityType = "public.text-editing"
    var wanted = AppManifest(
      appID: "org.example.editor", name: "editor", activityTypes: ["org.example.browsing"],
      documentTypes: [type])
    wanted.team = (0..<32).map { $0.isMultiple(of: 2) ? 0x0a : 0xf9 }
    #expect(read == wanted)
  }

  @Test func aBinaryPropertyListIsRefusedBeforeAnyDecoderSeesIt() {
    // Valid magic, then an array that holds itself: Foundation's decoder on Linux does not survive it.
    let bytes = Array("bplist00".utf8) + [0xa1, 0x00, 0x08] + [UInt8](repeating: 0, count: 32)
    #expect(fault(bytes: bytes).contains("plutil -convert xml1"))
  }

  @Test(arguments: ["", "{ a = b; }", "[]", "plist", "<html/>", "\u{0}"])
  func whatIsNotXMLIsRefused(_ text: String) {
    #expect(fault(bytes: Array(text.utf8)).contains("must begin with <?xml or <plist"))
  }

  @Test func anOversizedFileIsRefusedWithItsSize() {
    let bytes = Array("<?xml".utf8) + [UInt8](repeating: 32, count: ManifestReader.sizeLimit)
    #expect(fault(bytes: bytes).contains("\(bytes.count) bytes"))
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    #expect(fault(bytes: Array("<?xml ".utf8) + [0xff, 0xfe]).contains("UTF-8"))
  }

  @Test func theManifestBesideTheExecutableComesFirst() throws {
    let places = try AgentPlaces(environment: ["HOME": "/home/a", "XDG_DATA_DIRS": "/usr/share"])
    #expect(
      ManifestReader.candidates(executable: "/opt/ed", appIDs: ["org.example.ed"], places: places) == [
        "/opt/ed.Info.plist", "/home/a/.local/share/continuo/apps/org.example.ed/Info.plist",
        "/usr/share/continuo/apps/org.example.ed/Info.plist",
      ])
  }
}
