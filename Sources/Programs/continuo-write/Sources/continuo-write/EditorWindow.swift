// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo
import TextEditing

/// A window with one document: carries out what its `EditorMachine` decides, and shows what there is to show.
@MainActor final class EditorWindow: Window {
  let document: WindowDocument
  let session: WriteSession
  let widget: Widget
  let face: TextFace
  let bar = BarView()
  let page = write_box_new(1, 0)
  private let said = write_label_new()
  private let status = write_label_new()
  private let recent = g_menu_new()
  private var machine = EditorMachine()
  private var focus: GTKFocus?
  private var actions: [String: OpaquePointer] = [:]
  private var shownTitle = ""
  private var shownName = ""
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

  init(_ document: WindowDocument, in session: WriteSession) {
    self.document = document
    self.session = session
    widget = write_window_new(session.gtk, 760, 560)
    face = TextFace(document)
    super.init()
    session.windows.append(self)
    build()
    connect()
    session.noteFolder(of: document)
    handle(.shown)
    handle(.connection(session.application.isConnected))
    session.showOffers()
    tellForeignBytes()
    DesktopStyle.dress(self)
    write_window_present(widget)
    gtk_widget_grab_focus(face.view)
  }

  private func build() {
    let foot = write_box_new(1, 2)
    write_set_margins(foot, 10, 4)

    write_label_set_one_line(status)
    for label in [said, status] {
      gtk_widget_add_css_class(label, "caption")
      write_box_append(foot, label)
    }
    for part in [bar.widget, face.scrolled, foot] { write_box_append(page, part) }
    write_window_set_child(widget, page)
    let head = write_header_bar_new()
    for (label, action) in [("_Open", "app.open"), ("_New", "app.new")] {
      write_header_bar_pack(head, button(label, action), 0)
    }
    let menu = write_menu_button_new("_Menu", WindowMenu.make(recent: recent))
    if let menu { write_set_accessible_name(menu, "Menu") }
    write_header_bar_pack(head, menu, 1)
    write_header_bar_pack(head, button("_Save", "win.save"), 1)
    write_window_set_titlebar(widget, head)
  }

  private func button(_ label: String, _ action: String) -> Widget? {
    let button = write_button_new(label)
    if let button { write_button_set_action(button, action) }
    return button
  }

  private func connect() {
    let focus = GTKFocus(widget, for: self) { [weak session] in session?.windowBecameMain() }
    self.focus = focus
    Signals.connect(closing: widget) { [weak self] in
      self?.close()
      return true
    }
    face.used = { [weak self] in self?.handle(.used) }
    face.told = { [weak self] in self?.handle(.notice($0)) }
    face.moved = { [weak self] in
      self?.refresh()
      self?.noteComparedText()
    }
    bar.answered = { [weak self] in self?.answer($0) }
    document.fileObserver = { [weak self] _, news in self?.noteFileChange(news) }
    on("save") { [weak self] in self?.save() }
    on("save-as") { [weak self] in self?.saveAs() }
    on("close") { [weak self] in self?.close() }
    on("undo") { [weak self] in self?.undo() }
    on("redo") { [weak self] in self?.document.undoManager?.redo() }
    on("decide") { [weak self] in self?.handle(.key(.control("d"))) }
    on("accept") { [weak self] in self?.handle(.key(.control("r"))) }
    on("dismiss") { [weak self] in self?.dismiss() }
    on("bar") { [weak self] in self?.bar.takeFocus() }
    for (name, choice) in ComparisonView.choices { on(name) { [weak self] in self?.compare(choice) } }
  }

  private func undo() {
    if comparing != nil { compare(.undo) } else { document.undoManager?.undo() }
  }

  private func on(_ name: String, _ body: @escaping @MainActor () -> Void) {
    guard let action = write_action_new(widget, name, 0) else { return }
    Signals.connect(action: action) { _ in body() }
    actions[name] = action
  }

  // MARK: Deciding and showing

  private var facts: DocumentFacts { DocumentFacts(of: document) }

  /// Lets the machine decide, and does it.
  func handle(_ event: EditorEvent) {
    for action in machine.handle(event, document: facts) { perform(action) }
    refresh()
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
    case .accept(let id): session.accept(id, in: self)
    case .cancel: session.cancel(request)
    case .choose(let choice): session.choose(choice, for: request)
    // The view edits by itself; closing, opening and searching come as actions of the window.
    case .edit, .copy, .paste, .find, .replace, .replaceAll, .saveAs, .open, .show, .close, .quit: break
    }
  }

  /// An offer, a wait or a question; else what must not be overlooked.
  private var shownBar: MessageBar? {
    if let bar = machine.bar(facts) ?? asked { return bar }
    guard machine.isUrgent, !machine.said.isEmpty else { return nil }
    return MessageBar(text: machine.said, answers: [.later])
  }

  /// Brings all but the text up to what is.
  func refresh() {
    guard !isClosed else { return }
    let facts = facts
    let shown = shownBar
    let hadFocus = bar.hasFocus(in: widget)
    bar.show(shown)
    if hadFocus, !bar.hasFocus(in: widget) { takeFocus() }
    let sentence = machine.isUrgent ? "" : machine.said
    write_label_set_text(said, sentence)
    gtk_widget_set_visible(said, sentence.isEmpty ? 0 : 1)
    showStatus()
    let title = "\(facts.isEdited ? "*" : "")\(DisplayText.shown(facts.name))"
    if title != shownTitle { write_window_set_title(widget, title) }
    if facts.name != shownName { write_view_set_language(face.view, facts.name) }
    (shownTitle, shownName) = (title, facts.name)
    write_view_set_editable(face.view, facts.isReadOnly ? 0 : 1)
    enable("save", !facts.isReadOnly)
    enable("undo", comparing != nil || document.undoManager?.canUndo ?? false)
    enable("redo", comparing == nil && document.undoManager?.canRedo ?? false)
    for name in ComparisonView.choices.keys { enable(name, comparing != nil) }
    enable("accept", shown?.answers.contains { $0 == .accept || $0 == .choose } ?? false)
    enable("dismiss", shown != nil || comparing != nil)
    enable("bar", shown?.answers.isEmpty == false)
  }

  private func enable(_ name: String, _ isEnabled: Bool) {
    if let action = actions[name] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
  }

  private func showStatus() {
    write_label_set_text(status, machine.statusLine(document.editor, document: facts))
  }

  /// Files that were used last, for the menu.
  func showRecent(_ urls: [URL]) { WindowMenu.fill(recent, with: urls) }

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
    document.textObserver = nil
    document.fileObserver = nil
    session.windows.removeAll { $0 === self }
    write_window_destroy(widget)
    document.close()
    session.windowsChanged()
  }
}
