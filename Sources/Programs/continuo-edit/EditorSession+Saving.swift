// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import LinuxSystem
import TextEditing

/// Saving, and what is done when the file is not what it was.
extension EditorSession {
  /// Runs `write` and tells how it went; `done` follows only a success. While another save runs it waits for
  /// that one's end, and typing goes on.
  func save(
    _ write: @escaping @MainActor (TextDocument) async throws -> Void,
    done: @escaping @MainActor () -> Void = {}
  ) {
    let document = document
    guard !isSaving else {
      return laterSaves.append { [weak self] in self?.save(document, write, done) }
    }
    save(document, write, done)
  }

  /// Asking twice while a save runs saves once more, not twice.
  func saveInPlace(overwriting: Bool) {
    let id = ObjectIdentifier(document)
    guard !isSaving || savesAgain.insert(id).inserted else { return }
    save { [weak self] document in
      self?.savesAgain.remove(id)
      try await document.save(overwritingChanges: overwriting)
    }
  }

  private func save(
    _ document: TextDocument, _ write: @escaping @MainActor (TextDocument) async throws -> Void,
    _ done: @escaping @MainActor () -> Void
  ) {
    isSaving = true
    handle(.notice("Saving \(document.textName) …"))
    // At once: what is typed next is not meant.
    Task.immediate {
      let outcome: EditorEvent
      var isSaved = false
      do {
        try await write(document)
        outcome = .saved(name: document.textName)
        isSaved = true
      } catch {
        outcome = .notSaved(
          reason: error.sentence, isChangedOnDisk: document.isChangedOnDisk(error))
      }
      isSaving = false
      if !isSaved { isLeaving = false }
      handle(outcome)
      if isSaved { done() }
      if !isSaving, !laterSaves.isEmpty { laterSaves.removeFirst()() }
      releaseKeys()
    }
  }

  func saveAs(_ name: String, then after: AfterSaving) {
    let path: String
    do throws(ContinuityError) {
      path = try FileArgument.expanded(name)
    } catch {
      return handle(.notSaved(reason: error.description, isChangedOnDisk: false))
    }
    guard (try? FilePath(path).status(followingLinks: false)) == nil else {
      handle(.notSaved(reason: "\(name) exists already; choose another name", isChangedOnDisk: false))
      return
    }
    let url = URL(filePath: path).absoluteURL.standardizedFileURL
    isLeaving = after != .nothing
    save({ try await $0.save(to: url) }) { [weak self] in
      guard let self else { return }
      noteFolder(of: document)
      goOn(after)
    }
  }

  private func goOn(_ after: AfterSaving) {
    switch after {
    case .nothing: break
    case .close: closeDocument(saving: false)
    case .quit: quit(saving: true)
    }
  }

  /// Their bytes go into a file beside before they are overwritten.
  func keepMine() {
    var told: String?
    save({ told = try await $0.keepMine() }) { [weak self] in
      if let told { self?.handle(.notice(told)) }
    }
  }

  /// The text here goes into a file beside before theirs takes its place.
  func loadTheirs() { handle(.notice(document.loadTheirs())) }

  /// The editor has to go: what is unsaved is saved or kept. Returns what to tell the person.
  func rescue() async -> [String] {
    var told: [String] = []
    for document in documents { if let sentence = await document.rescue() { told.append(sentence) } }
    return told
  }
}
