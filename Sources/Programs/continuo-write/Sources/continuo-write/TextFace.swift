// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import GTKContinuo
import TextEditing
import WindowEditing

/// The text of a window: GTK's view and buffer, which mirror the document. What the person does in the view
/// is done to the document first; what becomes of the document otherwise is shown.
@MainActor final class TextFace {
  let document: TextDocument
  let view: Widget?
  let scrolled: Widget
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>
  private let top: UnsafeMutablePointer<GtkTextMark>?
  /// What GTK's buffer shows.
  private var mirrored = TextBuffer()
  /// The buffer is being brought up to the document: its signals tell nothing new.
  private var isShowing = false
  /// The document is being changed by the view, which shows it already.
  private var isTaking = false
  /// Where text was deleted in what is one act of the person, so that what is put in there belongs to it.
  private var deleted: Position?
  /// A large text on its way into GTK's buffer, which no view shows before it is entire there.
  private var laying: (text: TextBuffer, next: Int)?
  /// The place is to be marked as soon as the text is shown.
  private var marksPlace = false
  /// The line that is on its way to the top of the view, and how often that is still tried.
  private var settling: (line: Int, tries: Int)?
  /// Told when the person typed, moved or scrolled.
  var used: @MainActor () -> Void = {}
  /// Told of a sentence that the person should read.
  var told: @MainActor (String) -> Void = { _ in }
  /// Told when something of what a status line shows has changed.
  var moved: @MainActor () -> Void = {}
  /// Told when a text that was laid in is shown.
  var laid: @MainActor () -> Void = {}

  private static let placeTag = "continued-place"

  /// A text of more bytes is laid in by and by, so that the window is there, and answers, meanwhile.
  static let largeSize = 1024 * 1024
  /// So much at once: a few milliseconds.
  private static let partSize = 256 * 1024

  /// Shows `document` in a view that is empty, and belongs to it from now on.
  init(_ document: TextDocument, in view: Widget?, scrolledBy scrolled: Widget) {
    self.document = document
    (self.view, self.scrolled) = (view, scrolled)
    let isLarge = document.editor.buffer.byteCount > Self.largeSize
    buffer = isLarge ? write_buffer_new() : write_view_buffer(view)
    var start = GtkTextIter()
    gtk_text_buffer_get_start_iter(buffer, &start)
    top = gtk_text_buffer_create_mark(buffer, nil, &start, 1)
    write_buffer_add_tag(buffer, Self.placeTag, "rgba(217, 98, 43, 0.3)")
    connect()
    document.textObserver = { [weak self] _ in self?.show() }
    if isLarge {
      beginLaying()
    } else {
      show()
      lookAgain()
    }
  }

  private func connect() {
    Signals.connect(insertingInto: buffer) { [weak self] place, text in self?.insert(text, at: place) }
    Signals.connect(deletingFrom: buffer) { [weak self] start, end in self?.delete(start, end) }
    Signals.connect(marking: buffer) { [weak self] in self?.noteCursor() }
    Signals.connect(buffer, to: "end-user-action") { [weak self] in self?.noteCursor() }
    let adjustment = write_scrolled_adjustment(scrolled)
    if let adjustment {
      Signals.connect(adjustment, to: "value-changed") { [weak self] in self?.noteScroll() }
      Signals.connect(adjustment, toChangeOf: "page-size") { [weak self] in self?.noteSize() }
    }
  }

  // MARK: From the view to the document

  private func insert(_ text: String, at place: UnsafeMutablePointer<GtkTextIter>) {
    guard !isShowing else { return }
    write_stop(buffer, "insert-text")
    let at = position(place.pointee)
    isTaking = true
    defer { isTaking = false }
    guard !document.isReadOnly, let inserted = document.replace(at..<at, with: text, follows: deleted == at)
    else {
      if !document.isReadOnly { told(Self.tooMuch) }
      return
    }
    deleted = nil
    isShowing = true
    let shown = ShownText.of(inserted)
    gtk_text_buffer_insert(buffer, place, shown, Int32(shown.utf8.count))
    isShowing = false
    mirrored = document.editor.buffer
    endSettling()
    used()
  }

