// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo
import TextEditing
import WindowEditing

/// A window with one document: carries out what its `EditorMachine` decides, and shows what there is to show.
@MainActor final class EditorWindow: Window {
  let document: WindowDocument
  let session: WriteSession
  let frame: WindowFrame
  let face: TextFace
  private var machine = EditorMachine()
  private var focus: GTKFocus?
  private var actions: [String: OpaquePointer] = [:]
  private var shownTitle = ""
  private var shownName = ""
  private var isRefreshDue = false
  /// The saves that run, and those that wait for their end.
  var saving: Task<Void, Never>?
  /// The person is being asked whether it may close.
  var isClosing = false
  /// The two texts that are shown in the place of one.
  var comparing: ComparisonView?
  /// What is asked when they no longer are.
  var asked: MessageBar?
  /// The comparison that this is about.
  var compared: DocumentComparison?
  /// The continuation that was accepted in this window.
  var request: RequestID?
  /// What is done as soon as the text is shown.
  var waitingForText: [@MainActor () -> Void] = []

  /// The window of `document`, in a frame that is shown already, or is shown now.
  init(_ document: WindowDocument, in frame: WindowFrame, of session: WriteSession) {
    self.document = document
    (self.session, self.frame) = (session, frame)
    face = TextFace(document, in: frame.view, scrolledBy: frame.scrolled)
    super.init()
    session.windows.append(self)
    connect()
    session.noteFolder(of: document)
    handle(.shown)
    handle(.connection(session.application.isConnected))
    session.showOffers()
    tellForeignBytes()
    if gtk_widget_get_visible(widget) == 0 { frame.present() }
  }

  var widget: Widget { frame.widget }
  var page: Widget? { frame.page }
  private var bar: BarView { frame.bar }
  /// All that show a text.
  var views: [Widget?] { [face.view, comparing?.result, comparing?.other] }

  private func connect() {
    let focus = GTKFocus(widget, for: self) { [weak session] in session?.windowBecameMain() }
    self.focus = focus
    frame.closing = { [weak self] in self?.close() }
    face.used = { [weak self] in
      self?.decide(.used)
      self?.refreshSoon()
      self?.session.windowsChanged()
    }
    face.told = { [weak self] in self?.handle(.notice($0)) }
    face.moved = { [weak self] in
      self?.refreshSoon()
      self?.noteComparedText()
    }
    face.laid = { [weak self] in self?.noteLaid() }
    bar.answered = { [weak self] in self?.answer($0) }
    document.fileObserver = { [weak self] _, news in self?.noteFileChange(news) }
    on("save") { [weak self] in self?.save() }
    on("save-as") { [weak self] in self?.saveAs() }
    on("close") { [weak self] in self?.close() }
    on("undo") { [weak self] in self?.undo() }
    on("redo") { [weak self] in self?.document.undoManager?.redo() }
    on("decide") { [weak self] in self?.handle(.key(.control("d"))) }
    on("accept") { [weak self] in self?.handle(.key(.control("r"))) }
    on("accept-all") { [weak self] in self?.handle(.key(.function(2))) }
    on("recently") { [weak self] in self?.perform(.findKept(words: "")) }
    on("dismiss") { [weak self] in self?.dismiss() }
    on("bar") { [weak self] in self?.bar.takeFocus() }
    for (name, choice) in ComparisonView.choices { on(name) { [weak self] in self?.compare(choice) } }
  }

  override func makeKeyAndOrderFront(_ sender: Any?) {
    write_window_present(widget)
    super.makeKeyAndOrderFront(sender)
  }

  private func undo() {
    if comparing != nil { compare(.undo) } else { document.undoManager?.undo() }
  }

  private func on(_ name: String, _ body: @escaping @MainActor () -> Void) {
    actions[name] = frame.on(name, body)
  }

  // MARK: Deciding and showing

  private var facts: DocumentFacts { DocumentFacts(of: document) }

  /// Lets the machine decide, and does it.
  func handle(_ event: EditorEvent) {
    decide(event)
    refresh()
  }

  private func decide(_ event: EditorEvent) {
    for action in machine.handle(event, document: facts) { perform(action) }
  }

  private func answer(_ answer: MessageBar.Answer) {
    if answer == .hide { session.hideOffers(shownIn: self) }
    if asked != nil {
      asked = nil
      if answer == .removeCopy { removeCopy() }
    }
    handle(.key(answer.key))
    if answer == .showBoth { showBoth() }
    takeFocus()
  }

  /// The keys go to the text.
  func takeFocus() { gtk_widget_grab_focus(comparing?.result ?? face.view) }

  private func dismiss() {
    guard let shown = shownBar else { return endComparing() }
    let quiet = shown.answers.first(where: \.isQuiet)
    if let quiet { answer(quiet) } else { handle(.key(.control("r"))) }
  }

