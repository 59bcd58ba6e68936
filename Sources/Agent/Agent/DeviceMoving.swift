// SPDX-License-Identifier: MIT

public import ActivityModel
import AgentEngine
import FolderAccess
import LinuxSystem
import Trust
import TrustCiphers

/// Takes this person's device to another computer, in a file that twelve words open. No agent runs meanwhile:
/// the locks are held. Blocks for what the disks need; one thread.
public final class DeviceMoving {
  /// What moved in, for people.
  public struct Arrival: Hashable, Sendable {
    /// What the device is called.
    public var device: String
    /// What the devices of its circle are called, this one first.
    public var devices: [String]
    /// Its folders, whether they are here now or not.
    public var folders: [SyncedRoot]
  }

  private let environment: [String: String]
  private let directory: OwnDirectory
  private let locks: AgentLocks

  /// Keeps agents from starting for as long as this lives. Throws `agentUnavailable` while one runs, with a
  /// subject that `isTaken` knows, or when the places of its files cannot be used.
  public init(environment: [String: String]) throws(ContinuityError) {
    let places = try AgentPlaces(environment: environment)
    CurrentProcess.forbidDumps()
    directory = try OwnDirectory.privateDirectory(places.stateDirectory)
    locks = try AgentLocks(places: places)
    self.environment = environment
  }

  /// Agents may start again.
  public func end() { locks.close() }

  /// Whether the error says that an agent runs.
  public static func isTaken(_ error: ContinuityError) -> Bool { error.subject == AgentSocket.isTaken }

  /// What the device is called that went from here to another computer; nil where none did. Throws what
  /// looking at the files throws.
  public func movedDevice() throws(ContinuityError) -> String? {
    try StateStore.movedDevice(in: directory)?.name
  }

  private func core(mayReplaceMoved: Bool = false) throws(ContinuityError) -> AgentCore {
    try AgentCore(
      loop: try EventLoop(), directory: directory, deviceName: Agent.hostName(),
      mayReplaceMoved: mayReplaceMoved)
  }

  private var home: [UInt8] { Array((environment["HOME"] ?? "").utf8) }

  // MARK: The old computer

  /// Writes the device to the absolute path and takes its keys from this computer, in this order. In between
  /// `show` gives the person the words and the device's name; only when it says true do the keys go. Else,
  /// and on every failure before that, the file is removed and all is as it was.
  ///
  /// Returns whether the device has left. Throws `invalidRequest` for a place that cannot be, what the disks
  /// refuse, and what `show` throws.
  public func moveOut(
    to path: [UInt8], show: (_ words: [String], _ device: String) throws(ContinuityError) -> Bool
  ) throws(ContinuityError) -> Bool {
    let core = try core()
    if let obstacle = core.obstacle(toFileAt: path) { throw obstacle }
    let moving = try core.packed(home: home)
    var generator = SystemRandomNumberGenerator()
    let (bytes, words) = try moving.sealed(using: &generator)
    let file = MovingFile(FilePath(bytes: path))
    try file.write(bytes)
    do throws(ContinuityError) {
      guard try show(words.text.split(separator: " ").map(String.init), moving.identity.name) else {
        file.remove()
        return false
      }
    } catch {
      file.remove()
      throw error
    }
    do throws(ContinuityError) { try core.leave() } catch {
      try stayed(error, file, core)
    }
    return true
  }

  /// The keys may be gone although that was not said to be durable: then the file is all that there is.
  private func stayed(
    _ error: ContinuityError, _ file: MovingFile, _ core: AgentCore
  ) throws(ContinuityError) {
    switch core.store.hasLeft {
    case true?: return
    case false?:
      file.remove()
      throw ContinuityError(
        .agentUnavailable, subject: error.subject,
        description: "\(error.description) Nothing was moved: this computer goes on, \(file.path.shown) is "
          + "removed, and the words are worth nothing.")
    case nil:
      throw ContinuityError(
        .agentUnavailable, subject: error.subject,
        description: "\(error.description) Keep \(file.path.shown) and the words: if `continuo status` works "
          + "here again, nothing was moved, and both can be thrown away.")
    }
  }

  // MARK: The new computer

  /// The bytes of a file that was written by `moveOut`. Throws `invalidRequest` and `invalidBytes` with what
  /// to do for every other.
  public static func read(_ path: [UInt8]) throws(ContinuityError) -> [UInt8] {
    try MovingFile(FilePath(bytes: path)).read()
  }

  /// A device that its words opened.
  public struct Opened: Sendable {
    fileprivate let device: MovingDevice

    /// Throws `pairingFailed` for words that are none, and `invalidBytes` for others than the file's.
    public init(_ file: [UInt8], words: String) throws(ContinuityError) {
      device = try MovingDevice(
        file: file, words: PairingWords(parsing: words, ciphers: StandardCiphers()))
    }
  }

  /// Lets the device take the place of the one that this computer is now. Throws `invalidRequest` where that
  /// one has a circle, and changes nothing then; and what the disk refuses.
  public func moveIn(_ opened: Opened) throws(ContinuityError) -> Arrival {
    let core = try core(mayReplaceMoved: true)
    try core.become(opened.device, home: home)
    let identity = core.store.identity
    return Arrival(
      device: identity.name, devices: [identity.name] + identity.otherDevices.map(\.name),
      folders: core.registeredFolders)
  }

  /// Makes this computer a new device where another one went from here. Throws what the disk refuses.
  public func beginAnew() throws(ContinuityError) { try core(mayReplaceMoved: true).forgetMoved() }
}

/// The file of a device that moves: written once, whole, for its owner alone.
private struct MovingFile {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// Durably, under a name that nothing has. Throws `invalidRequest` for a taken name, and what the disk
  /// refuses; nothing new is left then.
  func write(_ bytes: [UInt8]) throws(ContinuityError) {
    do throws(Errno) {
      let folder = try path.parent.open([.readOnly, .folder])
      guard !path.name.isEmpty, path.bytes.last != UInt8(ascii: "/") else { throw .isFolder }
      let file = DurableFile(in: folder, name: path.name)
      try file.create(with: bytes, mode: 0o600)
      do throws(Errno) { try file.synchronizeDirectory() } catch {
        remove()
        throw error
      }
    } catch {
      guard error != .fileExists else {
        throw ContinuityError(
          .invalidRequest, subject: path.shown,
          description: "\(path.shown) is there already and is not overwritten: give another name, or delete "
            + "it if it is of a move that was broken off.")
      }
      throw ContinuityError(
        .invalidRequest, subject: path.shown,
        description: "\(path.shown) could not be written (\(error.clause)): nothing was moved.")
    }
  }

  /// Best effort: without its words it is worth nothing.
  func remove() { try? path.unlink() }

  func read() throws(ContinuityError) -> [UInt8] {
    func failure(_ why: String) -> ContinuityError {
      ContinuityError(
        .invalidRequest, subject: path.shown,
        description: "\(path.shown) cannot be read (\(why)): name the file that `continuo move-out` wrote on "
          + "the old computer.")
    }
    let bytes: [UInt8]
    let kind: FileKind
    do throws(Errno) {
      let file = try path.open([.readOnly, .nonBlocking, .noTerminal])
      kind = try file.status().kind
      bytes = kind == .regular ? try file.readToEnd(limit: MovingDevice.sizeLimit) : []
    } catch {
      throw failure(error.clause)
    }
    guard kind == .regular else { throw failure("it is \(kind.description)") }
    try MovingDevice.check(bytes)
    return bytes
  }
}
