// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Synchronization

/// Anything that names an open file: an owned descriptor, or the number of one that belongs to others.
///
/// The calls are those of the kernel, on any thread. A call that a signal interrupts is made again.
public protocol OpenDescriptor: Sendable {
  /// The number, or -1 when it was given away.
  var number: CInt { get }
}

/// An open file descriptor; closed when the last reference goes.
public final class Descriptor: OpenDescriptor {
  private let held: Atomic<CInt>

  /// The number; valid as long as this object lives and was not asked to `release()` it.
  public var number: CInt { held.load(ordering: .relaxed) }

  /// Takes `number` over: nobody else may close it.
  public init(owning number: CInt) { held = Atomic(number) }

  deinit {
    let number = number
    if number >= 0 { Glibc.close(number) }
  }

  /// A file in memory that holds `bytes`, and goes with whoever has it open. Throws what memfd_create(2) or
  /// writing fails with.
  public static func memory(holding bytes: [UInt8]) throws(Errno) -> Descriptor {
    let file = Descriptor(owning: try calling { continuo_memory_file("continuo") })
    try file.overwrite(with: bytes.span.bytes)
    return file
  }

  /// Closes it now, whoever still refers to it. Nothing happens when it was given away.
  public func close() { BorrowedDescriptor(release()).close() }

  /// The number, which belongs to the caller from now on.
  public func release() -> CInt { held.exchange(-1, ordering: .relaxed) }
}

/// The number of a descriptor that somebody else closes.
public struct BorrowedDescriptor: OpenDescriptor, Hashable {
  /// As the kernel counts this process's open files.
  public let number: CInt

  /// A descriptor that stays open as long as this value is used.
  public init(_ number: CInt) { self.number = number }

  /// What this process reads by default.
  public static let standardInput = BorrowedDescriptor(STDIN_FILENO)
  /// Where this process writes by default.
  public static let standardOutput = BorrowedDescriptor(STDOUT_FILENO)
  /// Where this process writes what goes wrong.
  public static let standardError = BorrowedDescriptor(STDERR_FILENO)

  /// Closes it, for an owner that keeps the number alone. Nothing happens for a negative one.
  public func close() { if number >= 0 { Glibc.close(number) } }
}

