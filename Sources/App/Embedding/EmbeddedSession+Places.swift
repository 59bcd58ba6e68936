// SPDX-License-Identifier: MIT

import ActivityModel
import AppSession
public import TextAnchors

/// Where a person is in a text, as the host counts.
public struct TextPlace: Hashable, Sendable {
  /// Where the cursor stands, or the moving end of what is selected.
  public var cursor: Position
  /// The other end of what is selected; nil without a selection.
  public var selection: Position?
  /// The first line that is seen, from 0.
  public var topLine: Int?
  /// In what columns are counted.
  public var unit: ColumnUnit

  /// A line and a column, both from 0. A line break, a carriage return before one, and a byte order mark
  /// count as nothing.
  public struct Position: Hashable, Sendable {
    /// From 0.
    public var line: Int
    /// Units before the place in its line.
    public var column: Int

    /// A place; nothing is checked.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// A place without a selection.
  public init(cursor: Position, selection: Position? = nil, topLine: Int? = nil, unit: ColumnUnit) {
    self.cursor = cursor
    self.selection = selection
    self.topLine = topLine
    self.unit = unit
  }
}

// Places in texts: `public.text-editing` for hosts that hold the text themselves.
extension EmbeddedSession {
  /// Where the person is in the document. Goes with the next rounds; nil takes it away. Nothing is read
  /// before a round.
  public func setPlace(_ place: TextPlace?, of document: DocumentHandle) {
    guard let entry = documents[document], entry.place != place else { return }
    documents[document]?.place = place
    if let activity = entry.activity, !app.isInRound(activity) { noteChange(activity) }
  }

  /// Where the activity was left, found again in the bytes that were verified, and how certainly; nil for an
  /// activity that says nothing of a place. Reads the whole file.
  public func place(
    of handover: Handover, unit: ColumnUnit
  ) -> (place: TextPlace, certainty: AnchorResolution.Certainty?)? {
    guard let state = TextEditingState(userInfo: handover.delivery.activity.userInfo) else { return nil }
    guard let file = handover.file, let bytes = file.contents() else {
      return (state.place(in: unit) { _, _ in nil }, nil)
    }
    let lines = ByteLines(bytes)
    let found = state.resolved(in: lines)
    let place = found.state.inside(lines).place(in: unit) { line, scalars in
      var column = scalars
      lines.withUTF8(ofLine: line) { column = unit.column(ofScalars: scalars, in: $0) }
      return column
    }
    return (place, found.certainty)
  }

  /// What an activity carries of a place in a text that no file has.
  func textEditing(_ place: TextPlace, in text: [UInt8]) -> UserInfo {
    let lines = ByteLines(text)
    var state = place.state { line, column in
      guard line >= 0, line < lines.lineCount else { return column }
      var scalars = column
      lines.withUTF8(ofLine: line) { scalars = place.unit.scalars(of: column, in: $0) }
      return scalars
    }
    state.anchor = TextAnchor(at: state.cursor, in: lines)
    return state.userInfo
  }

  /// What an activity carries of its document's place. The file stands for the text if the host says that
  /// they are the same; else there is no anchor, and columns are counted as well as can be.
  func textEditing(_ entry: DocumentTable.Entry) -> UserInfo {
    guard let place = entry.place else { return [:] }
    guard let file = entry.saved ?? (try? OpenedFile(entry.path)) else { return place.state { $1 }.userInfo }
    if lineIndex?.mark != file.mark { lineIndex = LineIndex(file) }
    guard let index = lineIndex, let lines = FileLines(around: place.cursor.line, of: file, index) else {
      return place.state { $1 }.userInfo
    }
    var state = place.state { line, column in
      guard line >= 0, line < lines.lineCount,
        let held = lines.holds(line) ? lines : FileLines(around: line, of: file, index)
      else { return column }
      var scalars = column
      held.withUTF8(ofLine: line) { scalars = place.unit.scalars(of: column, in: $0) }
      return scalars
    }
    let isSame = !entry.isEdited && entry.mark.map { $0.isSameContent(as: file.mark) } ?? false
    if isSame { state.anchor = TextAnchor(at: state.cursor, in: lines) }
    return state.userInfo
  }
}

extension TextPlace {
  /// As it travels; `scalars` counts the columns of a line, both from 0.
  fileprivate func state(_ scalars: (Int, Int) -> Int) -> TextEditingState {
    func travelling(_ position: Position) -> LineColumn {
      let column = unit == .scalars ? position.column : scalars(position.line, position.column)
      return LineColumn(line: max(0, position.line) &+ 1, column: max(0, column) &+ 1)
    }
    return TextEditingState(
      cursor: travelling(cursor), selection: selection.map(travelling),
      topLine: topLine.map { max(0, $0) &+ 1 },
      anchor: nil)
  }
}

extension TextEditingState {
  /// With lines beyond the end as the last place of the text.
  fileprivate func inside(_ lines: ByteLines) -> TextEditingState {
    func nearest(_ place: LineColumn) -> LineColumn {
      place.line <= lines.lineCount ? place : LineColumn(line: lines.lineCount, column: .max)
    }
    return TextEditingState(
      cursor: nearest(cursor), selection: selection.map(nearest),
      topLine: topLine.map { min($0, lines.lineCount) },
      anchor: anchor)
  }

  /// As the host counts; `column` turns a line and scalars from 0 into units, nil where the line is not
  /// known.
  fileprivate func place(in unit: ColumnUnit, _ column: (Int, Int) -> Int?) -> TextPlace {
    func counted(_ place: LineColumn) -> TextPlace.Position {
      let (line, scalars) = (max(1, place.line) - 1, max(1, place.column) - 1)
      return TextPlace.Position(line: line, column: column(line, scalars) ?? scalars)
    }
    return TextPlace(
      cursor: counted(cursor), selection: selection.map(counted), topLine: topLine.map { max(1, $0) - 1 },
      unit: unit)
  }
}