  private static let tooMuch =
    "That would be too much: this editor takes 64 MB of text, and its window 512 KB in one line"

  private func delete(_ start: GtkTextIter, _ end: GtkTextIter) {
    guard !isShowing else { return }
    let range = position(start)..<position(end)
    guard !document.isReadOnly else { return write_stop(buffer, "delete-range") }
    isTaking = true
    defer { isTaking = false }
    guard document.replace(range, with: "") != nil else {
      write_stop(buffer, "delete-range")
      return told(Self.tooMuch)
    }
    deleted = range.lowerBound
    // What else the same key does comes before the loop goes on.
    MainQueue.after(milliseconds: 0) { [weak self] in self?.deleted = nil }
    mirrored = document.editor.buffer
    used()
  }

  /// The cursor is where GTK says, which has its own keys for moving it.
  private func noteCursor() {
    guard !isShowing, !isTaking else { return }
    let cursor = document.editor.buffer.clamped(position(of: gtk_text_buffer_get_insert(buffer)))
    let bound = document.editor.buffer.clamped(position(of: gtk_text_buffer_get_selection_bound(buffer)))
    let place = document.editor.cursor
    isTaking = true
    document.go(to: cursor, selection: bound == cursor ? nil : bound)
    isTaking = false
    if place != cursor {
      endSettling()
      used()
    }
    moved()
  }

  private func noteScroll() {
    guard settling == nil, !isLaying else { return }
    isTaking = true
    document.look(from: Int(write_view_top_line(view)))
    isTaking = false
  }

  /// GTK tells of the same size again and again while it learns how high lines are.
  private func noteSize() {
    let height = Int(write_view_height(view))
    guard height > 0, !isLaying, height != document.editor.viewport.height else { return }
    isTaking = true
    let first = document.editor.viewport.topLine
    document.resize(width: 10_000, height: height)
    document.look(from: first)
    isTaking = false
  }

  // MARK: Laying in a large text

  /// How much of the text is in GTK's buffer, from 0 to 1; nil when it is shown. Till then the view is empty,
  /// and what becomes of the document waits.
  var share: Double? { laying.map { Double($0.next) / Double($0.text.lineCount) } }

  private var isLaying: Bool { laying != nil }

  private func beginLaying() {
    laying = (document.editor.buffer, 0)
    layWhenIdle()
  }

  private func layWhenIdle() { MainQueue.whenIdle { [weak self] in self?.layPart() } }

  private func layPart() {
    guard let laying else { return }
    let (part, next) = ShownText.part(of: laying.text, from: laying.next, bytes: Self.partSize)
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(buffer, &end)
    isShowing = true
    gtk_text_buffer_insert(buffer, &end, part, Int32(part.utf8.count))
    isShowing = false
    if let next {
      self.laying?.next = next
      moved()
      return layWhenIdle()
    }
    mirrored = laying.text
    endLaying()
  }

  /// The document may be another one by now than the one that was laid in.
  private func endLaying() {
    laying = nil
    var start = GtkTextIter()
    gtk_text_buffer_get_start_iter(buffer, &start)
    isShowing = true
    gtk_text_buffer_place_cursor(buffer, &start)
    write_view_set_buffer(view, buffer)
    isShowing = false
    g_object_unref(buffer)
    show()
    noteSize()
    lookAgain()
    if marksPlace { markPlace() }
    laid()
  }

  /// The view goes.
  func end() {
    guard isLaying else { return }
    laying = nil
    g_object_unref(buffer)
  }

  // MARK: From the document to the view

