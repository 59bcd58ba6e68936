// SPDX-License-Identifier: MIT

import Testing

@testable import SyncEngines

/// The configurations of Unison, Nextcloud, Dropbox and rclone.
@Suite struct OtherEnginesTests {
  private let home = Array("/home/ada".utf8)

  private func paths(_ reading: EngineReading) -> [String] {
    reading.folders.map { String(decoding: $0.path, as: UTF8.self) }
  }

  // MARK: Unison

  private func unison(_ text: String, include: (String) -> [UInt8]? = { _ in nil }) -> EngineReading {
    UnisonProfile.read(Array(text.utf8), file: "~/.unison/notes.prf", home: home, include: include)
  }

  @Test func theLocalRootsOfAProfileAreRead() {
    let reading = unison(
      """
      # Unison preferences file
      root = /home/ada/Notes/
      root = ssh://laptop//home/ada/Notes
      ignore = Name *.tmp
      """)
    #expect(
      reading.folders == [KeptFolder(engine: .unison, label: "notes", path: Array("/home/ada/Notes".utf8))])
    #expect(paths(unison("root=Notes\nroot = file:///mnt/disk")) == ["/home/ada/Notes", "/mnt/disk"])
    #expect(paths(unison("root = /a\nroot = socket://x:5/b\npath = p\npath = q/r")) == ["/a/p", "/a/q/r"])
    #expect(paths(unison("root = /a\r\nroot = /b\r\n")) == ["/a", "/b"])
  }

  @Test func includedProfilesCountAndEndlessOnesEnd() {
    let reading = unison("include common\nroot = /a") {
      $0 == "common" ? Array("ignore = Name .*".utf8) : nil
    }
    #expect(paths(reading) == ["/a"] && reading.folders[0].omission?.pattern == "ignore = Name .*")
    #expect(paths(unison("root = /a\ninclude me") { _ in Array("include me\ninclude me".utf8) }) == ["/a"])
  }

  @Test(
    "which patterns leave .continuo out",
    arguments: [
      ("ignore = Name .continuo", "Name .continuo"), ("ignore = Name {.*,*~}", "Name {.*,*~}"),
      ("ignore = Name *", "Name *"), ("ignore = Name ?continuo", nil),
      ("ignore = Path .continuo", "Path .continuo"),
      ("ignore = Path .continuo/*", "Path .continuo/*"),
      ("ignore = BelowPath .continuo", "BelowPath .continuo"),
      ("ignore = Path notes/.continuo", nil), ("ignore = Name *.rec", "Name *.rec"),
      ("ignore = Name .*\nignorenot = BelowPath .continuo", nil),
      ("ignore = Name .*\nignorenot = Name .continuo", nil), ("ignore = Name", nil), ("ignore", nil),
    ] as [(String, String?)])
  func ignores(text: String, pattern: String?) {
    let omission = unison("root = /a\n\(text)").folders.first?.omission
    #expect(omission?.pattern == pattern.map { "ignore = \($0)" }, "\(text)")
  }

  @Test func whatCannotBeTakenInIsSaid() {
    let reading = unison("root = /a\nignore = Regex .*")
    #expect(reading.problems.count == 1 && reading.problems[0].contains("Regex"), "\(reading)")
    #expect(unison("\u{0}\u{1}garbage = = =\nroot =\nroot = x\u{0}y").folders.isEmpty)
    #expect(UnisonProfile.read([0xff, 0xfe, 0x0a], file: "f", home: home).folders.isEmpty)
  }

  // MARK: Nextcloud

  private func nextcloud(_ text: String, excludes: String? = nil) -> EngineReading {
    NextcloudConfiguration.read(
      Array(text.utf8), file: "nextcloud.cfg", home: home, excludes: excludes.map { ($0, "sync-exclude.lst") }
    )
  }

  private let configuration = #"""
    [General]
    clientVersion=3.7.3
    [Accounts]
    0\Folders\1\ignoreHiddenFiles=false
    0\Folders\1\localPath=/home/ada/Nextcloud/
    0\Folders\1\paused=false
    0\Folders\1\targetPath=/
    0\FoldersWithPlaceholders\2\localPath="/home/ada/B\xfcro, alles/"
    0\FoldersWithPlaceholders\2\paused=true
    0\url=https://cloud.example.org
    version=2
    """#

  @Test func theFoldersOfNextcloudAreRead() {
    let reading = nextcloud(configuration)
    #expect(paths(reading) == ["/home/ada/Nextcloud", "/home/ada/Büro, alles"] && reading.problems == [])
    #expect(reading.folders.map(\.isPaused) == [false, true])
    #expect(reading.folders.allSatisfy { $0.omission == nil })
  }

  @Test func whatNextcloudLeavesOutIsFound() {
    let hidden = configuration.replacing("ignoreHiddenFiles=false", with: "ignoreHiddenFiles=true")
    #expect(nextcloud(hidden).folders[0].omission?.pattern == "ignoreHiddenFiles=true")
    #expect(nextcloud(configuration, excludes: "# .*\n*~\n]*.tmp\n").folders[0].omission == nil)
    for pattern in [".*", "].continuo", ".continuo/", "*.rec", "/.continuo/*"] {
      #expect(nextcloud(configuration, excludes: pattern).folders[0].omission?.pattern == pattern)
    }
  }

  @Test func aBrokenConfigurationOfNextcloudDoesNoHarm() {
    for length in 0..<configuration.utf8.count {
      let cut = nextcloud(String(decoding: configuration.utf8.prefix(length), as: UTF8.self))
      #expect(cut.folders.count <= 2 && cut.problems.count <= 1, "\(length)")
    }
    #expect(nextcloud("").problems.count == 1)
    #expect(nextcloud("[Accounts]\n0\\Folders\\1\\localPath=\\x110000zz\n=\n\\\\\\=").folders.isEmpty)
  }

  // MARK: Dropbox and rclone

  @Test func theFoldersOfDropboxAreRead() {
    let read = { (text: String) in DropboxConfiguration.read(Array(text.utf8), file: "info.json", home: home)
    }
    let reading = read(
      #"{"personal": {"path": "/home/ada/Dropbox", "host": 1}, "business": {"path": "/home/ada/Work"}}"#)
    #expect(reading.folders.map(\.label) == ["business", "personal"] && reading.problems == [])
    for text in ["", "[]", "{", "{\"personal\": {\"path\": \"x\"}}", "\u{0}"] {
      #expect(read(text).folders.isEmpty && read(text).problems.count == 1, "\(text)")
    }
    #expect(read("{\"personal\": 1}") == EngineReading())
  }

  /// rclone 1.60 named these listings.
  @Test func theFoldersOfRcloneAreFoundByTheirListings() {
    let tree = [
      "/": ["home", "tmp"], "/home": ["ada"], "/home/ada": ["my", "my notes", "a_b"],
      "/home/ada/my": ["other"],
      "/home/ada/my notes": [],
    ]
    let read = { (names: [String]) in
      RcloneListings.read(names) { (tree[String(decoding: $0, as: UTF8.self)] ?? []).map { Array($0.utf8) } }
    }
    let names = ["home_ada_my_notes..drive_notes", "drive_x..home_ada_a_b"]
    let listings = names.flatMap { ["\($0).path1.lst", "\($0).path2.lst", "\($0).path1.lst-new"] }
    #expect(paths(read(listings)) == ["/home/ada/a_b", "/home/ada/my notes"])
    #expect(paths(read(["..path1.lst", "home_gone..x.path1.lst", "a", "home..", ".path1.lst"])) == [])
    let endless = RcloneListings.read([String(repeating: "a_", count: 2000) + "..b.path1.lst"]) { _ in
      [Array("a".utf8), Array("a".utf8)]
    }
    #expect(endless.folders.isEmpty)
  }
}
