// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Reading documents that are large, or not what they should be")
  struct ReadingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private static let large = String(repeating: "0123456789abcde\n", count: 700_000)

    private func open(_ url: URL) async throws -> TextFile? {
      try await DocumentController.shared.openDocument(withContentsOf: url, display: true).0 as? TextFile
    }

    private func refusal(_ url: URL) async -> ContinuityError? {
      do {
        _ = try await open(url)
        return nil
      } catch {
        return error as? ContinuityError
      }
    }

    @Test func aLargeFileIsReadWhileTheMainActorGoesOn() async throws {
      folder.write("plan.md", Self.large)
      // Now and then the reading is done before anybody has begun to wait for it.
      var wentOn = false
      for _ in 0..<50 where !wentOn {
        var isOpen = false
        let opening = Task.immediate {
          let document = try await open(folder.url("plan.md"))
          isOpen = true
          return document
        }
        wentOn = !isOpen
        let document = try await opening.value
        #expect(document?.text == Self.large)
        document?.close()
      }
      #expect(wentOn)
    }

    @Test func openedTwiceAtOnceItIsOneDocument() async throws {
      folder.write("plan.md", Self.large)
      let opening = (0..<4).map { _ in Task.immediate { try await open(folder.url("plan.md")) } }
      var found: Set<ObjectIdentifier> = []
      for task in opening { found.insert(ObjectIdentifier(try #require(try await task.value))) }
      #expect(found.count == 1 && DocumentController.shared.documents.count == 1)
    }

    @Test func aLargeFileThatChangedIsReloadedWhileTheMainActorGoesOn() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.replace("plan.md", Self.large)
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .changed(nil)))
      #expect(document.text == "alpha" && document.changes.isEmpty)
      await waitUntil { !document.changes.isEmpty }
      #expect(document.text == Self.large && !document.isDocumentEdited)
    }

    @Test func whatIsTypedMeanwhileIsNotReplaced() async throws {
      let document = try await app.open("plan.md", "alpha")
      folder.replace("plan.md", Self.large)
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .changed(nil)))
      document.type("!")
      await waitUntil { !document.changes.isEmpty }
      #expect(document.text == "alpha!" && document.isDocumentEdited)
      await #expect(throws: ContinuityError.self) { try await document.save() }
      #expect(folder.text("plan.md") == Self.large)
    }

    @Test func whatChangesAgainMeanwhileIsReadAgain() async throws {
      let document = try await app.open("plan.md", "alpha")
      let path = Array(folder.path("plan.md").utf8)
      folder.replace("plan.md", Self.large)
      app.report(.documentChanged(path: path, .changed(nil)))
      // The reading begins.
      await Task.yield()
      folder.replace("plan.md", Self.large + "more")
      app.report(.documentChanged(path: path, .changed(nil)))
      let full = Self.large.utf8.count + 4
      await waitUntil { document.text.utf8.count == full }
      #expect(document.text.hasSuffix("more"))
    }

    @Test func aFileThatGrowsWithoutEndIsRefused() async throws {
      folder.write("plan.md", "")
      // Reading it takes longer than any pause of the writer.
      let size = 96 << 20
      #expect(truncate(folder.path("plan.md"), size) == 0)
      let writer = try GrowingFile(folder.path("plan.md"))
      await waitUntil { folder.status("plan.md").st_size != size }
      let error = await refusal(folder.url("plan.md"))
      writer.stop()
      #expect(error?.code == .changedWhileOpening)
      #expect(error?.description.contains("try again") == true)
      #expect(DocumentController.shared.documents.isEmpty)
      #expect(truncate(folder.path("plan.md"), 5) == 0)
      #expect(try await open(folder.url("plan.md"))?.text.count == 5)
    }

    @Test func whatIsNoFileOfATypeIsRefusedWithASentence() async throws {
      folder.write("plan.unknown", "alpha")
      folder.write("plan.rtf", "alpha")
      #expect(mkdir(folder.path("folder.md"), 0o700) == 0)
      #expect(mkfifo(folder.path("pipe.md"), 0o600) == 0)
      #expect(symlink("nowhere", folder.path("dangling.md")) == 0)
      #expect(symlink("round.md", folder.path("round.md")) == 0)
      #expect(symlink("/dev/zero", folder.path("device.md")) == 0)
      #expect(mknod(folder.path("socket.md"), S_IFSOCK | 0o600, 0) == 0)
      let long = folder.url(String(repeating: "d/", count: 2040) + "plan.md")
      let urls =
        ["plan.unknown", "folder.md", "pipe.md", "dangling.md", "round.md", "device.md", "socket.md"]
        .map(folder.url) + [long, folder.url(String(repeating: "n", count: 300) + ".md")]
      for url in urls + [URL(string: "https://example.org/plan.md")].compactMap({ $0 }) {
        let error = await refusal(url)
        #expect(error != nil && error?.description.isEmpty == false, "\(url)")
        #expect(DocumentController.shared.documents.isEmpty)
      }
    }

    @Test func aTypeWithoutAClassIsRefusedWithASentence() async throws {
      DocumentController.shared = DocumentController()
      folder.write("plan.md", "alpha")
      let error = await refusal(folder.url("plan.md"))
      #expect(error?.description.contains("register") == true)
    }

    @Test func aFileDeletedWhileOpenStaysInMemoryAndIsMadeAgainByASave() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.seconds(2))
      document.type("!")
      unlink(folder.path("plan.md"))
      app.report(.documentChanged(path: Array(folder.path("plan.md").utf8), .deleted))
      app.advance(.seconds(30))
      #expect(folder.names == [] && document.text == "alpha!" && document.isDocumentEdited)
      try await document.save()
      #expect(folder.text("plan.md") == "alpha!")
    }

    @Test func aFileThatMayNotBeReadIsToldByItsName() async throws {
      folder.write("plan.md", "alpha")
      chmod(folder.path("plan.md"), 0)
      let opening = OrdinaryUser.run { Task.immediate { await refusal(folder.url("plan.md")) } }
      let error = await opening.value
      #expect(error?.code == .documentUnreadable && error?.subject == folder.path("plan.md"))
      #expect(error?.description.contains("permission is missing") == true)
    }

    @Test func inAReadOnlyFolderAnAutosaveIsToldAndTheOldBytesStay() async throws {
      let document = try await app.open("plan.md", "alpha")
      app.application.mainDocument = document
      app.advance(.seconds(2))
      chmod(folder.directory, 0o555)
      document.type("!")
      OrdinaryUser.run { app.advance(.seconds(2)) }
      #expect(app.calls.contains("autosave failed") && document.isDocumentEdited)
      chmod(folder.directory, 0o755)
      #expect(folder.text("plan.md") == "alpha" && folder.names == ["plan.md"])
      app.advance(.seconds(10))
      #expect(folder.text("plan.md") == "alpha!" && !document.isDocumentEdited)
    }
  }
}

/// Permissions do not stop the superuser, who may give them up for one thread.
private enum OrdinaryUser {
  static func run<Result>(_ body: () -> Result) -> Result {
    guard geteuid() == 0, let address = dlsym(nil, "setfsuid") else { return body() }
    let become = unsafeBitCast(address, to: (@convention(c) (uid_t) -> Int32).self)
    _ = become(65534)
    defer { _ = become(0) }
    return body()
  }
}

/// A file that another thread appends to.
private final class GrowingFile: Sendable {
  private let descriptor: Int32
  private let isStopped = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    try #require(descriptor >= 0)
    self.descriptor = descriptor
    let (isStopped, ended) = (isStopped, ended)
    Thread.detachNewThread {
      while isStopped.wait(timeout: .now()) == .timedOut { write(descriptor, ".", 1) }
      Glibc.close(descriptor)
      ended.signal()
    }
  }

  func stop() {
    isStopped.signal()
    ended.wait()
  }
}
