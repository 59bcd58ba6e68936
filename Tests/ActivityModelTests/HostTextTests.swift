// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

/// Addresses and names of computers, as people read and type them.
@Suite struct HostTextTests {
  /// RFC 5952, section 4, and both ends.
  @Test(
    arguments: [
      ([10, 0, 0, 2], "10.0.0.2"), ([255, 255, 255, 255], "255.255.255.255"),
      ([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "2001:db8::1"),
      ([0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "2001:db8:0:1:1:1:1:1"),
      ([0x20, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1], "2001:0:0:1::1"),
      ([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1], "2001:db8::1:0:0:1"),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "::1"),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "::"),
      ([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "fd00::"),
      ([0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], "fd01:203:405:607:809:a0b:c0d:e0f"),
    ] as [([UInt8], String)])
  func anAddressIsShown(_ bytes: [UInt8], as text: String) { #expect(HostText.shown(bytes) == text) }

  @Test(
    arguments: [
      ("desktop.local", "desktop.local", nil), ("192.168.1.20:47000", "192.168.1.20", 47_000),
      ("fd00::20", "fd00::20", nil), ("[fd00::20]", "fd00::20", nil), ("[fd00::20]:1024", "fd00::20", 1024),
      ("büro:65535", "büro", 65_535), ("fe80::1%eth0", "fe80::1%eth0", nil),
    ] as [(String, String, UInt16?)])
  func aComputerIsTyped(_ typed: String, name: String, port: UInt16?) throws {
    let parts = try HostText.parts(of: typed)
    #expect(parts.name == name && parts.port == port)
  }

  @Test(
    arguments: [
      "", ":47000", "a:", "a:80", "a:1023", "a:65536", "a:-1", "a:4700x", "a:٤٧٠٠٠", "[fd00::20", "[]:47000",
      "[fd00::20]47000", "a b", "a/b", "http://a", "-h", "a\n", "a\u{1b}[2J",
      String(repeating: "a", count: 254),
    ])
  func whatIsNoComputerIsASentence(_ typed: String) {
    let error = #expect(throws: ContinuityError.self) { try HostText.parts(of: typed) }
    #expect(error?.code == .invalidRequest && error?.description.contains("192.168.1.20:47000") == true)
    #expect(error.map { DisplayText.isClean($0.description) } == true)
  }
}