extension OpenDescriptor {
  /// What fstat(2) tells. Throws what it fails with.
  public func status() throws(Errno) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .current }
    return FileStatus(status)
  }

  /// Another descriptor of the same open file, with a number of `lowest` or more. Throws `tooManyOpenFiles`
  /// at the limit.
  public func duplicate(from lowest: CInt = 3) throws(Errno) -> Descriptor {
    Descriptor(owning: try calling { fcntl(number, F_DUPFD_CLOEXEC, lowest) })
  }

  /// Calls on this open file give `wouldBlock` from now on instead of waiting.
  public func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  /// Each write on this open file goes to the end of the file from now on.
  public func setAppending() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_APPEND) }

  /// Programs that this one starts do not get it.
  public func closeOnExec() { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

  /// Whether a person may be at its other end.
  public var isTerminal: Bool { isatty(number) == 1 }

  // MARK: Reading

  /// Sets the position of the file to its first byte, from where a file of the kernel's is made anew. Throws
  /// what lseek(2) fails with.
  public func rewind() throws(Errno) { try calling { lseek(number, 0, SEEK_SET) } }

  /// Reads from the position of the file into `room`; zero at the end. Throws what read(2) fails with.
  public func read(into room: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try calling { Glibc.read(number, room.baseAddress, room.count) }
  }

  /// Reads from the position of the file over the beginning of `bytes`; zero at the end. Throws what read(2)
  /// fails with.
  public func read(into bytes: inout [UInt8]) throws(Errno) -> Int {
    try calling { Glibc.read(number, &bytes, bytes.count) }
  }

  /// Reads from `offset`, which leaves the position as it is; zero at the end. Throws what pread(2) fails
  /// with.
  public func read(into room: UnsafeMutableRawBufferPointer, at offset: Int) throws(Errno) -> Int {
    try calling { pread(number, room.baseAddress, room.count, off_t(offset)) }
  }

  /// Reads from `offset` over the beginning of `bytes`, which leaves the position as it is; zero at the end.
  /// Throws what pread(2) fails with.
  public func read(into bytes: inout [UInt8], at offset: Int) throws(Errno) -> Int {
    try calling { pread(number, &bytes, bytes.count, off_t(offset)) }
  }

  /// Fills `room` from `offset` on, or as far as the file goes; how many bytes that were. The position stays.
  /// Throws what pread(2) fails with.
  public func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int = 0) throws(Errno) -> Int {
    var filled = 0
    while filled < room.count {
      let count = try read(
        into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]), at: offset + filled)
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// All bytes from the position of the file to its end, but no more than one above `limit`, so that more
  /// shows. Throws what read(2) fails with.
  public func readToEnd(limit: Int = .max) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= limit {
      let count = try read(into: &piece)
      if count == 0 { break }
      bytes += piece[..<min(count, limit == .max ? count : limit + 1 - bytes.count)]
    }
    return bytes
  }

  // MARK: Writing

  /// Writes as much as is taken at once; how many bytes that were. Throws what write(2) fails with.
  public func write(_ bytes: RawSpan) throws(Errno) -> Int {
    try calling { bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } }
  }

  /// Writes as much as is taken at once; how many bytes that were. Throws what write(2) fails with.
  @discardableResult
  public func write(_ bytes: [UInt8]) throws(Errno) -> Int { try write(bytes.span.bytes) }

  /// Writes all bytes at the position of the file. A full disk takes a part and says so at the next call.
  /// Throws what write(2) fails with.
  public func writeAll(_ bytes: RawSpan) throws(Errno) {
    var written = 0
    while written < bytes.byteCount {
      let count = try write(bytes.extracting(droppingFirst: written))
      guard count > 0 else { throw .noSpace }
      written += count
    }
  }

  /// Writes all bytes at the position of the file. A full disk takes a part and says so at the next call.
  /// Throws what write(2) fails with.
  public func writeAll(_ bytes: [UInt8]) throws(Errno) { try writeAll(bytes.span.bytes) }

  /// Writes all bytes from the file's first byte on, over what is there; the position stays. Throws what
  /// pwrite(2) fails with.
  public func overwrite(with bytes: RawSpan) throws(Errno) {
    var written = 0
    while written < bytes.byteCount {
      let count = try calling {
        bytes.extracting(droppingFirst: written).withUnsafeBytes {
          pwrite(number, $0.baseAddress, $0.count, off_t(written))
        }
      }
      guard count > 0 else { throw .noSpace }
      written += count
    }
  }

  /// Waits until the disk has what was written, or a folder its names. Throws what fsync(2) fails with.
  public func synchronize() throws(Errno) { try calling { fsync(number) } }

  /// Cuts the file, or extends it with zeros. Throws what ftruncate(2) fails with.
  public func truncate(to size: Int) throws(Errno) { try calling { ftruncate(number, off_t(size)) } }

  // MARK: What belongs to the file

  /// Sets the permissions; `mode` as chmod(2) has it. Throws what fchmod(2) fails with.
  public func setPermissions(_ mode: UInt32) throws(Errno) { try calling { fchmod(number, mode) } }

  /// Gives the file to a user and a group. Throws what fchown(2) fails with.
  public func setOwner(_ user: UInt32, group: UInt32) throws(Errno) {
    try calling { fchown(number, user, group) }
  }

  /// Sets when it was read and written last to what another file says. Throws what futimens(3) fails with.
  public func setTimes(like other: FileStatus) throws(Errno) {
    try calling { futimens(number, [other.raw.st_atim, other.raw.st_mtim]) }
  }

  /// Sets when it was read and written last, in nanoseconds since 1970. Throws what futimens(3) fails with.
  public func setTimes(nanoseconds: Int64) throws(Errno) {
    let time = timespec(nanoseconds: nanoseconds)
    try calling { futimens(number, [time, time]) }
  }

  /// Sets when it was written last to this very moment. Kernels stamp files by a clock that ticks every few
  /// milliseconds: what another program writes within the same tick would not show. Throws what futimens(3)
  /// fails with.
  public func setExactTime() throws(Errno) {
    var now = timespec()
    try calling { clock_gettime(CLOCK_REALTIME, &now) }
    // UTIME_OMIT, which is a macro with a cast.
    let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
    try calling { futimens(number, [unchanged, now]) }
  }

  // MARK: Leases and locks

  /// Takes a lease of a file that is open for reading alone, as fcntl(2) has it: who opens it for writing
  /// waits until `endLease`, or is refused for wanting not to wait. False where somebody has it open for
  /// writing or mapped, for another user's file, and on file systems without leases.
  public func takeReadLease() -> Bool {
    // The signal that tells of somebody who waits does nothing.
    continuo_set_signal(number, SIGURG) == 0 && continuo_set_lease(number, F_RDLCK) == 0
  }

  /// Whether nobody has wanted to write since the lease was taken.
  public var hasReadLease: Bool { continuo_lease(number) == F_RDLCK }

  /// Others may write again.
  public func endLease() { _ = continuo_set_lease(number, F_UNLCK) }

  /// Takes the advisory lock that flock(2) gives one open file at a time; it goes with the last descriptor.
  /// Waits for others, or throws `wouldBlock` at once when `waiting` is false.
  public func lock(waiting: Bool) throws(Errno) {
    try calling { flock(number, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) }
  }
}