  private func perform(_ action: EditorAction) {
    switch action {
    case .save(let overwriting): save { try await $0.save(overwritingChanges: overwriting) }
    case .keepMine: keepMine()
    case .loadTheirs: loadTheirs()
    case .openCopy(let copy): show(copy)
    case .findKept(let words): Task { handle(await .finding(words)) }
    case .openKept(let kept): Task { handle(await .opening(kept)) }
    case .accept(let id, let isAll): session.accept(id, withAll: isAll, in: self)
    case .cancel: session.cancel(request)
    case .choose(let choice): session.choose(choice, for: request)
    // The view edits by itself; closing, opening and searching come as actions of the window.
    case .edit, .copy, .paste, .find, .replace, .replaceAll, .saveAs, .open, .show, .close, .quit: break
    }
  }

  /// An offer, a wait or a question; else what must not be overlooked.
  private var shownBar: MessageBar? {
    if let share = face.share {
      return OpeningWindow.bar(DisplayText.shown(document.textName), share: (share * 100).rounded() / 100)
    }
    if let bar = machine.bar(facts) ?? asked { return bar }
    guard machine.isUrgent, !machine.said.isEmpty else { return nil }
    return MessageBar(text: machine.said, answers: [.later])
  }

  /// The same once for all that one key does, and before it is drawn.
  private func refreshSoon() {
    guard !isRefreshDue else { return }
    isRefreshDue = true
    MainQueue.after(milliseconds: 0) { [weak self] in if self?.isRefreshDue == true { self?.refresh() } }
  }

  /// Brings all but the text up to what is.
  func refresh() {
    isRefreshDue = false
    guard !isClosed else { return }
    let facts = facts
    let shown = shownBar
    let hadFocus = bar.hasFocus(in: widget)
    bar.show(shown)
    if hadFocus, !bar.hasFocus(in: widget) { takeFocus() }
    let sentence = machine.isUrgent ? "" : machine.said
    write_label_set_text(frame.said, sentence)
    gtk_widget_set_visible(frame.said, sentence.isEmpty ? 0 : 1)
    showStatus()
    let title = "\(facts.isEdited ? "*" : "")\(DisplayText.shown(facts.name))"
    if title != shownTitle { write_window_set_title(widget, title) }
    if facts.name != shownName { write_view_set_language(face.view, facts.name) }
    (shownTitle, shownName) = (title, facts.name)
    let isShown = face.share == nil
    write_view_set_editable(face.view, isShown && !facts.isReadOnly ? 1 : 0)
    enable("save", isShown && !facts.isReadOnly)
    for name in ["save-as", "decide"] { enable(name, isShown) }
    enable("undo", isShown && (comparing != nil || document.undoManager?.canUndo ?? false))
    enable("redo", isShown && comparing == nil && document.undoManager?.canRedo ?? false)
    for name in ComparisonView.choices.keys { enable(name, comparing != nil) }
    enable("accept", shown?.answers.contains { $0 == .accept || $0 == .choose } ?? false)
    enable("accept-all", shown?.answers.contains { if case .acceptAll = $0 { true } else { false } } ?? false)
    enable("dismiss", isShown && (shown != nil || comparing != nil))
    enable("bar", shown?.answers.isEmpty == false)
  }

  private func enable(_ name: String, _ isEnabled: Bool) {
    if let action = actions[name] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
  }

  private func showStatus() {
    write_line_set_text(frame.status, machine.statusLine(document.editor, document: facts))
  }

  /// Files that were used last, for the menu.
  func showRecent(_ urls: [URL]) { WindowMenu.fill(frame.recent, with: urls) }

  /// What the list of open windows says of it; nil without a file.
  var entry: OpenWindows.Entry? {
    document.fileURL.map { url in
      OpenWindows.Entry(
        url: url.absoluteString, line: document.editor.portableCursor.line,
        column: document.editor.portableCursor.column, topLine: document.editor.viewport.topLine + 1)
    }
  }

  /// The person has done nothing here, and there is nothing to lose.
  var isBlank: Bool {
    document.fileURL == nil && document.editor.buffer.isEmpty && !document.isDocumentEdited && request == nil
  }

  // MARK: News

  private func noteFileChange(_ news: FileNews) {
    if case .conflict(let told) = news { document.noteCopies(told) }
    if case .deleted = news { comparing?.comparison.noteFileIsGone() }
    if case .moved = news { session.noteFolder(of: document) }
    handle(.fileChanged(news))
  }

  /// The view has another buffer, with the whole text.
  private func noteLaid() {
    DesktopStyle.dress(face.view)
    shownName = ""
    refresh()
    let waiting = waitingForText
    waitingForText = []
    for body in waiting { body() }
  }

  private func tellForeignBytes() {
    let count = document.foreignByteCount
    guard count > 0 else { return }
    let bytes = count == 1 ? "1 byte is" : "\(count) bytes are"
    handle(.notice("\(document.textName) is not UTF-8: \(bytes) shown as \u{FFFD} and saved as before"))
  }

  // MARK: Going

  private(set) var isClosed = false

  /// Takes the window away; the document is closed.
  func destroy() {
    guard !isClosed else { return }
    isClosed = true
    face.end()
    document.textObserver = nil
    document.fileObserver = nil
    session.windows.removeAll { $0 === self }
    write_window_destroy(widget)
    document.close()
    session.windowsChanged()
  }
}
