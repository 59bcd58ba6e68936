// SPDX-License-Identifier: MIT

import Glibc

/// Sockets to other computers; non-blocking, and closed in programs that this one starts. What is accepted
/// from a listener has the listener's options.
public enum TCPSocket {
  /// Listens at all of this computer's addresses, of IPv6 and IPv4; at any free port for port 0. Throws what
  /// bind(2) fails with: `addressInUse` where somebody else listens there.
  public static func listener(port: UInt16, backlog: CInt = 64) throws(Errno) -> Descriptor {
    do throws(Errno) { return try listener(AF_INET6, [UInt8](repeating: 0, count: 16), port, backlog) } catch
    {
      // A kernel without IPv6, or where it is switched off.
      guard error.rawValue == EAFNOSUPPORT || error.rawValue == EADDRNOTAVAIL else { throw error }
    }
    return try listener(AF_INET, [0, 0, 0, 0], port, backlog)
  }

  /// Connects to an address of 4 or 16 bytes, in the network's order, without waiting: the socket is writable
  /// when that is done or has failed. Throws what connect(2) fails with at once.
  public static func connecting(to address: [UInt8], port: UInt16) throws(Errno) -> Descriptor {
    let socket = try make(address.count == 4 ? AF_INET : AF_INET6)
    do throws(Errno) { try withAddress(address, port) { connect(socket.number, $0, $1) } } catch {
      guard error.rawValue == EINPROGRESS else { throw error }
    }
    return socket
  }

  /// The port that a socket is bound to; nil for one that is bound to none.
  public static func port(of socket: some OpenDescriptor) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let found = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.number, $0, &length) }
    }
    guard found == 0, [AF_INET, AF_INET6].contains(CInt(address.ss_family)) else { return nil }
    // At the same place in both kinds of address.
    return withUnsafeBytes(of: address) { UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// Why the last call on a socket failed behind the caller's back; nil where it did not.
  public static func failure(of socket: some OpenDescriptor) -> Errno? {
    var number: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else { return .current }
    return number == 0 ? nil : Errno(rawValue: number)
  }

  private static func listener(
    _ family: CInt, _ address: [UInt8], _ port: UInt16, _ backlog: CInt
  ) throws(Errno) -> Descriptor {
    let socket = try make(family)
    set(SOL_SOCKET, SO_REUSEADDR, 1, of: socket)
    if family == AF_INET6 { set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0, of: socket) }
    try withAddress(address, port) { bind(socket.number, $0, $1) }
    try calling { listen(socket.number, backlog) }
    return socket
  }

  /// The kernel finds out by itself when the other computer is gone: after a minute and a half where nothing
  /// is said, and after 20 s where something is. What is said goes at once, and little of it waits in the
  /// kernel, so that what matters more can go before it.
  private static func make(_ family: CInt) throws(Errno) -> Descriptor {
    let kind = CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let made = Descriptor(owning: try calling { socket(family, kind, 0) })
    set(SOL_SOCKET, SO_KEEPALIVE, 1, of: made)
    for (option, value) in [
      (TCP_KEEPIDLE, 60), (TCP_KEEPINTVL, 10), (TCP_KEEPCNT, 3), (TCP_USER_TIMEOUT, 20_000), (TCP_NODELAY, 1),
      (TCP_NOTSENT_LOWAT, 128 << 10),
    ] as [(CInt, CInt)] {
      set(CInt(IPPROTO_TCP), option, value, of: made)
    }
    return made
  }

  private static func set(_ level: CInt, _ option: CInt, _ value: CInt, of socket: Descriptor) {
    var value = value
    setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  private static func withAddress(
    _ bytes: [UInt8], _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    if bytes.count == 4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
      return try call(address, body)
    }
    guard bytes.count == 16 else { throw Errno(rawValue: EAFNOSUPPORT) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
    try call(address, body)
  }

  private static func call<Address>(
    _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    try calling {
      withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
  }
}
