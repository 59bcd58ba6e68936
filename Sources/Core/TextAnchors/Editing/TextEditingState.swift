// SPDX-License-Identifier: MIT

public import ActivityModel

/// What an activity of type `public.text-editing` carries beside its document: where the person is in the
/// text. `docs/authors/text-editing-activity.md` describes it for editors of any make.
public struct TextEditingState: Hashable, Sendable {
  /// The type of the activity. It belongs to no team, so that every editor may continue it.
  public static let activityType = "public.text-editing"
  /// The version of the keys that `userInfo` writes.
  public static let version = 1

  /// Where the cursor is, in lines and Unicode scalars from 1.
  public var cursor: LineColumn
  /// The other end of what is selected; nil when nothing is.
  public var selection: LineColumn?
  /// The first visible line, from 1; nil when nobody knows.
  public var topLine: Int?
  /// What stands around the cursor, to find it again in another version of the text.
  public var anchor: TextAnchor?

  /// A state; nothing is checked. An anchor that is not the cursor's own is passed over by every reader.
  public init(
    cursor: LineColumn, selection: LineColumn? = nil, topLine: Int? = nil, anchor: TextAnchor? = nil
  ) {
    self.cursor = cursor
    self.selection = selection
    self.topLine = topLine
    self.anchor = anchor
  }

  /// Keys of the user info, beside the anchor's.
  enum Key: String, CaseIterable {
    case version, line, column, columnUnit, selectionLine, selectionColumn, topLine
  }

  /// The only unit that is written.
  static let columnUnit = "unicode-scalars"
}

extension TextEditingState {
  /// What `userInfo` says, whoever wrote it; nil without a line, which is all that is needed.
  ///
  /// Total: numbers are brought into 1…2³¹-1, what has the wrong type counts as missing, other keys are
  /// ignored, and so are columns in another unit than Unicode scalars. A newer version is read as far as it
  /// is known.
  public init?(userInfo: UserInfo) {
    guard let line = userInfo[.line] else { return nil }
    let hasColumns = userInfo[text: .columnUnit].map { $0 == .text(Self.columnUnit) } ?? true
    cursor = LineColumn(line: line, column: hasColumns ? userInfo[.column] ?? 1 : 1)
    if hasColumns, let line = userInfo[.selectionLine] {
      let end = LineColumn(line: line, column: userInfo[.selectionColumn] ?? 1)
      selection = end == cursor ? nil : end
    }
    topLine = userInfo[.topLine]
    anchor = userInfo[.text(TextAnchor.userInfoKey)].flatMap { TextAnchor(userInfoValue: $0) }
    if anchor?.position != cursor { anchor = nil }
  }

  /// The keys of this state, to be added to an activity's user info.
  public var userInfo: UserInfo {
    var info: UserInfo = [:]
    func put(_ key: Key, _ number: Int) { info[.text(key.rawValue)] = .int(Int64(clamping: number)) }
    put(.version, Self.version)
    put(.line, cursor.line)
    put(.column, cursor.column)
    info[.text(Key.columnUnit.rawValue)] = .text(Self.columnUnit)
    if let selection {
      put(.selectionLine, selection.line)
      put(.selectionColumn, selection.column)
    }
    if let topLine { put(.topLine, topLine) }
    if let anchor { info[.text(TextAnchor.userInfoKey)] = anchor.userInfoValue }
    return info
  }

  /// Where this is in `text`, moved by the anchor; without one it stays, and the certainty is nil.
  ///
  /// The selection's other end and the first visible line move by as many lines as the cursor, and the former
  /// by as many columns if it is in the cursor's line. Where the place is gone, nothing is selected: what
  /// would be typed over is not what the person meant.
  public func resolved(
    in text: some AnchorableText
  ) -> (state: TextEditingState, certainty: AnchorResolution.Certainty?) {
    guard let anchor, anchor.position == cursor else { return (self, nil) }
    let found = anchor.resolve(in: text)
    let lines = found.place.line.difference(from: cursor.line)
    let columns = found.place.column.difference(from: cursor.column)
    var state = TextEditingState(cursor: found.place, topLine: topLine.map { $0.moved(by: lines) })
    if let selection, found.certainty != .unsure {
      state.selection = LineColumn(
        line: selection.line.moved(by: lines),
        column: selection.line == cursor.line ? selection.column.moved(by: columns) : selection.column)
    }
    return (state, found.certainty)
  }
}

extension UserInfo {
  fileprivate subscript(text key: TextEditingState.Key) -> UserInfoValue? { self[.text(key.rawValue)] }

  /// A whole number from 1; languages that know one kind of number alone write it as a `double`.
  fileprivate subscript(_ key: TextEditingState.Key) -> Int? {
    let limit = Int64(Int32.max)
    switch self[text: key] {
    case .int(let number)?: return Int(Swift.min(Swift.max(number, 1), limit))
    case .double(let number)? where number.rounded(.towardZero) == number && number.isFinite:
      return Int(Swift.min(Swift.max(number, 1), Double(limit)))
    default: return nil
    }
  }
}

extension Int {
  /// Without a trap for numbers from elsewhere.
  fileprivate func difference(from other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }

  /// Never before the first line or column.
  fileprivate func moved(by difference: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(difference)
    return Swift.max(1, overflow ? (difference > 0 ? .max : 1) : sum)
  }
}
