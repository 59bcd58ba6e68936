// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import TextEditing

/// Which documents are open, and which one is on the screen.
extension EditorSession {
  /// Puts `next` on the screen. The document that was there stays open, unless there is nothing in it.
  func show(_ next: TextDocument) {
    let former = document
    add(next)
    document = next
    if next !== former {
      if former.fileURL == nil, former.editor.buffer.isEmpty { close(former) }
      handle(.shown)
    }
    next.resize(width: layout.columns, height: layout.textRows)
    application.mainDocument = next
    if next.foreignByteCount > 0 {
      let bytes = next.foreignByteCount == 1 ? "1 byte is" : "\(next.foreignByteCount) bytes are"
      handle(.notice("\(next.textName) is not UTF-8: \(bytes) shown as \u{FFFD} and saved as before"))
    }
  }

  /// Has it among the open documents, and returns its number there.
  @discardableResult
  func add(_ text: TextDocument) -> Int {
    if !documents.contains(where: { $0 === text }) { documents.append(text) }
    text.fileObserver = { [weak self] changed, news in self?.noteFileChange(changed, news) }
    noteFolder(of: text)
    return (documents.firstIndex { $0 === text } ?? 0) + 1
  }

  /// Has the texts among the open ones, and says so.
  func adopt(_ restored: RestoredTexts) {
    for text in restored.documents { add(text) }
    if let sentence = restored.sentences.first { handle(.notice(sentence)) }
  }

  private func noteFileChange(_ changed: TextDocument, _ news: FileNews) {
    if case .conflict(let told) = news { changed.noteCopies(told) }
    if case .moved = news { noteFolder(of: changed) }
    if changed === document { handle(.fileChanged(news)) }
  }

  /// Opens what the person named.
  func open(_ path: String) {
    Task {
      do {
        show(try await TextDocument.open(FileArgument(FileArgument.expanded(path)), display: false))
      } catch {
        handle(.notice(error.sentence))
      }
    }
  }

  /// Opens a conflict copy for reading; one that is open already stays as it is.
  func open(_ copy: ConflictCopy) {
    Task {
      do {
        let (opened, wasAlreadyOpen) = try await DocumentController.shared.openDocument(
          withContentsOf: URL(filePath: copy.path), display: false)
        guard let text = opened as? TextDocument else { return }
        if !wasAlreadyOpen { text.isReadOnly = true }
        show(text)
        handle(.notice("This is the conflict copy \(copy.name), for reading; Ctrl-W closes it"))
      } catch {
        handle(.notice(error.sentence))
      }
    }
  }

  /// Notes in which folder it lies, and whether that is a synced one.
  func noteFolder(of document: TextDocument) {
    document.noteFolder(in: application, knowsFolders: knowsFolders)
  }

  // MARK: Closing

  func closeDocument(saving: Bool) {
    let closed = document
    isLeaving = saving
    guard !saving else {
      return whenSaved([closed], .close) { [weak self] in
        self?.show(closed)
        self?.closeDocument(saving: false)
      }
    }
    let index = documents.firstIndex { $0 === closed } ?? 0
    guard documents.count > 1 else { return quit(saving: false) }
    let next = documents[index == 0 ? 1 : index - 1]
    show(next)
    close(closed)
    handle(.notice("\(next.textName) is still open"))
  }

  func quit(saving: Bool) {
    isLeaving = saving
    guard !saving else {
      return whenSaved(documents.filter(\.isDocumentEdited), .quit) { [weak self] in self?.quit(saving: false)
      }
    }
    for document in documents { close(document) }
    isFinished = true
  }

  private func close(_ document: TextDocument) {
    document.fileObserver = nil
    documents.removeAll { $0 === document }
    document.close()
  }

  /// Saves one after the other, then goes on. One that cannot be saved is shown, and nothing else happens;
  /// one without a name is asked for it, and what was wanted follows then.
  private func whenSaved(
    _ rest: [TextDocument], _ after: AfterSaving, _ goOn: @escaping @MainActor () -> Void
  ) {
    guard let next = rest.first else { return goOn() }
    show(next)
    guard next.fileURL != nil else {
      isLeaving = false
      return handle(.needsName(then: after))
    }
    save({ try await $0.save() }) { [weak self] in self?.whenSaved(Array(rest.dropFirst()), after, goOn) }
  }
}
