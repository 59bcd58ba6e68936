// SPDX-License-Identifier: MIT

import Glibc

/// What the system's list of users says of one of them; see getpwnam(3).
public struct UserAccount: Hashable, Sendable {
  /// The path of the home folder.
  public let home: String

  /// The user of that name; nil when there is none, or when the list cannot be read. May ask a server, and
  /// waits for it.
  public init?(named name: String) { self.init { getpwnam_r(name, $0, $1, $2, $3) } }

  /// The user who started this process; nil when the list does not have them.
  public static var own: UserAccount? { UserAccount { getpwuid_r(getuid(), $0, $1, $2, $3) } }

  /// Where the files of the user lie who started this process: as `HOME` tells it, else as the list does; nil
  /// when neither does.
  public static func home(told: String? = CurrentProcess.variable("HOME")) -> String? {
    if let told, !told.isEmpty { return told }
    return own?.home
  }

  private typealias Question = (
    UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
    UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
  ) -> CInt

  /// Asks with more room until the entry fits.
  private init?(_ ask: Question) {
    var size = 1 << 10
    while true {
      let (failure, home) = Self.answer(to: ask, in: size)
      if let home {
        self.home = home
        return
      }
      if failure == ERANGE, size < 1 << 20 { size *= 4 } else if failure != EINTR { return nil }
    }
  }

  private static func answer(to ask: Question, in size: Int) -> (failure: CInt, home: String?) {
    var entry = passwd()
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { room in
      withUnsafeMutablePointer(to: &entry) { entry in
        guard let start = room.baseAddress else { return (ENOMEM, nil) }
        var found: UnsafeMutablePointer<passwd>?
        let failure = ask(entry, start, room.count, &found)
        return (failure, found.map { String(cString: $0.pointee.pw_dir) })
      }
    }
  }
}
