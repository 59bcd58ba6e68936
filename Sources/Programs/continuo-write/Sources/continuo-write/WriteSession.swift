// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo
import TextEditing
import WindowEditing

/// The running program: its windows, and what is done for all of them.
@MainActor final class WriteSession {
  /// The process's session.
  static private(set) var current: WriteSession?

  let application: Application
  let gtk: UnsafeMutablePointer<GtkApplication>
  /// In the order in which they were opened.
  var windows: [EditorWindow] = []
  /// Those of large files that are being read.
  var openings: [OpeningWindow] = []
  /// The agent has told which folders are synced.
  var knowsFolders = false
  var isConnectionKnown = false
  /// Offers that the person has hidden.
  var hidden: Set<HiddenOffer> = []
  /// The device of the continuation that was accepted last.
  var acceptedFrom: String?
  /// What is awaited.
  var awaited = AwaitedDocuments()
  /// What came before the windows of the last start were open again.
  private var waiting: [@MainActor () -> Void]? = []
  private var shelf = WindowShelf()

  /// An offer as it was when it was hidden.
  struct HiddenOffer: Hashable {
    var id: OfferID
    var version: DocumentVersion?
  }

  init(_ application: Application, gtk: UnsafeMutablePointer<GtkApplication>) {
    self.application = application
    self.gtk = gtk
    Self.current = self
    application.delegate = self
    application.presenter = self
  }

  // MARK: Starting

  /// The program is the first of its name here, and has a display.
  func start() {
    DesktopStyle.follow()
    on("new") { [weak self] _ in self?.newDocument() }
    on("open") { [weak self] _ in self?.chooseFile() }
    on("quit") { [weak self] _ in self?.quit() }
    on("open-recent", takesText: true) { [weak self] in self?.open(address: $0) }
    for (action, key, other) in Self.keys { write_set_keys(gtk, action, key, other) }
    application.connect()
    if let texts = EditorWindow.comparedTexts {
      DispatchQueue.global(qos: .utility).async { DocumentComparison.forgetOld(below: texts) }
    }
    // Without a window GTK would end the program meanwhile.
    write_application_hold(gtk)
    Task {
      await restore()
      let waiting = waiting ?? []
      self.waiting = nil
      for body in waiting { body() }
      write_application_release(gtk)
    }
  }

  private static let keys: [(action: String, key: String, other: String?)] = [
    ("app.new", "<Control>n", nil), ("app.open", "<Control>o", nil), ("app.quit", "<Control>q", nil),
    ("win.save", "<Control>s", nil), ("win.save-as", "<Control><Shift>s", nil),
    ("win.close", "<Control>w", nil),
    ("win.undo", "<Control>z", nil), ("win.redo", "<Control><Shift>z", "<Control>y"),
    ("win.accept", "<Control>r", nil), ("win.accept-all", "F2", nil), ("win.recently", "F4", nil),
    ("win.decide", "<Control>d", nil), ("win.dismiss", "Escape", nil),
    ("win.bar", "F6", nil), ("win.take", "<Control>t", nil), ("win.take-all", "<Control><Shift>t", nil),
    ("win.next-difference", "F8", "<Alt>Down"), ("win.previous-difference", "<Shift>F8", "<Alt>Up"),
  ]

  private func on(
    _ name: String, takesText: Bool = false, _ body: @escaping @MainActor (String) -> Void
  ) {
    guard let action = write_action_new(gtk, name, takesText ? 1 : 0) else { return }
    Signals.connect(action: action, body: body)
  }

  /// Does it now, or as soon as the windows of the last start are open again.
  func whenRestored(_ body: @escaping @MainActor () -> Void) {
    if waiting == nil { body() } else { waiting?.append(body) }
  }

  /// Unsaved texts first: a file that had a window may be among them.
  private func restore() async {
    let texts = await DocumentController.shared.restoreAutosavedDocuments().compactMap {
      $0 as? WindowDocument
    }
    for entry in shelf.read().entries {
      guard let url = URL(string: entry.url), document(of: url) == nil else { continue }
      // A file that is gone, or cannot be read any more, is not what the person started the program for.
      guard let argument = try? FileArgument(url.path(percentEncoded: false)), !argument.isNew,
        let opened = try? await read(argument, entry: entry)
      else { continue }
      let place = opened.editor.buffer.position(PortablePosition(line: entry.line, column: entry.column))
      opened.go(to: place, selection: nil)
      opened.look(from: entry.topLine - 1)
      (opened as? WindowDocument)?.window?.face.lookAgain()
    }
    guard !texts.isEmpty else { return }
    let names = texts.map(\.textName).joined(separator: ", ")
    texts.last?.window?.handle(.notice("Unsaved text of an earlier session is open again: \(names)"))
  }

  // MARK: Windows

  /// The window that the person is in, or was in last.
  var mainWindow: EditorWindow? { application.mainWindow as? EditorWindow ?? windows.last }

  func windowBecameMain() {
    showOffers()
    for window in windows { window.showRecent(DocumentController.shared.recentDocumentURLs) }
  }

  /// One was opened or closed, or a place in one has moved.
  func windowsChanged() { shelf.note { [weak self] in self?.entries ?? [] } }

  /// The windows that have files, for the next start.
  private var entries: [OpenWindows.Entry] { windows.compactMap(\.entry) + openings.map(\.entry) }

  /// What may have changed since the main queue was run.
  func noteQueue() {
    noteConnection()
    for window in windows { window.handle(.documentsChanged) }
    windowsChanged()
  }

  // MARK: Ending

  /// The person quits: each window with unsaved text asks; one that stays keeps the program.
  private func quit() {
    Task {
      for window in windows {
        guard await window.mayClose() else { return }
      }
      for window in windows { window.destroy() }
      for opening in openings { opening.close() }
      write_application_quit(gtk)
    }
  }

  /// The program has to go: nobody is asked, and the next start opens the same windows.
  func end() {
    Task {
      for document in windows.map(\.document) {
        guard let sentence = await document.rescue() else { continue }
        FileHandle.standardError.write(Data("continuo-write: \(DisplayText.shown(sentence))\n".utf8))
      }
      shelf.write(entries)
      write_application_quit(gtk)
    }
  }

  /// GTK's loop has ended.
  func finish() {
    shelf.write(entries)
    application.terminate()
  }
}
