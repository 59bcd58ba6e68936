// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import Trust

/// Files of `continuo move-out`, by those who do not know the words and by those who do; words that are not
/// the file's; and what both computers keep.
struct MoveTarget: FuzzTarget {
  static let name = "move"
  static let longest = 4096
  static let words =
    CBORWords.all
    + ["continuo/move/v\u{1}", "continuo/move/v\u{2}", "moved-out", "/home/me", "abandon", "zoo"]
    .map { Array($0.utf8) } + [[0, 0, 0, 0, 0, 1, 0, 0x10], [0, 0, 0, 0, 0, 0, 0xff, 0xf8]]

  private let worlds: Worlds<MoveWorld>

  init() throws { worlds = try Worlds { try MoveWorld(ciphers: $0) } }

  func seeds() throws -> [[UInt8]] {
    let changes: [[(place: Int, bits: UInt8)]] = [
      [], [(15, 3)], [(16, 1)], [(47, 1)], [(55, 1)], [(56, 1)], [(9000, 1)], [(65535, 0x80)],
    ]
    return try worlds.seeds { world, choice in
      let head = Array(world.file.prefix(56))
      let hostile = [
        head, head + [UInt8](repeating: 0, count: 16), head.dropLast(8) + [0xff] + head.suffix(7),
      ]
      var seeds = hostile.map { choice(0) + $0 }
      for change in changes { seeds.append(choice(1) + Mutations.seed(change) + [0]) }
      for cut: [UInt8] in [[1, 0, 1], [1, 0, 16], [2, 0, 1]] {
        seeds.append(choice(1) + Mutations.seed([]) + cut)
      }
      for text in [world.words.text, world.words.text.uppercased()] {
        seeds.append(choice(2) + Array(text.utf8))
      }
      seeds.append(choice(3) + (try world.content()))
      seeds.append(choice(4) + (try world.text().prefix(1024)))
      seeds.append(choice(5) + MovedDevice(world.moving.identity, at: world.circle.now).encoded)
      for number: UInt64 in [65, 1 << 40, .max] {
        seeds.append(choice(6) + MoveWorld.state(numbersBelow: number))
      }
      return seeds
    }
  }

  func check(_ input: [UInt8]) throws {
    var reader = InputReader(input)
    let choice = Worlds<MoveWorld>.Choice(&reader, of: 7)
    let world = worlds[choice]
    switch choice.deed {
    case 0: try expect(world.opened(reader.rest) == nil, "bytes that nobody wrote are a device")
    case 1: try world.checkChanged(&reader)
    case 2: try world.checkWords(String(decoding: reader.rest, as: UTF8.self))
    case 3: try world.checkContent(MoveWorld.text(holding: reader.rest))
    case 4: try world.checkContent(reader.rest)
    case 5: try world.checkMark(reader.rest)
    default: try MoveWorld.checkState(reader.rest)
    }
  }
}

/// A device, and the file and the words with which it goes.
private struct MoveWorld {
  private let ciphers: any CipherSuite
  private(set) var circle: SampleCircle
  let moving: MovingDevice
  let file: [UInt8]
  let words: PairingWords

  /// One folder, some numbers, and nothing else.
  static let state = state(numbersBelow: 65)

  static func state(numbersBelow number: UInt64) -> [UInt8] {
    CBOR.map([
      1: .array([
        .array([
          .bytes([UInt8](repeating: 3, count: 16)), .text("Notes"), .bytes(Array("/home/me/Notes".utf8)),
        ])
      ]),
      2: .unsigned(number), 3: .array([]), 4: .array([.bytes([UInt8](repeating: 4, count: 16))]),
      5: .array([]),
    ]).encoded
  }

  init(ciphers: any CipherSuite) throws {
    self.ciphers = ciphers
    circle = try SampleCircle(ciphers: ciphers)
    moving = MovingDevice(
      identity: circle.desk, state: Self.state, record: [0xa0], home: Array("/home/me".utf8))
    (file, words) = try moving.sealed(using: &circle.generator)
  }

  // MARK: - Without the words

  /// Both looks agree; before anybody types words a file is refused for what it is alone.
  func opened(_ file: [UInt8], words: PairingWords? = nil) -> MovingDevice? {
    guard (try? MovingDevice.check(file)) != nil else { return nil }
    return try? MovingDevice(file: file, words: words ?? self.words)
  }

  func checkChanged(_ reader: inout InputReader) throws {
    var changed = Mutations(&reader).applied(to: file)
    switch reader.choice(of: 3) {
    case 1: changed.removeLast(min(changed.count, reader.word()))
    case 2: changed += [UInt8](repeating: reader.byte(), count: reader.choice(of: 256))
    default: break
    }
    let opened = opened(changed)
    try expect(
      (opened != nil) == (changed == file), "a changed file is taken, or the one that was written not")
    try expect(opened == nil || opened == moving, "a device is another one when it arrives")
  }

  func checkWords(_ typed: String) throws {
    guard let other = try? PairingWords(parsing: typed, ciphers: ciphers) else { return }
    let opened = opened(file, words: other)
    try expect((opened != nil) == (other == words), "other words open the file, or its own do not")
  }

  // MARK: - With the words

  static func text(holding content: [UInt8]) -> [UInt8] { UInt64(content.count).bigEndianBytes + content }

  /// What is sealed in the file. Throws where that does not open.
  func text() throws -> [UInt8] {
    let head = Array(file.prefix(56))
    guard
      let text = ciphers.open(
        Array(file.dropFirst(56)), key: words.movingKey(head), nonce: Array(head[16..<28]), header: head)
    else { throw BrokenProperty("a file does not open under its key") }
    return text
  }

  /// The device in it. Throws as `text` does.
  func content() throws -> [UInt8] {
    let text = try text()
    return Array(text.dropFirst(8).prefix(text.prefix(8).reduce(0) { $0 << 8 | Int($1) }))
  }

  /// Any text, sealed by somebody who made the words.
  func checkContent(_ text: [UInt8]) throws {
    let head = Array(file.prefix(48)) + UInt64(text.count + 16).bigEndianBytes
    let sealed = ciphers.seal(text, key: words.movingKey(head), nonce: Array(head[16..<28]), header: head)
    guard let sealed, let opened = opened(head + sealed) else { return }
    var generator = circle.generator
    let again = try opened.sealed(using: &generator)
    try expect(
      (try? MovingDevice(file: again.file, words: again.words)) == opened,
      "a device is another one when it goes on")
    try expect(again.file.count % (1 << 16) == 72, "a file's size tells what is in it")
  }

  // MARK: - What is kept

  func checkMark(_ bytes: [UInt8]) throws {
    guard let left = MovedDevice(encoded: bytes) else { return }
    try expect(MovedDevice(encoded: left.encoded) == left, "a mark is another one when read again")
    try expect(DisplayText.isClean(left.name), "a name is shown as it came")
    try expect((try? Identity(encoded: bytes, ciphers: ciphers)) == nil, "a mark has keys")
  }

  static func checkState(_ bytes: [UInt8]) throws {
    guard let state = try? AgentState(decoding: bytes) else { return }
    let encoded = state.encoded
    try expect(
      (try? AgentState(decoding: encoded))?.encoded == encoded, "a state is written in two ways")
    // The numbers of the old computer, and those of the new one, come behind those that it had.
    try expect(
      (try? AgentState(decoding: state.leaving.encoded)) != nil, "a state that goes along cannot be read")
  }
}
