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
    handle(.notice("Saving \(Self.name(document)) …"))
    // At once: what is typed next is not meant.
    Task.immediate {
      let outcome: EditorEvent
      var isSaved = false
      do {
        try await write(document)
        outcome = .saved(name: Self.name(document))
        isSaved = true
      } catch {
        outcome = .notSaved(
          reason: Self.sentence(error), isChangedOnDisk: Self.isChangedOnDisk(error, document))
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

  /// Their bytes go into a file beside before they are overwritten; a file that changes meanwhile is read
  /// again.
  func keepMine() {
    var kept: String?
    save({ document in
      let path = document.fileURL?.path(percentEncoded: false) ?? ""
      var before = Self.mark(path)
      while let seen = before {
        let theirs = try Array(Data(contentsOf: URL(filePath: path)))
        kept = try RecoveryFile.write(theirs, besides: path, mark: "theirs")
        before = Self.mark(path)
        if before == seen { break }
      }
      try await document.save(overwritingChanges: true)
    }) { [weak self] in
      if let kept { self?.handle(.notice("Saved yours; theirs is kept in \(Self.lastName(kept))")) }
    }
  }

  /// The text here goes into a file beside before theirs takes its place.
  func loadTheirs() {
    let path = document.fileURL?.path(percentEncoded: false)
    do {
      let kept = try RecoveryFile.write(document.bytes, besides: path, mark: "mine")
      try document.reload()
      handle(.notice("Loaded theirs; yours is kept in \(Self.lastName(kept))"))
    } catch {
      handle(.notice("Not loaded: \(Self.sentence(error))"))
    }
  }

  private static func lastName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What changes when the file does; nil when it is not there.
  private static func mark(_ path: String) -> FileMark? { (try? FilePath(path).status())?.stamp.mark }

  /// The sentence that a person should read.
  static func sentence(_ error: any Error) -> String {
    (error as? ContinuityError)?.description ?? error.localizedDescription
  }

  /// A file that was not there when the text began counts too.
  private static func isChangedOnDisk(_ error: any Error, _ document: TextDocument) -> Bool {
    guard let error = error as? ContinuityError else { return false }
    return error.code == .documentDiverged || (error.code == .invalidRequest && document.fileURL != nil)
  }

  /// Nobody is there to decide: a file that somebody took away is not made again.
  private func canBeRescued(_ document: TextDocument) -> Bool {
    guard let path = document.fileURL?.path(percentEncoded: false), !document.isReadOnly,
      document.continuedOn == nil
    else { return false }
    return document.isFileNew || Self.mark(path) != nil
  }

  /// The editor has to go: saves what has a file, and keeps what cannot be saved for the next start, else in
  /// a file beside. Returns what to tell the person.
  func rescue() async -> [String] {
    var told: [String] = []
    for document in documents where document.isDocumentEdited {
      if canBeRescued(document), (try? await document.save()) != nil { continue }
      // What is not kept by that is still told to be unautosaved.
      try? await document.autosave(withImplicitCancellability: false)
      guard document.hasUnautosavedChanges else {
        told.append("Unsaved text of \(Self.name(document)) is opened again by the next start.")
        continue
      }
      do throws(ContinuityError) {
        let path = document.fileURL?.path(percentEncoded: false)
        let kept = try RecoveryFile.write(document.bytes, besides: path)
        told.append("Unsaved text was kept in \(kept).")
      } catch {
        told.append(error.description)
      }
    }
    return told
  }
}
