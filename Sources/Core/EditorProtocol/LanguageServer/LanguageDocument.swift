// SPDX-License-Identifier: MIT

import ActivityModel
public import TextAnchors

/// One document that an editor of the Language Server Protocol has open.
struct LanguageDocument: Hashable {
  /// As the editor calls it.
  var uri: FileURI
  /// What the editor holds; nil where it is too large to be followed.
  var text: EditedText?
  /// The text when it was what the file `mark` holds.
  private(set) var base: [UInt8]?
  private(set) var mark: FileMark?
  /// It was changed since it was saved; only where the text is not known.
  private var isChangedUnseen = false
  /// Whether the session has it: its file was there.
  var isSaid = false
  /// The folder in which it is offered; nil outside of all.
  var folder: String?
  /// The cursor, and the other end of what is selected, as the editor counts.
  private(set) var cursor: EditorPlace.Position?
  private(set) var selection: EditorPlace.Position?
  /// When the person last moved or typed.
  private(set) var usedAt: Instant?
  /// When the editor was sent to another device's place last.
  private var sentAt: Instant?
  /// The person did something here since the editor read it.
  private(set) var isWorkedOn = false
  /// Another program wrote the file, and the editor has not read it again.
  var isOvertaken = false
  /// When the editor has read it again.
  private(set) var readAt: Instant?
  /// Since when it holds what was not saved.
  var unsavedSince: Instant?
  var isToldUnsaved = false
  /// Its conflict copies.
  var copies: [FileURI] = []
  /// Where to go once the editor has read the file again.
  var awaitedPlace: LanguagePlace?
  /// Who else edits it, as a sentence.
  var others: String?

  init(_ uri: FileURI, text: String?) {
    self.uri = uri
    self.text = text.map { EditedText($0) }
  }

  /// Whether the person works on it here: the text on disk is not all of it.
  var isModified: Bool {
    guard let text, let base else { return isChangedUnseen || text != nil && isSaid }
    return text.bytes != base
  }

  /// Whether another program wrote the file since the editor read or saved it.
  func isNewer(_ found: FileMark) -> Bool { mark.map { !$0.isSameContent(as: found) } ?? true }

  /// The text is what the file holds now.
  mutating func settle(_ found: FileMark) {
    (base, mark, isChangedUnseen, isOvertaken) = (text?.bytes, found, false, false)
    unsavedSince = nil
  }

  /// The file is known, but the text is not what it holds.
  mutating func note(_ found: FileLook) {
    mark = found.mark
    base = found.bytes
  }

  mutating func read(at now: Instant) { (readAt, isWorkedOn) = (now, false) }

  mutating func type(at now: Instant) {
    (usedAt, isWorkedOn) = (now, true)
    if text == nil { isChangedUnseen = true }
    if unsavedSince == nil { unsavedSince = now }
  }

  /// The person was seen there; whether that is another place than before.
  mutating func move(
    to cursor: EditorPlace.Position, selection: EditorPlace.Position?, at now: Instant
  ) -> Bool {
    guard cursor != self.cursor || selection != self.selection else { return false }
    // The first place is where the editor opened it. Soon after reading it moves the cursor by itself, and as
    // soon after it was sent to a place that is none in the text it shows yet.
    if self.cursor != nil, !isJustRead(now), !isJustSent(now) { (usedAt, isWorkedOn) = (now, true) }
    put(cursor, selection)
    return true
  }

  func isJustRead(_ now: Instant) -> Bool { readAt.map { now - $0 < .seconds(1) } ?? false }

  private func isJustSent(_ now: Instant) -> Bool { sentAt.map { now - $0 < .seconds(1) } ?? false }

  /// The editor is told to go there.
  mutating func send(
    to cursor: EditorPlace.Position, selection: EditorPlace.Position?, at now: Instant
  ) {
    sentAt = now
    put(cursor, selection)
  }

  /// The cursor is there.
  mutating func put(_ cursor: EditorPlace.Position, _ selection: EditorPlace.Position?) {
    (self.cursor, self.selection) = (cursor, selection == cursor ? nil : selection)
  }

  func isUsed(since moment: Instant) -> Bool { usedAt.map { $0 > moment } ?? false }

  /// Where the person is, in scalars; `file` stands for a text that is not known.
  func place(_ unit: ColumnUnit, file: [UInt8]?) -> EditorPlace? {
    guard let cursor else { return nil }
    let lines = ByteLines(text?.bytes ?? file ?? [])
    func counted(_ place: EditorPlace.Position) -> EditorPlace.Position {
      lines.converted(place) { unit.scalars(of: $0, in: $1) }
    }
    return EditorPlace(position: counted(cursor), selection: selection.map(counted))
  }
}

/// Where the other device was.
struct LanguagePlace: Hashable {
  var uri: FileURI
  var device: String
  /// In scalars of the file.
  var place: EditorPlace
  /// Since when a cursor that moves is the person's.
  var since: Instant
}

extension ByteLines {
  /// The same place in another unit; nothing is known of lines that are not there.
  func converted(
    _ place: EditorPlace.Position, _ column: (Int, UnsafeBufferPointer<UInt8>) -> Int
  ) -> EditorPlace.Position {
    guard place.line < lineCount else { return place }
    var found = place
    withUTF8(ofLine: place.line) { found.character = column(place.character, $0) }
    return found
  }
}

extension PositionEncoding {
  /// The same for texts.
  public var unit: ColumnUnit {
    switch self {
    case .utf8: .utf8
    case .utf16: .utf16
    case .utf32: .scalars
    }
  }
}
