// SPDX-License-Identifier: MIT

public import ActivityModel
import SyncedFolders
public import Trust

/// Devices whose people, apps and sync engine do what the caller says, when the caller says so, and nothing
/// else; the agents and watch processes are those of `World`, in virtual time.
///
/// Two worlds in which the same calls are made hold the same at each moment. Use it on one thread.
public final class ScriptedWorld {
  let world: World
  /// In the order of their names at the beginning.
  public private(set) var devices: [ScriptedDevice] = []
  private var contents: [[UInt8]: Content] = [:]
  private let seed: UInt64
  private var acts: UInt64 = 0

  /// At most so many devices.
  public static let deviceLimit = 6

  /// Devices of one circle with these names, each with an agent and the synced folder, which is empty. Names
  /// above `deviceLimit` are left out.
  ///
  /// Everything random comes from `seed`. Without `ciphers` quick codes stand for seals and signatures. With
  /// `hasNetwork` the devices are on one network, which loses nothing, and the LAN is on.
  public convenience init(
    devices names: [String], folderName: String, seed: UInt64 = 1, hasNetwork: Bool = false,
    ciphers: (any CipherSuite)? = nil
  ) {
    self.init(
      circle: Array(names.prefix(Self.deviceLimit)), folderName: folderName, seed: seed,
      network: hasNetwork ? SimulatedWires.calm : nil, ciphers: ciphers)
  }

  /// The same for as many devices as a circle has, on a network that behaves as its seed says.
  init(
    circle names: [String], folderName: String, seed: UInt64 = 1, network: UInt64?,
    ciphers: (any CipherSuite)? = nil
  ) {
    self.seed = seed
    world = World(
      devices: names, folderName: folderName, seed: seed, network: network, realCiphers: ciphers)
    devices = world.devices.map { ScriptedDevice($0, self) }
    for device in devices { device.furnish() }
  }

  /// The virtual time.
  public var now: Instant { Instant(nanoseconds: world.time) }

  /// Takes the next step of any device. False when nothing is left to happen before `end`, which it is then.
  public func step(until end: Instant) -> Bool { world.proceed(until: end.nanoseconds) }

  /// Takes all steps of this time.
  public func run(for duration: Duration) {
    let end = now + duration
    while step(until: end) {}
  }

  /// Promises that the agents broke so far.
  public var violations: [Violation] { world.violations }

  /// What stands for the SHA-256 of these bytes here; equal for equal bytes only.
  public func digest(of bytes: [UInt8]) -> ContentDigest {
    let content = content(bytes)
    return world.contents.digest(of: content)
  }

  func content(_ bytes: [UInt8]) -> Content {
    if bytes.isEmpty { return .empty }
    if let known = contents[bytes] { return known }
    let made = world.contents.wholeRecord(bytes)
    contents[bytes] = made
    return made
  }

  func bytes(of content: Content) -> [UInt8]? {
    guard let bytes = world.contents.bytes(of: content) else { return nil }
    // What an engine carries on stays the same bytes.
    if contents[bytes] == nil { contents[bytes] = content }
    return bytes
  }

  /// What somebody does has randomness of its own, whatever was done before.
  func begin() {
    acts += 1
    world.begin(Randomness.mixed(seed ^ (acts &* 0x9e37_79b9_7f4a_7c15)))
  }
}

extension MemoryFolder {
  /// Only files with real bytes can have them: those of records and of scripts.
  func hasConflictMarkers(_ path: RelativePath) -> Bool {
    guard let content = content(at: path.components), content.size <= UInt32(ConflictMarkers.limit),
      let bytes = world.contents.bytes(of: content)
    else { return false }
    var markers = ConflictMarkers()
    markers.scan(bytes)
    markers.finish()
    return markers.isFound
  }
}
