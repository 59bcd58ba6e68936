// SPDX-License-Identifier: MIT

import Testing

@testable import SyncEngines

/// `config.xml` and `.stignore` of Syncthing.
@Suite struct SyncthingTests {
  private func read(_ text: String) -> EngineReading {
    SyncthingConfiguration.read(Array(text.utf8), file: "config.xml", home: Array("/home/ada".utf8))
  }

  private func paths(_ reading: EngineReading) -> [String] {
    reading.folders.map { String(decoding: $0.path, as: UTF8.self) }
  }

  @Test func aConfigurationAsSyncthingWritesItIsRead() {
    let reading = read(
      """
      <configuration version="36">
          <folder id="abcd-1234" label="Notes &amp; plans" path="/home/ada/Notes" type="sendreceive">
              <filesystemType>basic</filesystemType>
              <device id="MWI7VM5" introducedBy=""><encryptionPassword></encryptionPassword></device>
              <minDiskFree unit="%">1</minDiskFree>
              <paused>false</paused>
          </folder>
          <folder id="pics" label="" path="~/Pictures/" rescanIntervalS='3600'>
              <paused>true</paused>
          </folder>
          <device id="MWI7VM5" name="vm"><address>dynamic</address><paused>true</paused></device>
          <gui enabled="true"><apikey>secret</apikey></gui>
          <ldap></ldap>
          <defaults><folder id="" label="" path="~"><paused>false</paused></folder></defaults>
      </configuration>
      """)
    #expect(
      reading.folders == [
        KeptFolder(engine: .syncthing, label: "Notes & plans", path: Array("/home/ada/Notes".utf8)),
        KeptFolder(engine: .syncthing, label: "pics", path: Array("/home/ada/Pictures".utf8), isPaused: true),
      ])
    #expect(reading.problems == [])
  }

  @Test func whatWasReadBeforeABreakStands() {
    let whole = """
      <configuration version="36">
        <folder id="a" label="A" path="/a"><paused>false</paused></folder>
        <folder id="b" label="B" path="/b"><paused>false</paused></folder>
      </configuration>
      """
    for length in 0..<whole.utf8.count {
      let reading = read(String(decoding: whole.utf8.prefix(length), as: UTF8.self))
      #expect(reading.problems.count == 1 && reading.problems[0].contains("config.xml"), "\(length)")
      #expect(paths(reading) == Array(["/a", "/b"].prefix(reading.folders.count)), "\(length)")
    }
    #expect(paths(read(whole)) == ["/a", "/b"])
  }

  @Test(
    "what is no configuration gives a sentence",
    arguments: [
      "", "no xml", "<plist></plist>", "<configuration>", "<!DOCTYPE x [<!ENTITY a \"b\">]><configuration/>",
      "<configuration><folder path=\"relative\"/></configuration>",
      "<configuration>" + String(repeating: "<a>", count: 100_000),
    ])
  func broken(text: String) {
    let reading = read(text)
    #expect(reading.folders.isEmpty && reading.problems.count == 1, "\(reading)")
    #expect(reading.problems.allSatisfy { $0.hasSuffix(".") })
  }

  @Test func anotherEncodingGivesASentence() {
    let utf16 = Array("<configuration/>".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
    for bytes in [[0xff, 0xfe] + utf16, Array("<configuration><folder label=\"".utf8) + [0xe4, 0x22]] {
      let reading = SyncthingConfiguration.read(bytes, file: "config.xml", home: [])
      #expect(reading.folders.isEmpty && reading.problems[0].contains("UTF-8"), "\(reading)")
    }
  }

  @Test func aThousandFoldersAreRead() {
    let folders = (0..<1000).map { "<folder id=\"\($0)\" path=\"/f/\($0)\"><paused>false</paused></folder>" }
    let reading = read("<configuration>\(folders.joined(separator: "\n"))</configuration>")
    #expect(reading.folders.count == 1000 && reading.problems == [])
  }

  @Test(
    "which patterns leave .continuo out",
    arguments: [
      ("", nil), ("// .continuo\n*.tmp", nil), (".continuo", ".continuo"), ("  /.continuo  ", "/.continuo"),
      (".*", ".*"), ("(?i).CONTINUO", "(?i).CONTINUO"), (".CONTINUO", nil), ("(?d)(?i).C*", "(?d)(?i).C*"),
      ("!/.continuo\n.*", nil), ("!.continuo\n*", nil), ("*", "*"), ("**", "**"), (".*\n!.continuo", ".*"),
      ("notes/.*", nil), ("/.continuo/*.rec", "/.continuo/*.rec"), ("*.rst", "*.rst"),
      (".continuo/", ".continuo/"),
      (".[a-d]*", ".[a-d]*"), (".[!a-d]*", nil), (".{git,continuo}", ".{git,continuo}"),
      ("?continuo", "?continuo"), ("**/.c?ntinuo/**", "**/.c?ntinuo/**"), (".continuo.bak", nil),
      ("  .conti*  ", ".conti*"), ("notes/.continuo", nil),
      ("{", nil), ("[", nil), ("\\", nil), ("\\*", nil), ("!", nil), ("(?i)", nil), ("#include other", nil),
    ] as [(String, String?)])
  func ignores(text: String, pattern: String?) {
    #expect(SyncthingIgnores.omission(in: text, file: ".stignore")?.pattern == pattern, "\(text)")
  }

  @Test func includedFilesCountAndEndlessOnesEnd() {
    let included = SyncthingIgnores.omission(in: "#include more", file: ".stignore") {
      $0 == "more" ? ".*" : nil
    }
    #expect(included?.pattern == ".*" && included?.fix == "put a line !/.continuo before it")
    let endless = SyncthingIgnores.omission(in: "#include a\n#include a", file: ".stignore") { _ in
      "#include a\n#include a"
    }
    #expect(endless == nil)
  }

  @Test func aPatternThatIsMadeToBeSlowIsNot() {
    let slow = String(repeating: "*a", count: 500) + "b"
    #expect(SyncthingIgnores.omission(in: slow, file: "f") == nil)
    #expect(!GlobPattern(slow).matches(String(repeating: "a", count: 500)))
    #expect(!GlobPattern(String(repeating: "{a,b}", count: 40)).matches("ab"))
    #expect(!GlobPattern(String(repeating: "{", count: 4000)).matches("ab"))
  }
}
