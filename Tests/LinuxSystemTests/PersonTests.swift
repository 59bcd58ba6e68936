// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import Testing

/// What the system tells of the people at it, and of their time.
@Suite
struct PersonTests {
  @Test("a user has a home folder, and a name that nobody has leads to none")
  func users() throws {
    let list = try FilePath("/etc/passwd").open(.readOnly).readToEnd()
    let users = String(decoding: list, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }
    let root = try #require(users.first { $0[0] == "root" })
    #expect(UserAccount(named: "root")?.home == root[5])
    #expect(UserAccount(named: "nobody is called so") == nil)
    let own = users.first { $0[2] == String(CurrentProcess.user) }
    if let own { #expect(UserAccount.own?.home == own[5]) }
  }

  @Test("a person's files lie where HOME says, else where the list of users does")
  func home() {
    #expect(UserAccount.home(told: "/somewhere") == "/somewhere")
    #expect(UserAccount.home(told: "") == UserAccount.own?.home)
    #expect(UserAccount.home(told: nil) == UserAccount.own?.home)
    #expect(UserAccount.home() == UserAccount.home(told: CurrentProcess.variable("HOME")))
  }

  @Test("a file's moment is that of the clock, down to whole seconds, and before 1970 too")
  func localTime() throws {
    func time(_ nanoseconds: Int64) throws -> LocalTime {
      try #require(
        LocalTime(
          ofContent: FileStamp(
            device: 1, inode: 2, size: 3, modified: nanoseconds, changed: 0, linkCount: 1)))
    }
    #expect(try time(1_700_000_000_999_999_999) == LocalTime(WallTime(milliseconds: 1_700_000_000_000)))
    #expect(try time(0) == LocalTime(WallTime(milliseconds: 0)))
    #expect(try time(-1) == time(-1_000_000_000))
    #expect(try time(-1) != time(0))
  }
}
