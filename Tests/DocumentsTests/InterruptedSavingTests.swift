// SPDX-License-Identifier: MIT

import ActivityModel
import Documents
import Foundation
import Glibc
import Testing

extension OneApplicationAtATime {
  /// A file of two names is written over; what is left when that stops in the midst of it.
  @MainActor
  @Suite("A save in place that was interrupted")
  struct InterruptedSavingTests {
    let app = SampleApp()
    var folder: SampleFolder { app.folder }

    private let copy = ".plan.md.AbC123~"

    private func open() async throws -> TextFile? {
      let opened = try await DocumentController.shared.openDocument(
        withContentsOf: folder.url("plan.md"), display: true)
      return opened.0 as? TextFile
    }

    private func makeLinked(_ text: String) {
      folder.write("plan.md", text)
      #expect(link(folder.path("plan.md"), folder.path("other.md")) == 0)
    }

    /// As a save in place does: both names stay.
    private func overwrite(_ text: String) throws {
      let file = try FileHandle(forWritingTo: folder.url("plan.md"))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    @Test func theFileWithTheWholeTextIsNamedAndNothingIsLost() async throws {
      makeLinked("new te text")
      folder.write(copy, "new text, whole")
      let error = await #expect(throws: ContinuityError.self) { try await open() }
      #expect(error?.code == .documentUnreadable)
      #expect(error?.description.contains(folder.path(copy) + ":") == true, "\(error?.description ?? "")")
      #expect(folder.text(copy) == "new text, whole" && folder.text("plan.md") == "new te text")
      // What the sentence says to do.
      try overwrite("new text, whole")
      #expect(try await open()?.text == "new text, whole")
      #expect(folder.names == ["other.md", "plan.md"])
    }

    @Test func aCopyOfWhatIsThereIsRemoved() async throws {
      makeLinked("alpha")
      folder.write(copy, "alpha")
      #expect(try await open()?.text == "alpha")
      #expect(folder.names == ["other.md", "plan.md"])
    }

    @Test func anOpenDocumentIsNotReloadedFromHalfASave() async throws {
      makeLinked("alpha")
      let document = try #require(try await open())
      try overwrite("bet")
      folder.write(copy, "beta")
      #expect(throws: ContinuityError.self) { try document.reload() }
      #expect(document.text == "alpha")
    }

    @Test(arguments: [".plan.md.AbC123", ".plan.md.AbC12~", ".other.md.AbC123~", "plan.md.AbC123~"])
    func filesOfOtherNamesAreNoneOfIts(_ name: String) async throws {
      makeLinked("alpha")
      folder.write(name, "else")
      #expect(try await open()?.text == "alpha")
      #expect(folder.text(name) == "else")
    }

    @Test func aFileThatIsReplacedByNameIsNotAskedAbout() async throws {
      folder.write("plan.md", "alpha")
      folder.write(copy, "else")
      #expect(try await open()?.text == "alpha")
      #expect(folder.text(copy) == "else")
    }
  }
}
