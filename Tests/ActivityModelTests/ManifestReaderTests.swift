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

  private func fault(_ body: String) -> String {
    do throws(ContinuityError) {
      _ = try manifest(body)
      return "accepted"
    } catch {
      return error.code == .invalidManifest ? error.description : "code \(error.code)"
    }
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
        """)
    var type = AppManifest.DocumentType(name: "Text", role: .viewer)
    type.extensions = ["txt", "*"]
    type.mimeTypes = ["text/plain"]
    type.contentTypes = ["public.plain-text"]
    type.documentClass = "TextDocument"
    type.activityType = "public.text-editing"
    #expect(
      read
        == AppManifest(
          appID: "org.example.editor", name: "editor", activityTypes: ["org.example.browsing"],
          documentTypes: [type]))
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

  @Test func malformedXMLSaysHowToCheckIt() {
    #expect(fault(bytes: Array("<plist><dict><key>a</dict>".utf8)).contains("plutil -lint"))
    #expect(fault(bytes: Array("<?xml ".utf8) + [0xff, 0xfe]).contains("UTF-8"))
  }

  @Test func deepNestingThrowsInsteadOfExhaustingTheStack() {
    let depth = 15_000
    let text =
      "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    #expect(fault(bytes: Array((text + "</plist>").utf8)).contains("nested deeper than"))
    let hidden = String(repeating: "<array><!-- </array> --><![CDATA[</array>]]>", count: 4_000)
    #expect(fault(bytes: Array(("<plist>" + hidden).utf8)).contains("nested deeper than"))
  }

  @Test func errorsNameFileKeyAndValue() {
    #expect(fault("").contains("no CFBundleIdentifier"))
    #expect(
      fault("<key>CFBundleIdentifier</key><string>../x</string>").contains(
        "\"../x\" under CFBundleIdentifier"))
    #expect(
      fault(id + "<key>NSUserActivityTypes</key><string>a</string>")
        == "Info.plist has \"a\" under NSUserActivityTypes, where an array of strings is expected.")
    let role = "<dict><key>CFBundleTypeRole</key><string>Boss</string></dict>"
    #expect(
      fault(id + "<key>CFBundleDocumentTypes</key><array>\(role)</array>")
        .contains("\"Boss\" under CFBundleDocumentTypes[0].CFBundleTypeRole"))
    let dotted = "<dict><key>CFBundleTypeExtensions</key><array><string>.md</string></array></dict>"
    #expect(
      fault(id + "<key>CFBundleDocumentTypes</key><array>\(dotted)</array>").contains("without the dot"))
    #expect(fault(id + "<key>CFBundleDocumentTypes</key><integer>3</integer>").contains("a number"))
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
