// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Stream sockets that have a place in the file system; non-blocking, and closed in programs that this one
/// starts.
public enum UnixSocket {
  /// A socket without a place. Throws what socket(2) fails with.
  public static func make() throws(Errno) -> Descriptor {
    let kind = CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return Descriptor(owning: try calling { socket(AF_UNIX, kind, 0) })
  }

  /// Two sockets that are connected with each other. Throws what socketpair(2) fails with.
  public static func pair() throws(Errno) -> (Descriptor, Descriptor) {
    let kind = CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    var ends: [CInt] = [-1, -1]
    try calling { socketpair(AF_UNIX, kind, 0, &ends) }
    return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  /// Connects `socket` to the one at `path`. Throws what connect(2) fails with.
  public static func connect(_ socket: Descriptor, to path: String) throws(Errno) {
    try withAddress(of: path) { Glibc.connect(socket.number, $0, $1) }
  }

  /// Gives `socket` the place `path`, where nothing may be. Throws what bind(2) fails with.
  public static func bind(_ socket: Descriptor, to path: String) throws(Errno) {
    try withAddress(of: path) { Glibc.bind(socket.number, $0, $1) }
  }

  /// Lets others connect to `socket`, so many of them waiting. Throws what listen(2) fails with.
  public static func listen(_ socket: Descriptor, backlog: CInt) throws(Errno) {
    try calling { Glibc.listen(socket.number, backlog) }
  }

  /// The next one that connected. Throws what accept4(2) fails with: `wouldBlock` when none has.
  public static func accept(from listener: Descriptor) throws(Errno) -> Descriptor {
    Descriptor(owning: try calling { continuo_accept(listener.number) })
  }

  /// The user whose process is at the other end; nil when that cannot be told.
  public static func peer(of socket: some OpenDescriptor) -> UInt32? {
    var user = uid_t.max
    var process: pid_t = 0
    return continuo_peer(socket.number, &user, &process) == 0 ? user : nil
  }

  /// The process that connected the other end; nil when that cannot be told, or it is in another PID
  /// namespace.
  public static func peerProcess(of socket: some OpenDescriptor) -> CInt? {
    var user = uid_t.max
    var process: pid_t = 0
    return continuo_peer(socket.number, &user, &process) == 0 && process > 0 ? process : nil
  }

  /// The place in the file system of a socket that listens; nil for any other descriptor.
  public static func place(ofListener socket: some OpenDescriptor) -> FilePath? {
    var listens: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(socket.number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0 else {
      return nil
    }
    var address = sockaddr_un()
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let found = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.number, $0, &length) }
    }
    guard found == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    return withUnsafeBytes(of: &address.sun_path) { FilePath(bytes: Array($0.prefix { $0 != 0 })) }
  }

  /// Ends both directions; the other end hears of it.
  public static func shutDown(_ socket: some OpenDescriptor) {
    shutdown(socket.number, CInt(SHUT_RDWR))
  }

  /// One direction of a connection.
  public enum Direction: Sendable {
    /// Ended, the other end can write no more.
    case reading
    /// Ended, the other end reads what was written, and then the end.
    case writing
  }

  /// Ends one direction. What was not read is thrown away: with that lying there, the kernel would tell the
  /// other end, which wrote it, nothing while it waits for room, and of a reset connection at the end.
  public static func shutDown(_ socket: some OpenDescriptor, ending direction: Direction) {
    shutdown(socket.number, CInt(direction == .reading ? SHUT_RD : SHUT_WR))
    guard direction == .reading else { return }
    // Nothing is added to it any more.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while let count = try? socket.read(into: &bytes), count > 0 {}
  }

  /// Sends as much of `bytes` as is taken at once, and a descriptor beside the first; how many bytes that
  /// were. Never raises SIGPIPE. Throws what sendmsg(2) fails with.
  public static func send(
    _ bytes: ArraySlice<UInt8>, beside: Descriptor? = nil, to socket: CInt
  ) throws(Errno) -> Int {
    try calling {
      bytes.withUnsafeBytes { continuo_send(socket, $0.baseAddress, $0.count, beside?.number ?? -1) }
    }
  }

  /// The same for a socket that others use, too, and whose flags stay: never waits for room. Throws
  /// `wouldBlock` where there is none, and `notSocket` for another kind of file.
  public static func sendAtOnce(_ bytes: ArraySlice<UInt8>, to socket: CInt) throws(Errno) -> Int {
    try calling {
      bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
    }
  }

  /// Receives over the beginning of `bytes`, zero at the end; and the descriptor that came beside them.
  /// Throws what recvmsg(2) fails with.
  public static func receive(
    into bytes: inout [UInt8], from socket: CInt
  ) throws(Errno) -> (count: Int, beside: Descriptor?) {
    var beside: CInt = -1
    let count = try calling { continuo_receive(socket, &bytes, bytes.count, &beside) }
    return (count, beside < 0 ? nil : Descriptor(owning: beside))
  }

  /// A path that does not fit into an address goes through `/proc/self/fd`.
  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    guard path.utf8.count > limit, let slash = path.lastIndex(of: "/") else { return try call(path, body) }
    let folder = try FilePath(String(path[..<slash])).open([.readOnly, .folder])
    try call("/proc/self/fd/\(folder.number)" + path[slash...], body)
  }

  /// What an address holds beside its NUL.
  private static let limit = 107

  private static func call(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= limit else { throw .nameTooLong }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    try calling {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }
}
