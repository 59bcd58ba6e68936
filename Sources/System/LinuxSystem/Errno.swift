// SPDX-License-Identifier: MIT

import Glibc

/// Why a system call failed, as `errno(3)` numbers it.
public struct Errno: Error, Hashable, Sendable, RawRepresentable {
  /// The number.
  public let rawValue: CInt

  /// The failure with that number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// The failure of the call that was made last on this thread.
  public static var current: Errno { Errno(rawValue: errno) }

  /// The system's own words for it.
  public var text: String { String(cString: strerror(rawValue)) }

  /// EPERM.
  public static let notPermitted = Errno(rawValue: EPERM)
  /// ENOENT.
  public static let noSuchFile = Errno(rawValue: ENOENT)
  /// EIO.
  public static let inputOutput = Errno(rawValue: EIO)
  /// EAGAIN: a descriptor that does not block has nothing, or no room.
  public static let wouldBlock = Errno(rawValue: EAGAIN)
  /// ENOMEM.
  public static let noMemory = Errno(rawValue: ENOMEM)
  /// EACCES.
  public static let permissionDenied = Errno(rawValue: EACCES)
  /// EEXIST.
  public static let fileExists = Errno(rawValue: EEXIST)
  /// EXDEV: another file system, or outside the folder.
  public static let crossDevice = Errno(rawValue: EXDEV)
  /// ENOTDIR.
  public static let notFolder = Errno(rawValue: ENOTDIR)
  /// EISDIR.
  public static let isFolder = Errno(rawValue: EISDIR)
  /// EINVAL.
  public static let invalidArgument = Errno(rawValue: EINVAL)
  /// ENFILE: the system has too many open files.
  public static let systemFilesExhausted = Errno(rawValue: ENFILE)
  /// EMFILE: the process has too many open files.
  public static let filesExhausted = Errno(rawValue: EMFILE)
  /// ENOTTY: the file system does not know the request.
  public static let unknownRequest = Errno(rawValue: ENOTTY)
  /// EFBIG.
  public static let fileTooLarge = Errno(rawValue: EFBIG)
  /// ENOSPC.
  public static let noSpace = Errno(rawValue: ENOSPC)
  /// EROFS.
  public static let readOnlyFileSystem = Errno(rawValue: EROFS)
  /// EMLINK.
  public static let tooManyLinks = Errno(rawValue: EMLINK)
  /// EPIPE: nobody reads any more.
  public static let brokenPipe = Errno(rawValue: EPIPE)
  /// ENAMETOOLONG.
  public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  /// ERANGE: the answer is longer than the room for it.
  public static let outOfRange = Errno(rawValue: ERANGE)
  /// ENOSYS: the kernel does not have the call.
  public static let noSuchCall = Errno(rawValue: ENOSYS)
  /// ELOOP: a symbolic link, or too many of them.
  public static let symbolicLink = Errno(rawValue: ELOOP)
  /// ENOTSOCK.
  public static let notSocket = Errno(rawValue: ENOTSOCK)
  /// A socket option that this kernel does not have.
  public static let noProtocolOption = Errno(rawValue: ENOPROTOOPT)
  /// EOPNOTSUPP: the file system cannot do it.
  public static let notSupported = Errno(rawValue: EOPNOTSUPP)
  /// ENOBUFS.
  public static let noBuffers = Errno(rawValue: ENOBUFS)
  /// ECONNRESET.
  public static let connectionReset = Errno(rawValue: ECONNRESET)
  /// EHOSTDOWN: the file system does not answer.
  public static let hostDown = Errno(rawValue: EHOSTDOWN)
  /// ECONNREFUSED.
  public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  /// ESTALE: what was opened is not there any more.
  public static let stale = Errno(rawValue: ESTALE)
  /// EDQUOT.
  public static let quotaExceeded = Errno(rawValue: EDQUOT)

  /// Whether the kernel or the file system lacks what was asked for, so that another way has to be taken.
  public var isUnsupported: Bool {
    [.invalidArgument, .noSuchCall, .unknownRequest, .notSupported].contains(self)
  }
}

/// The result of a call that gives -1 for a failure; one that a signal interrupted is made again.
@discardableResult
func calling<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    if errno != EINTR { throw .current }
  }
}
