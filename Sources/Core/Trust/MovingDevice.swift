// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

/// A device between two computers: all that the new one needs to take the old one's place.
///
/// It travels in a file that twelve words open, which nobody else has. Printing it shows nothing secret.
public struct MovingDevice: Hashable, Sendable {
  /// Keys, circle and roster.
  public let identity: Identity
  /// What its agent knows beside that, as the agent encodes it: folders, numbers, what it heard.
  public let state: [UInt8]
  /// What it says of itself when it goes on, encoded; nil when it never said anything.
  public let record: [UInt8]?
  /// The person's home directory on the old computer, below which the folders may lie.
  public let home: [UInt8]

  /// A device that goes on elsewhere with that.
  public init(identity: Identity, state: [UInt8], record: [UInt8]?, home: [UInt8]) {
    (self.identity, self.state, self.record, self.home) = (identity, state, record, home)
  }
}

extension MovingDevice {
  // file = "continuo/move/v" version(1) random(32) length(8) sealed
  // sealed text = length(8) { 1: identity, 2: state, 3: record?, 4: home } zeros
  private static let magic = Array("continuo/move/v".utf8)
  private static let version: UInt8 = 1
  private static let randomSize = 32
  private static let headerSize = magic.count + 1 + randomSize + 8
  /// The sizes of circles and of lists of folders are not told apart: the text is as long as a multiple.
  private static let step = 1 << 16
  private static let limits = CBOR.Limits(depth: 4, entries: 8, items: 16, bytes: sizeLimit)

  /// No longer file is read.
  public static let sizeLimit = 48 << 20

  /// The file, and the words that open it, which are nowhere else. Throws `invalidRequest` when the device
  /// knows more than a file holds.
  public func sealed(
    using generator: inout some RandomNumberGenerator
  ) throws(ContinuityError) -> (file: [UInt8], words: PairingWords) {
    var fields: CBORMap = [1: .bytes(identity.encoded), 2: .bytes(state), 4: .bytes(home)]
    fields[3] = record.map { .bytes($0) }
    let content = CBOR.map(fields).encoded
    let words = PairingWords(using: &generator, ciphers: identity.keys.ciphers)
    let size = (8 + content.count + Self.step - 1) / Self.step * Self.step
    var text = UInt64(content.count).bigEndianBytes + content
    text += [UInt8](repeating: 0, count: size - text.count)
    // The seal is sixteen bytes longer than the text.
    let header =
      Self.magic + [Self.version] + generator.bytes(Self.randomSize) + UInt64(size + 16).bigEndianBytes
    let suite = identity.keys.ciphers.suite
    guard header.count + size + 16 <= Self.sizeLimit,
      let sealed = suite.seal(
        text, key: words.movingKey(header), nonce: Self.nonce(header), header: header)
    else {
      throw ContinuityError(
        .invalidRequest, subject: "size",
        description: "This device knows too much for one file: remove folders that are not needed any more.")
    }
    return (header + sealed, words)
  }

  /// The device that the words open in `file`.
  ///
  /// Throws `invalidBytes`, with what to do; its subject tells the step: `kind` (no such file), `version` (of
  /// a newer Continuo), `length` (torn), `words` (other words, or damage), or a field.
  public init(file: [UInt8], words: PairingWords) throws(ContinuityError) {
    try Self.check(file)
    let header = Array(file.prefix(Self.headerSize))
    let suite = words.ciphers.suite
    guard
      let text = suite.open(
        Array(file.dropFirst(Self.headerSize)), key: words.movingKey(header), nonce: Self.nonce(header),
        header: header)
    else {
      throw Self.refused(
        "words",
        "These words do not open the file: compare each one with what `continuo move-out` showed. If they "
          + "are right, the file was changed on its way: copy it again.")
    }
    let length = text.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard text.count >= 8, length <= UInt64(text.count - 8),
      text.dropFirst(8 + Int(length)).allSatisfy({ $0 == 0 })
    else { throw CBOR.mismatch("length", expected: "a device, and zeros behind it") }
    let fields = try CBOR(decoding: Array(text[8..<8 + Int(length)]), limits: Self.limits).map("device")
    identity = try Identity(
      encoded: try fields.required(1, field: "identity").bytes("identity"), ciphers: suite)
    state = try fields.required(2, field: "state").bytes("state")
    record = try fields[3]?.bytes("record")
    home = try fields.required(4, field: "home").bytes("home")
  }

