// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

/// Names, titles and addresses of others as people see them: nothing that moves a cursor or turns a line
/// around; and the same when cleaned twice.
struct TextTarget: FuzzTarget {
  static let name = "text"
  static let longest = 512
  static let words =
    [
      "\u{202e}", "\u{200d}", "\u{1b}[2J", "\u{9b}", "\u{feff}", "👩\u{200d}👩\u{200d}👧",
      "\u{1F3F4}\u{E0067}\u{E007F}",
      "\u{2028}", "e\u{301}", "\u{ad}", "نا\u{200c}مه", "\u{fe0f}", "https://", "file://", "%2f",
      "%00",
      "@", "\\", "*.", "../",
    ].map { Array($0.utf8) } + [[0xff], [0xed, 0xa0, 0x80], [0]]

  func seeds() throws -> [[UInt8]] {
    [
      "plan.md", "a\u{202e}b\u{1b}[2Jc", "👩\u{200d}👩\u{200d}👧 e\u{301}", "file:///home/me/a%20b%FF",
      "https://a@b.example.org:1/x",
    ]
    .flatMap { text in [0, 1, 2, 9].map { [$0] + Array(text.utf8) } }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let limit = Int(reader.byte())
    let bytes = reader.rest
    let text = String(decoding: bytes, as: UTF8.self)
    let shown = DisplayText.shown(text)
    try expect(DisplayText.isClean(shown), "what was cleaned is not clean")
    try expect(text.isEmpty || !shown.isEmpty, "nothing is left of a text")
    let controls = shown.unicodeScalars.filter { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }
    try expect(controls.isEmpty, "a control character is shown")
    let turning = shown.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) }
    try expect(!turning, "a text turns its line around")
    for cut in [DisplayText.shown(text, byteLimit: limit), RecordText.sanitised(text, byteLimit: limit)] {
      try expect(cut.utf8.count <= limit, "a text is longer than its limit")
    }
    let sanitised = RecordText.sanitised(text, byteLimit: limit)
    try expect(
      RecordText.isClean(sanitised, byteLimit: limit), "a text that was cleaned is not clean for records")
    try Self.checkAddresses(text, bytes)
  }

  private static func checkAddresses(_ text: String, _ bytes: [UInt8]) throws {
    if let path = FileURL.path(of: text) {
      try expect(path.first == UInt8(ascii: "/") && !path.contains(0), "a URL leads to no absolute path")
      try expect(FileURL.path(of: FileURL.text(of: path)) == path, "a path has a URL that leads elsewhere")
    }
    let path = [UInt8(ascii: "/")] + bytes.filter { $0 != 0 }
    try expect(FileURL.path(of: FileURL.text(of: path)) == path, "a path has a URL that leads elsewhere")
    if let host = WebAddress.host(of: text) {
      try expect(WebAddress.isHandedOver(text), "an address has a host and is none of the web")
      try expect(!host.isEmpty && text.lowercased().contains(host), "a host is not in its address")
      try expect(
        !WebAddress.isHost(of: text, in: "*.example.org") || host.hasSuffix(".example.org"),
        "a host is in a domain that it is not in")
    }
  }
}