  /// Shows what became of the document: its text by the smallest change, and the cursor.
  private func show() {
    guard !isTaking, !isShowing else { return }
    guard !isLaying else { return moved() }
    isShowing = true
    defer { isShowing = false }
    let editor = document.editor
    let change = ShownText.change(from: mirrored, to: editor.buffer)
    if let change { replace(change.range, with: change.text) }
    mirrored = editor.buffer
    let cursor = place(editor.cursor)
    let bound = place(editor.selection.map { $0.lowerBound == editor.cursor ? $0.upperBound : $0.lowerBound })
    var (at, other) = (iter(cursor), iter(bound ?? cursor))
    let hasMoved =
      self.place(of: gtk_text_buffer_get_insert(buffer)) != cursor
      || self.place(of: gtk_text_buffer_get_selection_bound(buffer)) != bound ?? cursor
    if hasMoved || change != nil { gtk_text_buffer_select_range(buffer, &at, &other) }
    if hasMoved, let mark = gtk_text_buffer_get_insert(buffer) { write_view_scroll_to(view, mark, 0) }
    moved()
  }

  private func replace(_ range: Range<Position>, with text: String) {
    var start = iter(ShownText.place(range.lowerBound, in: mirrored))
    var end = iter(ShownText.place(range.upperBound, in: mirrored))
    gtk_text_buffer_delete(buffer, &start, &end)
    gtk_text_buffer_insert(buffer, &start, text, Int32(text.utf8.count))
  }

  /// Shows the text from the line on that the document has as its first.
  func lookAgain() {
    guard let top, !isLaying else { return }
    let line = document.editor.viewport.topLine
    var start = iter(ShownText.Place(line: line, scalar: 0))
    gtk_text_buffer_move_mark(buffer, top, &start)
    let isUnderWay = settling != nil
    settling = (line, tries: 50)
    write_view_scroll_to(view, top, 1)
    if !isUnderWay { settle() }
  }

  /// GTK learns how high lines are while it shows them, so that the first try may end elsewhere. The person's
  /// own keys end it, and so do enough tries: a text may have no more lines to scroll.
  private func settle() {
    MainQueue.after(milliseconds: 20) { [weak self] in
      guard let self, let settling, let top else { return }
      let isThere = Int(write_view_top_line(view)) == settling.line && settling.tries < 45
      guard !isThere, settling.tries > 0 else { return endSettling() }
      self.settling?.tries -= 1
      write_view_scroll_to(view, top, 1)
      settle()
    }
  }

  private func endSettling() {
    guard settling != nil else { return }
    settling = nil
    noteSize()
    noteScroll()
  }

  /// Marks the cursor's line for a moment: here the person went on.
  func markPlace() {
    marksPlace = isLaying
    guard !isLaying else { return }
    var start = iter(ShownText.Place(line: document.editor.cursor.line, scalar: 0))
    var end = start
    gtk_text_iter_forward_line(&end)
    gtk_text_buffer_apply_tag_by_name(buffer, Self.placeTag, &start, &end)
    MainQueue.after(milliseconds: 2000) { [weak self] in self?.unmarkPlace() }
  }

  private func unmarkPlace() {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    gtk_text_buffer_remove_tag_by_name(buffer, Self.placeTag, &start, &end)
  }

  // MARK: Places

  private func position(_ iter: GtkTextIter) -> Position { ShownText.position(place(iter), in: mirrored) }

  private func position(of mark: UnsafeMutablePointer<GtkTextMark>?) -> Position {
    ShownText.position(place(of: mark), in: mirrored)
  }

  private func place(_ iter: GtkTextIter) -> ShownText.Place {
    var iter = iter
    return ShownText.Place(
      line: Int(gtk_text_iter_get_line(&iter)), scalar: Int(gtk_text_iter_get_line_offset(&iter)))
  }

  private func place(of mark: UnsafeMutablePointer<GtkTextMark>?) -> ShownText.Place {
    var iter = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &iter, mark)
    return place(iter)
  }

  private func place(_ position: Position) -> ShownText.Place {
    ShownText.place(position, in: document.editor.buffer)
  }

  private func place(_ position: Position?) -> ShownText.Place? { position.map { place($0) } }

  private func iter(_ place: ShownText.Place) -> GtkTextIter {
    var iter = GtkTextIter()
    write_buffer_place(buffer, &iter, Int32(clamping: place.line), Int32(clamping: place.scalar))
    return iter
  }
}
