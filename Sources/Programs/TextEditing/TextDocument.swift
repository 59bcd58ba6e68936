// SPDX-License-Identifier: MIT

public import Continuo
public import Foundation
public import TextAnchors

/// A text file as a document that is handed over with its cursor and its first visible line.
@MainActor open class TextDocument: Document {
  /// The widths that the screen uses; set once, before documents are made.
  public static var widths = CellWidths.unicode

  /// The longest line, in bytes, that a class with a slow view reads and makes; nil for any.
  open class var lineLimit: Int? { nil }

  /// The text with its cursor; changed through `perform(_:)`, `resize` and the framework.
  public private(set) var editor = TextEditor(widths: TextDocument.widths)
  /// Told after the framework took note of a change of the file.
  public var fileObserver: (@MainActor (TextDocument, FileNews) -> Void)?
  /// Told after text, cursor or first line may have changed, by whomever.
  public var textObserver: (@MainActor (TextDocument) -> Void)?
  /// Where the person was on the other device, when restoring left the cursor alone because it was in use
  /// here.
  public private(set) var keptFrom: PortablePosition?

  /// How well the place that another device named was found in this text; nil before, or without an anchor.
  public private(set) var certainty: AnchorResolution.Certainty?
  /// The place was looked for and not found; the cursor went to the nearest line instead.
  public var isPlaceGone: Bool { certainty == .unsure }
  /// Somebody else changed the file while there were unsaved changes here.
  public private(set) var isFileNewer = false
  /// Whether its file lies in a synced folder; nil while that is not known, and without a place.
  public var isInSyncedFolder: Bool?
  /// The folder of its file, as a person reads it; empty without a place.
  public var shownFolder = ""
  /// What the file was called when it was last asked, and by which URL.
  var lastNamed: (url: URL?, name: String)?
  /// Conflict copies that were told of; those that are gone again are left out by whoever shows them.
  public var conflictCopies: [ConflictCopy] = []

  /// How many bytes of the file are no UTF-8: each is shown as U+FFFD, and saved as it was.
  public private(set) var foreignByteCount = 0
  /// The text as its file has it, or would have it.
  public var bytes: [UInt8] { Array(contents) }

  /// The text is, or was, that of a file: other text of it is followed, not begun with.
  private var hasFileText = false
  /// The revision that the file holds.
  private var savedRevision = 0
  /// The revision that `data(ofType:)` gave last.
  private var givenRevision = 0
  /// The person moved or typed since the document was opened, or since `continuationBegins()`.
  private var isUsed = false { didSet { if isUsed { noteUse() } } }

  /// An untitled text.
  public override init() { super.init() }

  // MARK: Editing

  /// Takes back and makes again what was typed; always there, and the same as the keys do.
  public override var undoManager: (any UndoManaging)? {
    get { textUndo }
    set {}
  }
  private lazy var textUndo = TextUndo(self)

  /// Carries `command` out and lets the framework know what became of the document.
  public func perform(_ command: EditCommand) {
    isUsed = true
    change { $0.apply(command) }
  }

  /// Looks for a text; what is found is selected.
  public func find(_ search: TextSearch, next: Bool) -> TextEditor.SearchOutcome {
    isUsed = true
    var outcome = TextEditor.SearchOutcome.notFound
    change { outcome = $0.find(search, next: next) }
    return outcome
  }

  /// Replaces what is selected, if it is an occurrence, and looks for the next one.
  public func replace(_ search: TextSearch, with text: String) -> TextEditor.SearchOutcome {
    isUsed = true
    var outcome = TextEditor.SearchOutcome.notFound
    change { outcome = $0.replace(search, with: text) }
    return outcome
  }

  /// Replaces every occurrence and returns how many there were.
  public func replaceAll(_ search: TextSearch, with text: String) -> Int {
    isUsed = true
    var count = 0
    change { count = $0.replaceAll(search, with: text) }
    return count
  }

  /// Puts `text` in the place of `range`, for a face with keys of its own; `follows` makes one step for undo
  /// of this and the deletion just before. Returns what was put in, its line breaks made like those around
  /// it; nil when the text, or a line for `lineLimit`, would become too large: then nothing changes.
  public func replace(_ range: Range<Position>, with text: String, follows: Bool = false) -> String? {
    let limit = type(of: self).lineLimit
    if let limit, editor.buffer.longestLine(replacing: range, with: text) > limit { return nil }
    isUsed = true
    var inserted: String?
    change { inserted = $0.replace(range, with: text, follows: follows) }
    return inserted
  }

  /// Carries out replacements in their order, byte for byte, each as one step for undo.
  func take(_ edits: [(range: Range<Position>, text: String)]) {
    guard !edits.isEmpty else { return }
    isUsed = true
    change { $0.take(edits) }
  }

  /// The person went to a place by such keys; what lies between it and `selection` is selected. Where they
  /// are already, nothing happens.
  public func go(to place: Position, selection: Position?) {
    guard editor.isElsewhere(place, selection: selection) else { return }
    isUsed = true
    change { $0.go(to: place, selection: selection) }
  }

  /// A face that scrolls by itself shows the text from line `topLine` on, counted from 0.
  public func look(from topLine: Int) { change { $0.look(from: topLine) } }

  /// The screen that shows the text has another size.
  public func resize(width: Int, height: Int) { change { $0.resize(width: width, height: height) } }

