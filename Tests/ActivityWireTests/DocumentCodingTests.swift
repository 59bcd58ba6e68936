// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@Suite struct DocumentCodingTests {
  @Test func s45a_aReferenceComesBackAsItWent() throws {
    var generator = SeededGenerator(seed: 2)
    let reference = RecordSamples.reference(generator: &generator)
    #expect(try DocumentReference(cbor: reference.cbor) == reference)
    #expect(try DocumentVersion(cbor: reference.version.cbor) == reference.version)
  }

  // Threat T04: a path is refused, never repaired.
  @Test(arguments: HostilePaths.all) func aHostilePathIsRefused(_ components: [[UInt8]]) throws {
    var generator = SeededGenerator(seed: 3)
    guard case .map(var fields) = RecordSamples.reference(generator: &generator).cbor else { return }
    fields[2] = .array(components.map { .bytes($0) })
    #expect(throws: ContinuityError.self) { try DocumentReference(cbor: .map(fields)) }
  }

  @Test func sixtyHostilePathsAreTried() { #expect(Set(HostilePaths.all).count >= 60) }

  @Test func namesThatOnlyLookHostileAreTaken() throws {
    for name in ["...", "..a", ".hidden", "-rf", "a\\b", "C:", "~", " ", "%2e%2e", "con", "\u{202e}a"] {
      var generator = SeededGenerator(seed: 4)
      guard case .map(var fields) = RecordSamples.reference(generator: &generator).cbor else { return }
      fields[2] = .array([.bytes(Array(name.utf8))])
      #expect(try DocumentReference(cbor: .map(fields)).path.name == Array(name.utf8))
    }
  }

  @Test func pathsOfOtherTypesAndOtherFieldsAreRefused() throws {
    var generator = SeededGenerator(seed: 5)
    guard case .map(let good) = RecordSamples.reference(generator: &generator).cbor else { return }
    let bad: [(UInt64, CBOR?)] = [
      (2, .text("plan.md")), (2, .array([.text("plan.md")])), (2, nil), (1, .bytes([1])), (1, nil), (3, nil),
      (3, .bytes([])), (4, .negative(0)), (5, .text("1")), (6, .bytes([1, 2, 3, 4, 5])),
      (6, .bytes([UInt8](repeating: 0, count: 257 * 6))), (7, .unsigned(2)), (8, .null), (127, .null),
    ]
    for (key, value) in bad {
      var fields = good
      fields[key] = value
      #expect(throws: ContinuityError.self, "field \(key)") { try DocumentReference(cbor: .map(fields)) }
    }
    var extended = good
    extended[128] = .text("later")
    #expect(try DocumentReference(cbor: .map(extended)).cbor == .map(good))
  }
}

enum HostilePaths {
  private static func path(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

  static let all: [[[UInt8]]] =
    badNames.flatMap { bad in
      [[bad], [bad, Array("a".utf8)], [Array("a".utf8), bad], [Array("a".utf8), bad, Array("b".utf8)]]
    } + [
      [], path("..", ".."), path("a", "..", "..", "b"), path(".", "."), path("", "etc", "passwd"),
      Array(repeating: Array("a".utf8), count: 33), Array(repeating: Array("a".utf8), count: 256),
      path("a", ""), path("", ""), path("..", "a", ".."),
    ]

  private static let badNames: [[UInt8]] =
    ["", ".", "..", "/", "a/b", "../a", "/etc/passwd", "a/", "a\0b", "\0", "a/../b"].map { Array($0.utf8) }
    + [
      [UInt8](repeating: UInt8(ascii: "a"), count: 256), [0xff, 0], [0xc0, 0xaf, UInt8(ascii: "/")],
      [UInt8](repeating: UInt8(ascii: "."), count: 256),
    ]
}