  /// Before anybody is asked for words: whether `file` is a whole file with a device. Throws as `init` does.
  public static func check(_ file: [UInt8]) throws(ContinuityError) {
    guard file.starts(with: magic), file.count > magic.count else {
      throw refused("kind", "The file was not written by `continuo move-out`: name the one that was.")
    }
    guard file[magic.count] == version else {
      throw refused("version", "The file was written by a newer Continuo: update Continuo here first.")
    }
    let length = file.prefix(headerSize).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard file.count >= headerSize, UInt64(file.count - headerSize) == length else {
      throw refused("length", "The file is not whole: copy it again from the old computer.")
    }
  }

  private static func nonce(_ header: [UInt8]) -> [UInt8] {
    Array(header.dropFirst(magic.count + 1).prefix(12))
  }

  private static func refused(_ step: String, _ sentence: String) -> ContinuityError {
    ContinuityError(.invalidBytes, subject: step, description: sentence)
  }
}

extension PairingWords {
  /// The key of the one file with that header: its random bytes make another key of the words each time.
  package func movingKey(_ header: [UInt8]) -> [UInt8] {
    ciphers.suite.derive(entropy, salt: header, info: "continuo/move/v1")
  }
}

extension MovingDevice: CustomStringConvertible, CustomReflectable {
  /// The device's ID.
  public var description: String { "MovingDevice(\(identity.id))" }
  /// Nothing, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a computer keeps of a device that was moved to another one: it stands where the keys were, so that
/// one rename takes these away, and no agent begins as that device again.
public struct MovedDevice: Hashable, Sendable {
  /// The device's ID.
  public let id: DeviceID
  /// What it was called.
  public let name: String
  /// When it left, by this computer's clock.
  public let movedAt: WallTime

  /// What is left of the device that has that identity.
  public init(_ identity: Identity, at now: WallTime) {
    (id, name, movedAt) = (identity.id, identity.name, now)
  }

  private static let mark = "moved-out"

  // moved = { 0: "moved-out", 1: ID, 2: name, 3: when-ms }
  /// The bytes that stand in the place of the key file. Nothing in them is secret.
  public var encoded: [UInt8] {
    CBOR.map([
      0: .text(Self.mark), 1: .bytes(id.bytes), 2: .text(name), 3: .unsigned(movedAt.milliseconds),
    ]).encoded
  }

  /// Nil for every other file.
  public init?(encoded bytes: [UInt8]) {
    do throws(ContinuityError) {
      let limits = CBOR.Limits(depth: 2, entries: 4, items: 8, bytes: 1 << 12)
      let fields = try CBOR(decoding: bytes, limits: limits).map("moved device")
      guard fields[0] == .text(Self.mark) else { return nil }
      id = try fields.required(1, field: "device").identifier("device")
      name = Roster.cleaned(try fields.required(2, field: "name").text("name"))
      movedAt = WallTime(milliseconds: try fields.required(3, field: "moment").unsigned("moment"))
    } catch {
      return nil
    }
  }
}

extension Identity {
  /// Throws `invalidRequest` with what to do where this device cannot go on elsewhere: it was removed from
  /// its circle, or is not let into it yet.
  public func checkMayMove() throws(ContinuityError) {
    guard !isRemoved else {
      throw ContinuityError(
        .invalidRequest, subject: "circle",
        description: "This device was removed from its circle, so there is nothing to move: pair the new "
          + "computer with `continuo pair` on another device.")
    }
    guard isConfirmed else {
      throw ContinuityError(
        .invalidRequest, subject: "circle",
        description: "This device waits to be let into its circle: move it when the answer has come.")
    }
  }

  /// Throws `invalidRequest` with what to do where a device from another computer must not take this one's
  /// place: others know this one, and would lose it without a word.
  public func checkMayYield(to other: Identity) throws(ContinuityError) {
    guard other.id != id else {
      throw ContinuityError(
        .invalidRequest, subject: "device",
        description: "This computer is \(name) already: delete the file, and forget its words.")
    }
    guard !isRemoved, let member = otherDevices.first else { return }
    throw ContinuityError(
      .invalidRequest, subject: member.name,
      description: "This computer belongs to a circle with \(member.name) already: take it out with "
        + "`continuo revoke` here, then move the other device in.")
  }
}
