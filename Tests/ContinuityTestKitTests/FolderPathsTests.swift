// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ContinuityTestKit

@Suite struct FolderPathsTests {
  private let out = FolderPaths(from: Array("/tmp/a".utf8), to: Array("/notes".utf8), keepsForeign: true)
  private let back = FolderPaths(from: Array("/notes".utf8), to: Array("/tmp/b".utf8), keepsForeign: false)

  private func arrived(_ info: UserInfo) -> UserInfo? {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "t", appID: "a", changedAt: WallTime(milliseconds: 1))
    snapshot.userInfo = info
    guard case .update(let sent, _) = out.request(.update(snapshot, saved: nil)) else { return nil }
    let delivery = Delivery(
      activity: sent, path: Array("/notes/p".utf8), status: ArrivalStatus(.current), deviceName: "d")
    guard case .deliver(_, let local) = back.report(.deliver(.random(), delivery)) else { return nil }
    #expect(local.path == Array("/tmp/b/p".utf8))
    return local.activity.userInfo
  }

  /// Semantics 33: what lies in the folder is this device's own again, at any depth.
  @Test func fileURLsOfTheFolderBecomeThoseOfTheOtherDevice() {
    let sent = UserInfoValue.url("file:///tmp/a/x%20y.txt")
    let local = UserInfoValue.url("file:///tmp/b/x%20y.txt")
    #expect(
      arrived([.text("k"): .array([sent, .map([.text("n"): .set([sent])])])])
        == [.text("k"): .array([local, .map([.text("n"): .set([local])])])])
  }

  @Test func otherFileURLsDoNotArriveAndWebAddressesDo() {
    let web = UserInfoValue.url("https://example.org/a?b#c")
    #expect(
      arrived([.text("f"): .url("file:///etc/passwd"), .text("s"): .url("file:///tmp/ab"), .text("w"): web])
        == [.text("w"): web])
  }
}
