// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo
import TextEditing

/// Saving, closing, and what is done when the file is not what it was.
extension EditorWindow {
  /// The person wants it saved: in its file, else in one that they choose.
  func save() {
    if comparing != nil { return saveCompared() }
    if document.fileURL == nil { saveAs() } else { handle(.key(.control("s"))) }
  }

  /// Runs `write` behind saves that run, and tells how it went; `done` follows only a success.
  func save(
    _ write: @escaping @MainActor (TextDocument) async throws -> Void,
    done: @escaping @MainActor () -> Void = {}
  ) {
    let former = saving
    handle(.notice("Saving \(document.textName) …"))
    saving = Task.immediate {
      await former?.value
      do {
        try await write(document)
        session.noteFolder(of: document)
        handle(.saved(name: document.textName))
        done()
      } catch {
        handle(.notSaved(reason: error.sentence, isChangedOnDisk: document.isChangedOnDisk(error)))
      }
    }
  }

  /// Asks for a file and saves there; `done` follows a success.
  func saveAs(done: @escaping @MainActor () -> Void = {}) {
    let name = document.fileURL?.lastPathComponent ?? "Untitled.txt"
    let folder = DocumentController.shared.currentDirectory
    FileDialog.show(for: widget, isSaving: true, folder: folder, name: name) { [weak self] url in
      guard let self, let url else { return }
      // The dialog has asked whether a file that is there may be replaced.
      if comparing != nil { return saveCompared(as: url) }
      save({ try await $0.save(to: url, overwritingChanges: true) }) { [weak self] in
        self?.forgetAsked()
        done()
      }
    }
  }

  func keepMine() {
    var told: String?
    save({ told = try await $0.keepMine() }) { [weak self] in
      if let told { self?.handle(.notice(told)) }
    }
  }

  func loadTheirs() { handle(.notice(document.loadTheirs())) }

  // MARK: Closing

  /// The person closes the window; what is unsaved is asked about.
  func close() {
    Task.immediate { if await mayClose() { destroy() } }
  }

  /// Whether it may go: saved, given up, or nothing to lose. One question at a time.
  func mayClose() async -> Bool {
    guard !isClosed, !isClosing else { return isClosed }
    // The first time it is the comparison that goes: what was chosen there is in no text yet.
    if comparing != nil {
      endComparing()
      return false
    }
    isClosing = true
    defer { isClosing = false }
    await saving?.value
    guard document.isDocumentEdited else { return true }
    // Where it saves itself the framework does that, and asks about the rest.
    if document.isInSyncedFolder == true { return await document.canClose() }
    switch await askAboutChanges() {
    case .discard: return true
    case .cancel: return false
    case .save: return await savesBeforeClosing()
    }
  }

  private func savesBeforeClosing() async -> Bool {
    await withCheckedContinuation { (answer: CheckedContinuation<Bool, Never>) in
      guard document.fileURL == nil else {
        save({ try await $0.save() })
        let saving = saving
        Task {
          await saving?.value
          answer.resume(returning: !document.isDocumentEdited)
        }
        return
      }
      // A dialog that is dismissed leaves the window open, and says nothing.
      FileDialog.show(
        for: widget, isSaving: true, folder: DocumentController.shared.currentDirectory,
        name: "Untitled.txt"
      ) { [weak self] url in
        guard let self, let url else { return answer.resume(returning: false) }
        save({ try await $0.save(to: url, overwritingChanges: true) })
        let saving = saving
        Task {
          await saving?.value
          answer.resume(returning: !self.document.isDocumentEdited)
        }
      }
    }
  }

  /// What is to become of changes that no file holds.
  func askAboutChanges() async -> UnsavedChangesChoice {
    write_window_present(widget)
    let answer = await Question.ask(
      for: widget, text: "Save changes to \(document.textName) before closing?",
      detail: "What was changed is in no file, and is lost if you do not save it.",
      answers: ("_Discard", "_Cancel", "_Save"))
    return answer == 0 ? .discard : answer == 2 ? .save : .cancel
  }
}
