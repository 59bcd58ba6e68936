// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import TextEditing
import WindowEditing

/// Files on their way into windows.
extension WriteSession {
  /// The program was started without a file, or was asked to show itself.
  func activate() {
    whenRestored { [weak self] in
      guard let self else { return }
      let widget = mainWindow?.widget ?? openings.last?.frame.widget
      if let widget { write_window_present(widget) } else { newDocument() }
    }
  }

  /// Files are to be opened, by their addresses.
  func open(addresses: [String]) {
    whenRestored { [weak self] in for address in addresses { self?.open(address: address) } }
  }

  func open(address: String) {
    guard let url = URL(string: address), url.isFileURL else {
      return tell("\(DisplayText.shown(address)) is no file of this computer: copy it here first.")
    }
    open(url)
  }

  private func open(_ url: URL) {
    if let open = document(of: url) { return show(open) }
    write_application_hold(gtk)
    Task {
      defer { write_application_release(gtk) }
      do {
        let argument = try FileArgument(url.path(percentEncoded: false))
        await open(argument)
      } catch {
        tell(error.sentence)
      }
    }
  }

  private func open(_ argument: FileArgument) async {
    do {
      _ = try await read(argument)
    } catch {
      tell("\(argument.url.lastPathComponent): \(error.sentence)")
    }
  }

  /// The document of a file, in its window. A large one has a window before it is read; nil when the person
  /// has closed that meanwhile. `entry` says where in the text the person is. Throws as opening does.
  func read(_ argument: FileArgument, entry: OpenWindows.Entry? = nil) async throws -> TextDocument? {
    guard argument.size > TextFace.largeSize, document(of: argument.url) == nil else {
      let document = try await TextDocument.open(argument, display: true)
      show(document)
      return document
    }
    let opening = opening(of: argument, entry)
    defer { end(opening) }
    await opening.frame.drawn()
    do {
      guard !opening.isClosed else { return nil }
      let document = try await TextDocument.open(argument, display: false)
      guard opening.isClosed else {
        show(document, presenting: opening.isTaken)
        return document
      }
      // Nobody wants it any more, unless it was asked for again.
      let isAwaited = openings.contains { $0.url == argument.url }
      if document.windowControllers.isEmpty, !isAwaited { document.close() }
      return nil
    } catch {
      guard !opening.isClosed else { return nil }
      throw error
    }
  }

  private func opening(of argument: FileArgument, _ entry: OpenWindows.Entry?) -> OpeningWindow {
    if let opening = openings.first(where: { $0.url == argument.url && !$0.isTaken }) {
      opening.frame.present()
      return opening
    }
    let start = OpenWindows.Entry(url: argument.url.absoluteString, line: 1, column: 1, topLine: 1)
    let opening = OpeningWindow(argument.url, entry ?? start, gtk: gtk)
    opening.closed = { [weak self, weak opening] in self?.openings.removeAll { $0 === opening } }
    openings.append(opening)
    return opening
  }

  private func end(_ opening: OpeningWindow) {
    opening.close()
    openings.removeAll { $0 === opening }
    windowsChanged()
  }

  /// The window that waits for `document`, else a new one.
  func frame(for document: Document) -> WindowFrame {
    openings.first { $0.url == document.fileURL && !$0.isTaken }?.take() ?? WindowFrame(gtk)
  }

  /// Shows a conflict copy beside its document, which is opened for that; one of no document for reading.
  func compare(_ copy: ConflictCopy, from window: EditorWindow) {
    guard let path = ConflictCopies.document(of: copy) else { return open(copy, from: window) }
    Task {
      do {
        let document = try await read(FileArgument(path))
        (document as? WindowDocument)?.window?.showBoth(copy)
      } catch {
        window.handle(.notice(error.sentence))
      }
    }
  }

  /// Opens a conflict copy for reading; one that is open already stays as it is.
  func open(_ copy: ConflictCopy, from window: EditorWindow) {
    Task {
      do {
        let isOpen = document(of: URL(filePath: copy.path)) != nil
        let text = try await read(FileArgument(copy.path))
        if !isOpen { text?.isReadOnly = true }
        (text as? WindowDocument)?.window?.handle(
          .notice("This is the conflict copy \(copy.name), for reading"))
      } catch {
        window.handle(.notice(error.sentence))
      }
    }
  }

  /// Puts its window in front, unless that was shown before the document was there; a blank one that it
  /// replaces goes.
  func show(_ document: Document, presenting: Bool = true) {
    if document.windowControllers.isEmpty { document.makeWindowControllers() }
    guard let window = (document as? WindowDocument)?.window else { return }
    for blank in windows where blank !== window && blank.isBlank && windows.count > 1 { blank.destroy() }
    if presenting { write_window_present(window.widget) }
    windowsChanged()
  }

  func document(of url: URL) -> WindowDocument? {
    let documents = DocumentController.shared.documents.compactMap { $0 as? WindowDocument }
    return DocumentController.shared.document(for: url) as? WindowDocument
      ?? documents.first { $0.fileURL == url.absoluteURL.standardizedFileURL }
  }

  func newDocument() { DocumentController.shared.newDocument(nil) }

  func chooseFile() {
    let folder = DocumentController.shared.currentDirectory
    FileDialog.show(for: mainWindow?.widget, isSaving: false, folder: folder) { [weak self] url in
      if let url { self?.open(url) }
    }
  }

  /// Says something that belongs to no window: in the one that the person is in, else in a new one, and where
  /// the program was started.
  func tell(_ sentence: String) {
    FileHandle.standardError.write(Data("continuo-write: \(DisplayText.shown(sentence))\n".utf8))
    if mainWindow == nil { newDocument() }
    mainWindow?.handle(.notice(sentence))
  }
}
