// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  @MainActor
  @Suite("Text that no file holds outlives its process")
  struct RecoveryTests {
    let app = SampleApp(isSynced: false)
    let state = SampleFolder()
    var folder: SampleFolder { app.folder }
    private var place: String { state.directory + "/autosaved/org.example.editor" }

    init() { app.application.keepAutosavedDocuments(in: state.directory) }

    /// What is kept, over all processes.
    private func kept() -> [String] {
      let folders = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      return folders.flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(place)/\(folder)")) ?? []
        return names.filter { $0 != "lock" && !$0.hasSuffix("~note") }.sorted().compactMap { name in
          FileManager.default.contents(atPath: "\(place)/\(folder)/\(name)")
            .map { String(decoding: $0, as: UTF8.self) }
        }
      }
    }

    private func untitled(_ text: String) -> TextFile {
      let document = TextFile()
      DocumentController.shared.addDocument(document)
      document.type(text)
      return document
    }

    private func passed(_ pause: Duration, _ document: Document) async {
      app.advance(pause)
      await waitUntil { !document.isSaving }
    }

    /// A text is edited and kept; nothing in memory holds the document afterwards but the app.
    private func leave(_ make: () async throws -> TextFile) async throws {
      let document = try await make()
      document.type("!")
      await passed(.seconds(5), document)
      #expect(document.isDocumentEdited && !document.hasUnautosavedChanges)
    }

    /// The process is gone, with everything in memory; what it had locked is free. Another one starts.
    private func crash() async -> SampleApp {
      weak let last = DocumentController.shared.documents.last
      DocumentController.shared = DocumentController()
      app.application.keepAutosavedDocuments(in: "/dev/null")
      // What wrote it may still be on its way out.
      await waitUntil { last == nil }
      let next = SampleApp(isSynced: false)
      next.application.keepAutosavedDocuments(in: state.directory)
      return next
    }

    /// What the next process opens. A child that somebody starts in this moment holds the lock, too, until
    /// it becomes its program.
    private func restored() async -> [Document] {
      var documents: [Document] = []
      await waitUntil {
        documents = await DocumentController.shared.restoreAutosavedDocuments()
        return !documents.isEmpty
      }
      return documents
    }

    @Test func anUntitledTextIsKeptAfterAQuietMomentAndOpenedAgain() async throws {
      try await leave { untitled("new text") }
      #expect(kept() == ["new text!"])
      let next = await crash()
      let restored = await self.restored()
      let again = try #require(restored.first as? TextFile)
      #expect(restored.count == 1 && again.text == "new text!" && again.fileURL == nil)
      #expect(again.isDocumentEdited && again.fileType == "Text" && kept() == ["new text!"])
      #expect(again.autosavedContentsFileURL?.pathExtension == "txt")
      try await again.save(to: next.folder.url("named.md"))
      // What the process left that is gone is cleared away.
      #expect(FileManager.default.subpaths(atPath: place) == [])
      #expect(kept() == [] && next.folder.text("named.md") == "new text!")
    }

    @Test func itIsKeptAfterAQuietMoment() async throws {
      let document = untitled("new")
      app.advance(.milliseconds(4_999))
      #expect(!document.isSaving)
      await passed(.milliseconds(1), document)
      #expect(kept() == ["new"] && document.isDocumentEdited)
    }

    /// What is restored while its disk is away is not saved into the folder below that.
    @Test(arguments: [true, false])
    func whereADiskIsGoneWhatIsRestoredIsNotSavedIntoTheFolderBelowIt(isNew: Bool) async throws {
      try await leave { isNew ? newFile("plan.md", "alpha") : try await app.open("plan.md", "alpha") }
      _ = await crash()
      guard folder.becomeDisk(of: "128k") else { return }
      let restored = await self.restored()
      let again = try #require(restored.first as? TextFile)
      #expect(again.text == "alpha!" && again.fileURL == folder.url("plan.md") && again.isDocumentEdited)
      let error = await #expect(throws: ContinuityError.self) { try await again.save() }
      #expect(error?.code == .documentMissing)
      #expect(error?.description.contains("its disk is gone; bring it back, or use another place") == true)
      #expect(folder.names == [] && kept() == ["alpha!"] && again.isDocumentEdited)
      // As it was typed into once more, and left again.
      again.type("?")
      try await again.autosave(withImplicitCancellability: false)
      await #expect(throws: ContinuityError.self) { try await again.save() }
      #expect(folder.names == [] && kept() == ["alpha!?"])
      folder.stopBeingDisk()
      try await again.save()
      #expect(folder.text("plan.md") == "alpha!?" && kept() == [])
    }

    private func newFile(_ name: String, _ text: String) -> TextFile {
      let document = TextFile()
      document.fileURL = folder.url(name)
      DocumentController.shared.addDocument(document)
      document.type(text)
      return document
    }

    @Test func whatNoOneSavesIsKeptAndItsFileStaysAsItIs() async throws {
      try await leave { try await app.open("plan.md", "alpha") }
      #expect(kept() == ["alpha!"] && folder.text("plan.md") == "alpha")
      _ = await crash()
      let restored = await self.restored()
      let again = try #require(restored.first as? TextFile)
      #expect(again.text == "alpha!" && again.fileURL == folder.url("plan.md") && again.isDocumentEdited)
      #expect(folder.text("plan.md") == "alpha")
      try await again.save()
      #expect(folder.text("plan.md") == "alpha!" && kept() == [])
    }

    @Test func aFileThatChangedSinceIsNotOverwrittenByWhatWasRestored() async throws {
      try await leave { try await app.open("plan.md", "alpha") }
      _ = await crash()
      folder.replace("plan.md", "theirs")
      let again = await restored().first as? TextFile
      let error = await #expect(throws: ContinuityError.self) { try await again?.save() }
      #expect(error?.code == .documentDiverged)
      #expect(folder.text("plan.md") == "theirs" && again?.text == "alpha!" && kept() == ["alpha!"])
      try await again?.save(overwritingChanges: true)
      #expect(folder.text("plan.md") == "alpha!" && kept() == [])
    }

    @Test func textWhoseFolderIsGoneIsOpenedUntitled() async throws {
      let outside = SampleFolder()
      #expect(mkdir(outside.path("sub"), 0o700) == 0)
      outside.write("sub/plan.md", "alpha")
      try await leave {
        let (opened, _) = try await DocumentController.shared.openDocument(
          withContentsOf: outside.url("sub/plan.md"), display: true)
        return try #require(opened as? TextFile)
      }
      _ = await crash()
      try FileManager.default.removeItem(atPath: outside.path("sub"))
      let again = await restored().first as? TextFile
      #expect(again?.text == "alpha!" && again?.fileURL == nil && again?.displayName == "plan.md")
    }

    @Test func savingClosingAndTakingBackForgetIt() async throws {
      for end in 0..<4 {
        let document = try await app.open("plan\(end).md", "alpha")
        document.type("!")
        await passed(.seconds(40), document)
        #expect(kept() == ["alpha!"])
        switch end {
        case 0: try await document.save()
        case 1: document.close()
        case 2: document.updateChangeCount(.changeUndone)
        default: try document.revertToSaved()
        }
        #expect(kept() == [], "\(end)")
        #expect(document.autosavedContentsFileURL == nil)
      }
    }

    @Test func whatIsClosedWhileItIsKeptIsForgotten() async throws {
      let document = untitled("new")
      app.advance(.seconds(5))
      #expect(document.isSaving)
      document.close()
      await waitUntil { !document.isSaving }
      #expect(kept() == [])
    }

    @Test func whatIsTypedIsKeptAgainAfterAPause() async throws {
      let document = untitled("one")
      await passed(.seconds(5), document)
      document.type(" two")
      await passed(.seconds(5), document)
      #expect(kept() == ["one"])
      await passed(.seconds(5), document)
      #expect(kept() == ["one two"])
      for _ in 0..<10 {
        document.type(".")
        await passed(.seconds(4), document)
      }
      // Somebody who never pauses is not forgotten either.
      #expect(kept().first?.hasPrefix("one two......") == true)
    }

    @Test func theEndOfTheProgramKeepsWhatIsUnsaved() async throws {
      let document = untitled("new")
      app.application.terminate()
      #expect(kept() == ["new"] && document.isDocumentEdited)
    }

    @Test func nothingIsLeftOfWhatNobodyNeeds() async throws {
      let document = untitled("new")
      await passed(.seconds(5), document)
      #expect(kept() == ["new"])
      document.close()
      app.application.terminate()
      #expect(FileManager.default.subpaths(atPath: place) == [])
    }

    @Test func onlyTheUserMayLookIntoIt() async throws {
      let document = untitled("secret")
      await passed(.seconds(5), document)
      let file = try #require(document.autosavedContentsFileURL).path
      var status = stat()
      #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
      for folder in [(file as NSString).deletingLastPathComponent, place, state.path("autosaved")] {
        #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700, "\(folder)")
      }
    }

    @Test func whatARunningProcessKeepsIsLeftAlone() async throws {
      let document = untitled("mine")
      await passed(.seconds(5), document)
      // Another process would find the same: the lock is held.
      #expect(await DocumentController.shared.restoreAutosavedDocuments().isEmpty)
      #expect(kept() == ["mine"])
    }

    @Test func aKilledProcessLeavesItToTheNextOne() async throws {
      let holder = Process()
      holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      let left = place + "/0123456789abcdef"
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: left + "/lock"))
      try Data("theirs".utf8).write(to: URL(fileURLWithPath: left + "/abc.md"))
      holder.arguments = ["flock", left + "/lock", "sh", "-c", "echo locked; exec cat"]
      let (input, output) = (Pipe(), Pipe())
      (holder.standardInput, holder.standardOutput) = (input, output)
      try holder.run()
      #expect(try output.fileHandleForReading.read(upToCount: 7) == Data("locked\n".utf8))
      #expect(await DocumentController.shared.restoreAutosavedDocuments().isEmpty)
      try input.fileHandleForWriting.close()
      holder.waitUntilExit()
      let again = await restored().first as? TextFile
      // It has no note: it is somebody's text all the same.
      #expect(again?.text == "theirs" && again?.fileURL == nil)
    }

    @Test func whatCannotBeOpenedIsToldAndStays() async throws {
      var file = ""
      try await leave { untitled("new") }
      for document in DocumentController.shared.documents {
        file = document.autosavedContentsFileURL?.path ?? ""
      }
      try Data([0xff, 0x00, 0xfe]).write(to: URL(fileURLWithPath: file))
      let next = await crash()
      await waitUntil {
        #expect(await DocumentController.shared.restoreAutosavedDocuments().isEmpty)
        return !next.errors.isEmpty
      }
      #expect(next.errors.first?.description.contains(file) == true)
      #expect(FileManager.default.contents(atPath: file) == Data([0xff, 0x00, 0xfe]))
    }

    @Test func aDiskThatIsFullIsToldAndTriedAgainLater() async throws {
      let disk = SampleFolder()
      guard disk.becomeDisk(of: "64k") else { return }
      app.application.keepAutosavedDocuments(in: disk.directory)
      let document = untitled(String(repeating: "x", count: 200_000))
      await passed(.seconds(5), document)
      #expect(app.calls == ["autosave failed"] && document.hasUnautosavedChanges)
      document.text = "short"
      await passed(.seconds(59), document)
      #expect(document.hasUnautosavedChanges)
      await passed(.seconds(1), document)
      #expect(!document.hasUnautosavedChanges && app.calls.count == 1)
    }
  }
}
