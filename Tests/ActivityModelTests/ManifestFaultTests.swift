// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import Testing

@Suite("What is wrong with an Info.plist, and in which line")
struct ManifestFaultTests {
  /// The sentence for `text`; its first line is line 1.
  private func fault(_ text: String) -> String {
    do throws(ContinuityError) {
      _ = try ManifestReader.manifest(from: Array(text.utf8), file: "Info.plist")
      return "accepted"
    } catch {
      return error.code == .invalidManifest ? error.description : "code \(error.code)"
    }
  }

  /// `lines` begin in line 3, behind an identifier in line 2.
  private func plist(_ lines: String) -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>org.example.app</string>
    \(lines)
    </dict></plist>
    """
  }

  private func documentType(_ lines: String) -> String {
    plist("<key>CFBundleDocumentTypes</key><array>\n<dict/>\n<dict>\n\(lines)\n</dict></array>")
  }

  @Test(arguments: [
    (
      "<key>NSUserActivityTypes</key>\n<string>a</string>",
      "line 4: NSUserActivityTypes is \"a\"; write an array of strings."
    ),
    (
      "<key>NSUserActivityTypes</key><array>\n<string>org.a</string>\n<integer>3</integer></array>",
      "line 5: NSUserActivityTypes is <integer>; write an array of strings."
    ),
    (
      "<key>NSUserActivityTypes</key><array>\n<string/></array>",
      "line 4: NSUserActivityTypes is \"\"; write an activity type in reverse-DNS form."
    ),
    ("<key>CFBundleName</key><true/>", "line 3: CFBundleName is <true>; write a string."),
    (
      "<!-- one\n two -->\n<key>CFBundleDocumentTypes</key><dict/>",
      "line 5: CFBundleDocumentTypes is a dictionary; write an array of dictionaries."
    ),
    (
      "<key>ContinuoTeamIdentifier</key>\n<string>abc</string>",
      "line 4: ContinuoTeamIdentifier is \"abc\"; write 64 hexadecimal digits."
    ),
    (
      "<key>CFBundleName</key><string>a</string>\n<key>CFBundleName</key><string>b</string>",
      "line 4: CFBundleName is there twice, first in line 3; remove one."
    ),
  ])
  func aWrongValueIsNamedWithItsLine(lines: String, sentence: String) {
    #expect(fault(plist(lines)) == "Info.plist, " + sentence)
  }

  @Test(arguments: [
    (
      "<key>CFBundleTypeRole</key><string>Boss</string>",
      "CFBundleTypeRole is \"Boss\"; write Editor, Viewer or None."
    ),
    (
      "<key>CFBundleTypeExtensions</key><array><string>.md</string></array>",
      "CFBundleTypeExtensions is \".md\"; write file name extensions without the dot, or *."
    ),
    (
      "<key>CFBundleTypeMIMETypes</key><array><string>text</string></array>",
      "CFBundleTypeMIMETypes is \"text\"; write MIME types such as text/plain."
    ),
    (
      "<key>NSDocumentClass</key><string>Text Document</string>",
      "NSDocumentClass is \"Text Document\"; write the name that the class is registered under, such as "
        + "TextDocument."
    ),
    (
      "<key>NSDocumentClass</key><string>$(PRODUCT_MODULE_NAME).Text</string>",
      "NSDocumentClass is \"$(PRODUCT_MODULE_NAME).Text\"; write the name that the class is registered "
        + "under, such as TextDocument (what stands for the build variable is to be written out)."
    ),
    (
      "<key>NSUbiquitousDocumentUserActivityType</key><string></string>",
      "NSUbiquitousDocumentUserActivityType is \"\"; write an activity type in reverse-DNS form."
    ),
  ])
  func aWrongValueOfADocumentTypeIsNamedWithItsPath(lines: String, sentence: String) {
    #expect(fault(documentType(lines)) == "Info.plist, line 6: CFBundleDocumentTypes[1]." + sentence)
  }

  @Test func theIdentifierMustBeThereAndMustNotClimb() {
    #expect(
      fault("<?xml version=\"1.0\"?>\n\n<plist>\n<dict></dict></plist>")
        == "Info.plist, line 4: CFBundleIdentifier is missing; add the app's reverse-DNS identifier.")
    for name in ["../x", ".hidden", "", "a/b", "a\u{1b}[2Jb", String(repeating: "a", count: 256)] {
      let told = fault("<plist><dict><key>CFBundleIdentifier</key><string>\(name)</string></dict></plist>")
      #expect(told.hasPrefix("Info.plist, line 1: ") && !told.contains("\u{1b}"), "\(told)")
    }
    #expect(fault("<plist>\n<array/></plist>").hasPrefix("Info.plist, line 2: a dictionary (<dict>)"))
  }

  @Test(arguments: [
    ("<plist>\n<dict>\n<key>a</dict>", 3, "</dict> stands where </key> is expected, for the <key> of line 3"),
    ("<plist>\n<dict>\n<key>a</key>\n</dict>", 4, "</dict> stands where the value of a is expected"),
    ("<plist>\n<dict>\n<string/>", 3, "<string/> stands where <key> or </dict> is expected, for the <dict>"),
    ("<plist>\n<dict>\n<key>CFBundle", 3, "the file ends where </key> is expected, for the <key> of line 3"),
    (
      "<plist>\n<dict>\r\n\r", 4, "the file ends where <key> or </dict> is expected, for the <dict> of line 2"
    ),
    ("<plist>\n<array>\nloose", 3, "text stands where </array> is expected"),
    ("<plist>\n<table/>", 2, "<table/> is no element of a property list"),
    ("<plist>\n<string>a & b</string>", 2, "& stands alone; write &amp;"),
    ("<plist>\n<string>&nbsp;</string>", 2, "&nbsp; is not known"),
    ("<plist>\n<string>&#0;</string>", 2, "&#0; is not known"),
    ("<plist>\n<string>&#xD800;</string>", 2, "&#xD800; is not known"),
    ("<plist>\n<string\n", 2, "the tag <string> does not end; > is expected"),
    ("<plist>\n<string a=\">\n<", 2, "the tag <string> does not end; > is expected"),
    ("<plist>\n< >", 2, "a tag has no name"),
    ("<plist>\n<!-- never", 2, "the comment does not end; --> is expected"),
    ("<plist>\n<string><![CDATA[</string>", 2, "the CDATA section does not end; ]]> is expected"),
    ("<plist>\n<string>\u{1}</string>", 2, "a control character stands in the text"),
    ("<plist>\n<dict/>\n</dict>", 3, "</dict> stands where </plist> is expected"),
    ("<plist>\n<dict/></plist>\n<plist/>", 3, "something follows </plist>"),
    ("<?xml version='1.0'?>\n<html/>", 2, "<html/> stands where <plist> is expected"),
    (
      "<!DOCTYPE plist [\n<!ENTITY a \"b\">]><plist/>", 1,
      "the document type declares entities of its own; remove what stands in [ ]"
    ),
  ])
  func malformedXMLIsToldWithItsLineAndWhatWasExpected(text: String, line: Int, sentence: String) {
    let told = fault(text)
    #expect(told.hasPrefix("Info.plist, line \(line): \(sentence)"), "\(told)")
  }

  @Test func deepNestingThrowsInsteadOfExhaustingTheStack() {
    let deep = String(repeating: "<array>\n", count: 15_000)
    #expect(fault("<plist>\n" + deep).hasPrefix("Info.plist, line 25: nested deeper than 24 levels"))
    let hidden = String(repeating: "<array><!-- </array> --><string><![CDATA[</array>]]></string>", count: 60)
    #expect(fault("<plist>" + hidden).contains("nested deeper than"))
  }

  /// Each text is read as Foundation reads it, in the form that both understand.
  @Test(arguments: [
    "plain", "", "&lt;&gt;&amp;&quot;&apos;", "&#65;&#x20AC;", "<![CDATA[<a> & b]]> c",
    "\n  kept\n", "ä€𝄞", "a]]b",
  ])
  func textIsReadAsFoundationReadsIt(text: String) throws {
    let whole = plist("<key>CFBundleName</key><string>\(text)</string>")
    let foundation = try PropertyListSerialization.propertyList(from: Data(whole.utf8), format: nil)
    let name = (foundation as? [String: Any])?["CFBundleName"] as? String
    #expect(try ManifestReader.manifest(from: Array(whole.utf8), file: "Info.plist").name == name)
  }
}
