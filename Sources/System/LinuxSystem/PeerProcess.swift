// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// The process that connected the other end of a socket, held by a pidfd: its number can be another process's
/// once it has ended, and what is read by number is given out only while it had not.
public final class PeerProcess: Sendable {
  /// Its number in this PID namespace.
  public let number: CInt
  private let end: Descriptor

  /// Nil when it has ended, cannot be told, or is in another PID namespace.
  ///
  /// Kernels before 6.5 hand out no pidfd of a peer; then one is opened by number, which is the same process
  /// as long as the one that connected was there still. Ask soon after it has connected.
  public convenience init?(of socket: some OpenDescriptor) {
    guard let number = UnixSocket.peerProcess(of: socket) else { return nil }
    do throws(Errno) {
      self.init(number, end: Descriptor(owning: try calling { continuo_peer_pidfd(socket.number) }))
    } catch {
      guard error == .noProtocolOption else { return nil }
      self.init(openedByNumber: number)
    }
  }

  /// What kernels before 6.5 allow.
  convenience init?(openedByNumber number: CInt) {
    guard let end = try? OtherProcess.endDescriptor(of: number) else { return nil }
    self.init(number, end: end)
  }

  private init(_ number: CInt, end: Descriptor) {
    self.number = number
    self.end = end
  }

  /// What `read` finds in the process's folder below `/proc`; nil where it has ended by then.
  public func read<Found>(_ read: (FilePath) -> Found?) -> Found? {
    let found = read(FilePath("/proc/\(number)"))
    return hasEnded ? nil : found
  }

  private var hasEnded: Bool { Poll.wait(for: end.number, until: .readable, atMost: .zero) }
}
