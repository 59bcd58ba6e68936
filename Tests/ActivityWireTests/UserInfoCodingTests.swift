// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing
import TestSamples

@Suite struct UserInfoCodingTests {
  @Test func aThousandRandomValuesComeBackAsTheyWent() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      let value = RecordSamples.value(depth: 4, generator: &generator)
      let cbor = value.cbor
      #expect(try UserInfoValue(cbor: cbor) == value)
      #expect(try UserInfoValue(cbor: cbor).cbor.encoded == cbor.encoded)
    }
  }

  @Test func equalMapsAndSetsHaveEqualBytesWhateverTheirOrder() {
    let keys = (0..<200).map { UserInfoValue.text("key \($0)") }
    let forward = UserInfo(uniqueKeysWithValues: keys.map { ($0, .set(Set(keys))) })
    let backward = UserInfo(uniqueKeysWithValues: keys.reversed().map { ($0, .set(Set(keys.reversed()))) })
    #expect(forward.cbor.encoded == backward.cbor.encoded)
  }

  @Test func whatNoDecoderWouldTakeBecomesNull() {
    #expect(UserInfoValue.double(.nan).cbor == .null)
    #expect(UserInfoValue.date(.infinity).cbor == .null)
    #expect(UserInfoValue.document(-1).cbor == .null)
    #expect(UserInfoValue.uuid([1]).cbor == .null)
  }

  @Test(arguments: [
    CBOR.array([]), .array([.unsigned(7), .unsigned(0)]), .array([.text("0")]), .map([:]),
    .array([.unsigned(3), .unsigned(1)]), .array([.unsigned(3)]), .array([.unsigned(5), .unsigned(256)]),
    .array([.unsigned(6), .bytes([1])]), .array([.unsigned(1), .text("a")]),
    .array([.unsigned(2), .text("b"), .text("a")]), .array([.unsigned(2), .text("a"), .text("a")]),
    .array([.unsigned(1), .text("b"), .null, .text("a"), .null]), .unsigned(.max), .negative(.max),
    .array([.unsigned(2), .text("\u{e9}"), .text("e\u{301}")].sortedTail),
    .array([.unsigned(2), .double(-0.0), .double(0.0)].sortedTail),
  ])
  func aValueThatWouldNotBeWrittenBackIsRefused(_ cbor: CBOR) {
    #expect(throws: ContinuityError.self) { try UserInfoValue(cbor: cbor) }
  }

  @Test func eightLevelsAreTakenAndNineRefused() throws {
    var value = UserInfoValue.date(1)
    for _ in 1..<8 { value = .array([value]) }
    try ([.text("deep"): value] as UserInfo).checkLimits()
    let error = #expect(throws: ContinuityError.self) {
      try ([.text("deep"): .array([value])] as UserInfo).checkLimits()
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test func entriesOfAContainerAndValuesInAllAreBounded() throws {
    let full = UserInfo(uniqueKeysWithValues: (0..<256).map { (.int($0), .null) })
    try full.checkLimits()
    let over = UserInfo(uniqueKeysWithValues: (0..<257).map { (.int($0), .null) })
    #expect(throws: ContinuityError.self) { try over.checkLimits() }
    let row = UserInfoValue.array(Array(repeating: .null, count: 256))
    let most = UserInfo(uniqueKeysWithValues: (0..<7).map { (.int($0), row) })
    try most.checkLimits()
    let tooMany = UserInfo(uniqueKeysWithValues: (0..<8).map { (.int($0), row) })
    #expect(throws: ContinuityError.self) { try tooMany.checkLimits() }
  }

  @Test func moreThan16KibibytesIsAnErrorThatNamesTheLargestKeys() throws {
    let info: UserInfo = [
      .text("small"): .int(1), .text("picture"): .bytes([UInt8](repeating: 0, count: 12_000)),
      .text("sound"): .bytes([UInt8](repeating: 0, count: 9_000)),
    ]
    let error = try #require(throws: ContinuityError.self) { try info.checkLimits() }
    #expect(error.code == .userInfoTooLarge)
    #expect(error.description.contains("“picture” (12003 bytes), “sound” (9003 bytes)"))
  }
}

extension [CBOR] {
  /// Kind first, then the members in the order a decoder asks for, so that nothing but equality is wrong with
  /// them.
  fileprivate var sortedTail: [CBOR] {
    prefix(1) + dropFirst().sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
  }
}
