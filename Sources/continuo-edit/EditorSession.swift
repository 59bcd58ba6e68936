// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Glibc
import TextEditing

/// The open documents and the one on the screen: carries out what `EditorMachine` decides, and reports back.
@MainActor final class EditorSession {
  let application: Application
  private(set) var document: TextDocument
  private(set) var layout = ScreenLayout(columns: 80, rows: 24)
  /// The last document was closed.
  private(set) var isFinished = false
  /// Documents behind the one on the screen, which closing brings back.
  private var others: [TextDocument] = []
  private var machine: EditorMachine
  /// The continuation that was asked for here.
  var request: RequestID?
  /// The device that it comes from.
  var acceptedFrom: String?
  var isConnectionKnown = false
  private var isSaving = false

  /// Shows `document`; `machine` decides.
  init(application: Application, document: TextDocument, machine: EditorMachine) {
    self.application = application
    self.document = document
    self.machine = machine
    show(document)
  }

  /// The monotonic clock.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  /// When the loop should send `.tick`.
  var wakeAt: Instant? { machine.wakeAt }

  /// The screen as it should be.
  var frame: Frame { layout.frame(document.editor, machine, facts) }

  private var facts: DocumentFacts {
    DocumentFacts(
      name: document.fileURL?.lastPathComponent ?? "Untitled", hasFile: document.fileURL != nil,
      isEdited: document.isDocumentEdited, isReadOnly: document.isReadOnly)
  }

  /// The terminal has another size.
  func resize(_ layout: ScreenLayout) {
    self.layout = layout
    document.resize(width: layout.columns, height: layout.textRows)
  }

  /// Lets the machine decide, and does it.
  func handle(_ event: EditorEvent) {
    for action in machine.handle(event, document: facts, at: Self.now) { perform(action) }
  }

  private func perform(_ action: EditorAction) {
    switch action {
    case .edit(let command): edit(command)
    case .save(let overwriting): save { try await $0.save(overwritingChanges: overwriting) }
    case .saveAs(let name): saveAs(name)
    case .close: closeDocument()
    case .accept(let id): accept(id)
    case .cancel: cancel()
    case .choose(let choice): choose(choice)
    }
  }

  private func edit(_ command: EditCommand) {
    if document.editor.exceedsSizeLimit(command) {
      handle(.notice("The text has reached 5 MB, the most that this editor opens"))
    } else {
      document.perform(command)
    }
  }

  // MARK: Documents

  /// Puts `next` on the screen. The document that was there stays open behind it, unless there is nothing in
  /// it.
  func show(_ next: TextDocument) {
    if next !== document {
      others.removeAll { $0 === next }
      if document.fileURL == nil, document.editor.buffer.isEmpty {
        close(document)
      } else {
        others.append(document)
      }
      document = next
    }
    next.fileObserver = { [weak self] changed, news in
      if changed === self?.document { self?.handle(.fileChanged(news)) }
    }
    next.resize(width: layout.columns, height: layout.textRows)
    application.mainDocument = next
  }

  private func closeDocument() {
    let closed = document
    guard let next = others.popLast() else {
      close(closed)
      isFinished = true
      return
    }
    document = next
    close(closed)
    show(next)
    handle(.notice("\(next.fileURL?.lastPathComponent ?? "Untitled") is still open"))
  }

  private func close(_ document: TextDocument) {
    document.fileObserver = nil
    document.close()
  }

  // MARK: Saving

  private func save(_ write: @escaping @MainActor (TextDocument) async throws -> Void) {
    guard !isSaving else { return }
    isSaving = true
    let document = document
    Task {
      let outcome: EditorEvent
      do {
        try await write(document)
        outcome = .saved(name: document.fileURL?.lastPathComponent ?? "")
      } catch {
        outcome = .notSaved(
          reason: Self.sentence(error), isChangedOnDisk: Self.isChangedOnDisk(error, document))
      }
      isSaving = false
      handle(outcome)
    }
  }

  private func saveAs(_ name: String) {
    let path = name.hasPrefix("~/") ? NSHomeDirectory() + name.dropFirst(1) : name
    var facts = stat()
    guard lstat(path, &facts) != 0 else {
      handle(.notSaved(reason: "\(name) exists already; choose another name", isChangedOnDisk: false))
      return
    }
    let url = URL(filePath: path).absoluteURL.standardizedFileURL
    save { try await $0.save(to: url) }
  }

  /// The sentence that a person should read.
  static func sentence(_ error: any Error) -> String {
    (error as? ContinuityError)?.description ?? error.localizedDescription
  }

  /// A file that was not there when the text began counts too.
  private static func isChangedOnDisk(_ error: any Error, _ document: TextDocument) -> Bool {
    guard let error = error as? ContinuityError else { return false }
    return error.code == .documentDiverged || (error.code == .invalidRequest && document.fileURL != nil)
  }

  /// The editor has to go: saves what has a file, and puts into a recovery file what cannot be saved. Returns
  /// what to tell the person.
  func rescue() async -> [String] {
    var told: [String] = []
    for document in [document] + others where document.isDocumentEdited {
      if document.fileURL != nil, !document.isReadOnly, (try? await document.save()) != nil { continue }
      do throws(ContinuityError) {
        let path = document.fileURL?.path(percentEncoded: false)
        let kept = try RecoveryFile.write(document.editor.buffer.bytes, besides: path)
        told.append("Unsaved text was kept in \(kept).")
      } catch {
        told.append(error.description)
      }
    }
    return told
  }
}