  /// The person asks for another device's place: until they use the text again, the cursor may be moved.
  public func continuationBegins() {
    isUsed = false
    keptFrom = nil
  }

  private func change(_ body: (inout TextEditor) -> Void) {
    let (revision, place) = (editor.revision, editor.portablePlace)
    body(&editor)
    cursorDidMove(toLine: editor.cursor.line)
    if editor.revision != revision {
      updateChangeCount(editor.revision == savedRevision ? .changeCleared : .changeDone)
    } else if editor.portablePlace != place {
      userActivity?.needsSave = true
    }
    textObserver?(self)
  }

  // MARK: Reading and writing

  public override func read(from data: Data, ofType typeName: String) throws {
    let name = fileURL == nil ? "this file" : displayName ?? "this file"
    let (buffer, foreign) = try Self.buffer(data, name: name)
    try checkLines(of: buffer, name: name)
    // A scalar that stands for a byte is something else in a text without such.
    let isSameKind = (foreign > 0) == (foreignByteCount > 0)
    foreignByteCount = foreign
    if hasFileText || editor.history.canUndo {
      editor.reload(buffer, keepingHistory: isSameKind)
    } else {
      var fresh = TextEditor(buffer, widths: Self.widths)
      fresh.resize(width: editor.viewport.width, height: editor.viewport.height)
      editor = fresh
    }
    hasFileText = true
    isFileNewer = false
    savedRevision = editor.revision
    cursorDidMove(toLine: editor.cursor.line)
    textObserver?(self)
  }

  /// Throws a sentence for a line above `lineLimit`.
  func checkLines(of buffer: TextBuffer, name: String) throws(ContinuityError) {
    guard let limit = type(of: self).lineLimit, buffer.longestLine > limit else { return }
    throw ContinuityError(
      .documentUnreadable, subject: name,
      description: "\(name) has a line of more than \(limit / 1024) KB, which is shown here only after long "
        + "waiting: open it with continuo-edit, in a terminal.")
  }

  /// A text that is not UTF-8 is read byte by byte where it is not; a binary file is refused.
  private static func buffer(
    _ data: Data, name: String
  ) throws(ContinuityError) -> (TextBuffer, foreign: Int) {
    do {
      return (try TextBuffer(bytes: data, name: name), 0)
    } catch {
      guard data.count <= TextBuffer.sizeLimit, !data.contains(0) else { throw error }
      let (text, count) = ForeignBytes.hidden(in: data)
      return (try TextBuffer(bytes: text, name: name), count)
    }
  }

  private var contents: Data {
    foreignByteCount > 0 ? ForeignBytes.shown(in: editor.buffer.data) : editor.buffer.data
  }

  /// The next change begins a step of its own, so that undo leads back to what is saved.
  public override func data(ofType typeName: String) throws -> Data {
    givenRevision = editor.revision
    editor.noteSaved()
    return contents
  }

  public override func didSave() {
    hasFileText = true
    savedRevision = givenRevision
    isFileNewer = false
    if editor.revision == savedRevision { updateChangeCount(.changeCleared) }
  }

  public override func fileDidChange(_ change: DocumentChange) {
    let wasEdited = isDocumentEdited
    let revision = editor.revision
    super.fileDidChange(change)
    let news: FileNews? =
      switch change {
      case .changed: editor.revision != revision ? .reloaded : wasEdited ? .kept : nil
      case .moved(let path): .moved(to: Self.name(path))
      case .deleted: .deleted
      case .conflict(let copies):
        .conflict(copies: copies.map { ConflictCopy(path: String(decoding: $0, as: UTF8.self)) })
      }
    if case .conflict(let copies)? = news { conflictCopies = copies }
    if news == .kept { isFileNewer = true }
    if let news { fileObserver?(self, news) }
  }

  private static func name(_ path: [UInt8]) -> String {
    DisplayText.shown(path.split(separator: UInt8(ascii: "/")).last ?? [])
  }

  // MARK: Handing over

  public override func updateUserActivityState(_ activity: UserActivity) {
    super.updateUserActivityState(activity)
    let cursor = editor.portableCursor.lineColumn
    let state = TextEditingState(
      cursor: cursor, selection: editor.portableSelection?.lineColumn, topLine: editor.viewport.topLine + 1,
      anchor: TextAnchor(at: cursor, in: editor.buffer))
    activity.addUserInfoEntries(from: UserInfoBridge.native(state.userInfo))
  }

  /// Notes where the other device was; the cursor stays.
  public override func keepUserActivityState(insteadOf activity: UserActivity) {
    restoreUserActivityState(activity)
  }

  /// Goes to the place that the activity names, unless the person has used the text meanwhile.
  public override func restoreUserActivityState(_ activity: UserActivity) {
    super.restoreUserActivityState(activity)
    let info = UserInfoBridge.portable(activity.userInfo ?? [:]).info
    guard let sent = TextEditingState(userInfo: info) else { return }
    let (state, certainty) = sent.resolved(in: editor.buffer)
    self.certainty = certainty
    let place = PortablePosition(state.cursor)
    guard !isUsed else {
      keptFrom = place
      return
    }
    keptFrom = nil
    let selection = state.selection.map(PortablePosition.init)
    change { $0.restore(place, selection: selection, topLine: state.topLine) }
  }
}
