// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Continuo
import Foundation
import Glibc

/// The agent's end of the socket as a script plays it: it says what the script says, and nothing else.
final class ScriptedAgent {
  /// Readable when an app connects.
  let listener: Int32
  /// The app's connection; -1 before.
  private(set) var connection: Int32 = -1
  private let folder: [UInt8]
  private var frames = FrameBuffer()
  /// The app has said who it is; before that it is told nothing.
  private var isGreeted = false
  private var request: RequestID?
  private var offer: Offer?

  /// Listens where an app with `environment` looks for its agent; `folder` is its synced folder.
  init(environment: [String: String], folder: String) throws {
    let places = try AgentPlaces(environment: environment)
    try FileManager.default.createDirectory(
      atPath: places.runtimeDirectory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    self.folder = Array(folder.utf8)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: places.socket.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 4) == 0 else {
      throw EditingScript.Mistake(description: "\(places.socket): \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    close(listener)
    if connection >= 0 { close(connection) }
  }

  /// Whatever has become readable.
  func readable() {
    if connection < 0 {
      connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      say(.version(ClientMessage.currentVersion))
    }
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = recv(connection, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    if count > 0 { frames.append(chunk.prefix(count)) }
    while let content = try? frames.next() {
      guard case .request(let asked)? = try? ClientMessage(decoding: content) else { continue }
      if case .hello = asked { isGreeted = true }
      if case .accept(_, let request) = asked, let offer {
        self.request = request
        say(.report(.willContinue(request, offer: offer)))
      }
    }
  }

  /// Waits, not for ever, until the app's end of the connection is closed: the app has ended.
  func waitForTheAppsEnd() {
    var chunk = [UInt8](repeating: 0, count: 65536)
    var ready = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    while connection >= 0, poll(&ready, 1, 5000) > 0, recv(connection, &chunk, chunk.count, 0) > 0 {}
  }

  private func say(_ message: AgentMessage) {
    let frame = FrameBuffer.frame(message.encoded)
    _ = send(connection, frame, frame.count, Int32(MSG_NOSIGNAL))
  }

  // MARK: What scripts say; false says that the app is not ready for it

  /// The desktop offers the document with that name. From now on the folder is a synced one, in which edited
  /// documents save themselves.
  func offer(_ name: String) throws -> Bool {
    guard isGreeted else { return false }
    guard let device = DeviceID(bytes: [UInt8](repeating: 1, count: 16)),
      let activity = ActivityID(bytes: [UInt8](repeating: 1, count: 16)),
      let folder = FolderID(bytes: [UInt8](repeating: 9, count: 16)), let path = RelativePath(name),
      let digest = ContentDigest(bytes: [UInt8](repeating: 1, count: 32))
    else { throw EditingScript.Mistake(description: "no offer of \(name)") }
    var snapshot = ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 1))
    snapshot.document = DocumentReference(
      folder: folder, path: path, version: DocumentVersion(digest: digest, size: 3_000_000))
    let made = Offer(
      id: OfferID(device: device, activity: activity), deviceName: "desktop", snapshot: snapshot,
      folderName: "notes", status: ArrivalStatus(.behind))
    offer = made
    say(.report(.roots([SyncedRoot(id: folder, name: "notes", path: self.folder)])))
    say(.report(.offers([made])))
    return true
  }

  /// The script's folder is a synced one, or there is none.
  func tellFolders(isSynced: Bool) -> Bool {
    guard isGreeted, let id = FolderID(bytes: [UInt8](repeating: 9, count: 16)) else { return false }
    say(.report(.roots(isSynced ? [SyncedRoot(id: id, name: "notes", path: folder)] : [])))
    return true
  }

  /// The accepted offer's version is not here.
  func wait(_ status: ArrivalStatus) -> Bool {
    guard let request else { return false }
    say(.report(.progress(request, status)))
    return true
  }

  /// Another program deleted the file.
  func deleted(_ path: String) -> Bool {
    guard isGreeted else { return false }
    say(.report(.documentChanged(path: Array(path.utf8), .deleted)))
    return true
  }

  /// Another program changed the file, or a sync engine put copies beside it.
  func changed(_ path: String, copies: [String] = []) -> Bool {
    guard isGreeted else { return false }
    let change =
      copies.isEmpty ? DocumentChange.changed(nil) : .conflict(copies: copies.map { Array($0.utf8) })
    say(.report(.documentChanged(path: Array(path.utf8), change)))
    return true
  }
}
