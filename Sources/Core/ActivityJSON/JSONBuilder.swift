// SPDX-License-Identifier: MIT

import CJSONReader

/// Puts a value together from its pieces, and refuses what would take too much.
struct JSONBuilder {
  /// An array or an object whose end has not come yet.
  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    /// Of the member whose value follows.
    var name = ""
  }

  /// The containers around the next piece, the outermost first.
  private var open: [Container] = []
  /// Values and names so far.
  private var count = 0
  /// The whole value, once its last piece is there.
  private(set) var value: JSONValue?
  /// What of it is too much; nil when nothing is.
  private(set) var refusal: String?

  /// Takes the next piece; gives whether more may follow. A reader gives the pieces of JSON alone: names in
  /// objects, and an end for each container.
  mutating func take(_ piece: continuo_json_piece) -> Bool {
    switch piece.kind {
    case CONTINUO_JSON_END_OF_ARRAY, CONTINUO_JSON_END_OF_OBJECT:
      let container = open.removeLast()
      put(container.isObject ? .object(container.members) : .array(container.elements))
      return true
    case CONTINUO_JSON_ARRAY, CONTINUO_JSON_OBJECT:
      open.append(Container(isObject: piece.kind == CONTINUO_JSON_OBJECT))
    case CONTINUO_JSON_NAME: open[open.count - 1].name = piece.string
    default: put(piece.value)
    }
    count += 1
    if open.count > JSONValue.Limit.depth { refusal = "is deeper than \(JSONValue.Limit.depth) levels" }
    if count > JSONValue.Limit.values { refusal = "holds more than \(JSONValue.Limit.values) values" }
    return refusal == nil
  }

  private mutating func put(_ found: JSONValue) {
    let last = open.count - 1
    if last < 0 {
      value = found
    } else if open[last].isObject {
      open[last].members[open[last].name] = found
    } else {
      open[last].elements.append(found)
    }
  }
}

extension continuo_json_piece {
  /// The text, or the name.
  fileprivate var string: String {
    String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
  }

  /// The value that is one piece alone.
  fileprivate var value: JSONValue {
    switch kind {
    case CONTINUO_JSON_TRUE: .bool(true)
    case CONTINUO_JSON_FALSE: .bool(false)
    case CONTINUO_JSON_WHOLE: .int(whole)
    // Also what is whole in 64 bits alone, for no reader can tell it from what is written so.
    case CONTINUO_JSON_NUMBER: Int64(exactly: number).map(JSONValue.int) ?? .double(number)
    case CONTINUO_JSON_TEXT: .text(string)
    default: .null
    }
  }
}
