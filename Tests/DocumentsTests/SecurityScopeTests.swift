// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

extension OneApplicationAtATime {
  @MainActor
  @Suite("Security-scoped URLs")
  struct SecurityScopeTests {
    let app = SampleApp()

    /// How many descriptors of this process lead to `path`, which may be gone.
    private func holders(_ path: String) -> Int {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return names.count { name in
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(name)", &buffer, buffer.count - 1)
        let target = String(
          decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target == path || target == path + " (deleted)"
      }
    }

    @Test func s51a_whatAContinuationVerifiedIsHeldUntilTheMatchingStop() throws {
      app.takes = true
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      let (path, url) = (app.folder.path("plan.md"), app.folder.url("plan.md"))
      #expect(url.startAccessingSecurityScopedResource())
      #expect(url.startAccessingSecurityScopedResource())
      // The continuation is over, and somebody else removes the file: what was verified is still held.
      app.keptHandler = nil
      app.deliver(nil)
      try FileManager.default.removeItem(at: url)
      #expect(holders(path) == 1)
      url.stopAccessingSecurityScopedResource()
      #expect(holders(path) == 1)
      url.stopAccessingSecurityScopedResource()
      #expect(holders(path) == 0)
      url.stopAccessingSecurityScopedResource()
      #expect(!url.startAccessingSecurityScopedResource())
    }

    @Test func s51a_itIsTrueWhileTheActivityLivesThoughTheFileWasTakenAway() throws {
      app.takes = true
      app.folder.write("plan.md", "alpha")
      app.deliver("plan.md")
      let url = app.folder.url("plan.md")
      try FileManager.default.removeItem(at: url)
      #expect(url.startAccessingSecurityScopedResource())
      url.stopAccessingSecurityScopedResource()
    }

    @Test func s51b_itIsTrueForFilesThatThisUserMayOpen() {
      app.folder.write("mine.txt", "alpha")
      let url = app.folder.url("mine.txt")
      #expect(url.startAccessingSecurityScopedResource())
      #expect(holders(app.folder.path("mine.txt")) == 1)
      url.stopAccessingSecurityScopedResource()
      #expect(holders(app.folder.path("mine.txt")) == 0)
      #expect(URL(fileURLWithPath: app.folder.directory).startAccessingSecurityScopedResource())
      URL(fileURLWithPath: app.folder.directory).stopAccessingSecurityScopedResource()
    }

    @Test(arguments: [
      "https://example.org/plan.md", "file://desktop/etc/passwd", "file:///no/such/file", "plan",
    ])
    func s51b_itIsFalseForWhatIsNoFileHere(_ text: String) throws {
      let url = try #require(URL(string: text))
      #expect(!url.startAccessingSecurityScopedResource())
      url.stopAccessingSecurityScopedResource()
    }

    @Test func s12b_s33b_s51b_aFileURLThatTheSenderWroteDoesNotComeAndOpensNothing() throws {
      app.takes = true
      app.folder.write("mine.txt", "alpha")
      let url = app.folder.url("mine.txt")
      let probe = Probe()
      app.deliver(nil, webpageURL: url.absoluteString)
      app.keptHandler?([probe])
      #expect(probe.restored != nil && probe.restored?.webpageURL == nil)
      probe.restored = nil
      app.keptHandler = nil
      #expect(url.startAccessingSecurityScopedResource(), "the app's own URL, as before")
      url.stopAccessingSecurityScopedResource()
    }
  }
}

@MainActor
private final class Probe: UserActivityRestoring {
  var restored: UserActivity?
  func restoreUserActivityState(_ activity: UserActivity) { restored = activity }
}
