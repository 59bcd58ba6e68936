// SPDX-License-Identifier: MIT

import LinuxSystem
import LocalNetwork

/// The other ends of apps' streams, which the agent handed over: read where a link has room, and written as
/// far as the app reads. What it does not read waits here, as much as `LinkMachine` lets come.
struct StreamSockets {
  private struct Socket {
    let descriptor: Descriptor
    /// What the app has not taken yet, and how much of the first piece it has.
    var waiting: [[UInt8]] = []
    var taken = 0
  }

  /// What became of bytes that wait.
  struct Written {
    /// So many went.
    var count = 0
    /// The app reads no more.
    var isStopped = false
  }

  private var sockets: [LinkNumber: [StreamNumber: Socket]] = [:]

  /// Takes a socket; false where none came along.
  mutating func take(_ socket: Descriptor?, of link: LinkNumber, _ stream: StreamNumber) -> Bool {
    guard let socket else { return false }
    sockets[link, default: [:]][stream] = Socket(descriptor: socket)
    return true
  }

  /// Closes a socket.
  mutating func close(_ link: LinkNumber, _ stream: StreamNumber) {
    sockets[link]?[stream] = nil
    if sockets[link]?.isEmpty == true { sockets[link] = nil }
  }

  /// Closes all sockets of a link.
  mutating func close(_ link: LinkNumber) { sockets[link] = nil }

  /// What is waited for: writing where bytes wait, reading where `isAwaited` says so.
  func interests(
    where isAwaited: (LinkNumber, StreamNumber) -> Bool
  ) -> [(link: LinkNumber, stream: StreamNumber, entry: Poll.Entry)] {
    guard !sockets.isEmpty else { return [] }
    return sockets.sorted { $0.key < $1.key }.flatMap { link, streams in
      streams.sorted { $0.key < $1.key }.compactMap { stream, socket in
        var interest: Readiness = isAwaited(link, stream) ? .readable : []
        if !socket.waiting.isEmpty { interest.insert(.writable) }
        // One that hung up would be told again and again.
        guard !interest.isEmpty else { return nil }
        return (link, stream, Poll.Entry(socket.descriptor.number, for: interest))
      }
    }
  }

  /// The next bytes of the app, at most `count`.
  func read(_ count: Int, of link: LinkNumber, _ stream: StreamNumber) -> LinkMachine.StreamEvent {
    guard let socket = sockets[link]?[stream]?.descriptor else { return .read([]) }
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      let found = try socket.read(into: &bytes)
      return found > 0 ? .read(Array(bytes.prefix(found))) : .ended(isGone: Self.hasHungUp(socket))
    } catch {
      // An app that ended with unread bytes.
      return error == .wouldBlock ? .read([]) : .ended(isGone: true)
    }
  }

  private static func hasHungUp(_ socket: Descriptor) -> Bool {
    var entries = [Poll.Entry(socket.number, for: [])]
    return Poll.wait(for: &entries, atMost: .zero) && entries[0].ready.contains(.hungUp)
  }

  /// Writes the bytes behind those that wait, as far as the app takes them.
  mutating func write(_ bytes: [UInt8], of link: LinkNumber, _ stream: StreamNumber) -> Written {
    guard var socket = sockets[link]?[stream] else { return Written() }
    let isFirst = socket.waiting.isEmpty
    socket.waiting.append(bytes)
    sockets[link]?[stream] = socket
    return isFirst ? flush(link, stream) : Written()
  }

  /// Writes what waits, as far as the app takes it.
  mutating func flush(_ link: LinkNumber, _ stream: StreamNumber) -> Written {
    guard var socket = sockets[link]?[stream] else { return Written() }
    defer { sockets[link]?[stream] = socket }
    var written = Written()
    while let piece = socket.waiting.first {
      do throws(Errno) {
        let count = try UnixSocket.send(piece[socket.taken...], to: socket.descriptor.number)
        written.count += count
        socket.taken += count
      } catch {
        if error == .wouldBlock { return written }
        (socket.waiting, socket.taken) = ([], 0)
        written.isStopped = true
        return written
      }
      guard socket.taken == piece.count else { continue }
      socket.waiting.removeFirst()
      socket.taken = 0
    }
    return written
  }

  /// Ends a direction: what was written is read still.
  func end(_ direction: StreamDirection, of link: LinkNumber, _ stream: StreamNumber) {
    guard let socket = sockets[link]?[stream]?.descriptor else { return }
    UnixSocket.shutDown(socket, ending: direction == .reading ? .reading : .writing)
  }
}
