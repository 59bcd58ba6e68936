// SPDX-License-Identifier: MIT

public import ActivityJSON

/// Where a person is in a text, in the unit that was agreed at the beginning. Nothing is converted here.
public struct EditorPlace: Hashable, Sendable {
  /// The cursor.
  public var position: Position
  /// The other end of what is selected; nil without a selection.
  public var selection: Position?
  /// The first line that is seen, from 0.
  public var topLine: Int?

  /// A line and a column, both from 0.
  public struct Position: Hashable, Sendable {
    /// From 0.
    public var line: Int
    /// Units before it in its line.
    public var character: Int

    /// A place in a text; numbers below 0 are nobody's.
    public init(line: Int, character: Int) {
      self.line = line
      self.character = character
    }

    init(_ members: Members) throws(RPCError) {
      line = try members.count("line")
      character = try members.count("character")
    }

    var json: JSONValue { ["line": .int(Int64(line)), "character": .int(Int64(character))] }
  }

  /// A cursor, with what else is known.
  public init(position: Position, selection: Position? = nil, topLine: Int? = nil) {
    self.position = position
    self.selection = selection
    self.topLine = topLine
  }

  init(_ members: Members) throws(RPCError) {
    position = try Position(members.object("position"))
    if let other = try members.optionalObject("selection") { selection = try Position(other) }
    topLine = try members.optionalCount("topLine")
  }

  /// As messages carry it.
  public var json: JSONValue {
    ["position": position.json, "selection": selection?.json, "topLine": topLine.map { .int(Int64($0)) }]
  }
}

/// How `character` counts.
public enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
  /// Bytes.
  case utf8 = "utf-8"
  /// Code units as JavaScript counts them.
  case utf16 = "utf-16"
  /// Unicode scalars; where nothing is said.
  case utf32 = "utf-32"
}
