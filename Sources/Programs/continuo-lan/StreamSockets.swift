// SPDX-License-Identifier: MIT

import LinuxSystem
import LocalNetwork

/// The other ends of apps' streams, which the agent handed over: read where a link has room, and written as
/// far as the app reads. What it does not read waits here, as much as `LinkMachine` lets come.
struct StreamSockets {
  private struct Socket {
    let descriptor: Descriptor
    /// What the app has not taken yet, behind so many bytes that it has.
    var waiting: [UInt8] = []
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
    guard let isFirst = sockets[link]?[stream]?.waiting.isEmpty else { return Written() }
    // In place: many small ones may come.
    sockets[link]?[stream]?.waiting += bytes
    return isFirst ? flush(link, stream) : Written()
  }

  /// Writes what waits, as far as the app takes it.
  mutating func flush(_ link: LinkNumber, _ stream: StreamNumber) -> Written {
    guard let socket = sockets[link]?[stream] else { return Written() }
    var (taken, isStopped) = (socket.taken, false)
    while taken < socket.waiting.count {
      do throws(Errno) {
        taken += try UnixSocket.send(socket.waiting[taken...], to: socket.descriptor.number)
      } catch {
        isStopped = error != .wouldBlock
        break
      }
    }
    let isDone = isStopped || taken == socket.waiting.count
    sockets[link]?[stream]?.taken = isDone ? 0 : taken
    if isDone { sockets[link]?[stream]?.waiting = [] }
    return Written(count: taken - socket.taken, isStopped: isStopped)
  }

  /// Ends a direction: what was written is read still, and what is not read any more is thrown away.
  func end(_ direction: StreamDirection, of link: LinkNumber, _ stream: StreamNumber) {
    guard let socket = sockets[link]?[stream]?.descriptor else { return }
    UnixSocket.shutDown(socket, ending: direction == .reading ? .reading : .writing)
  }
}
