// SPDX-License-Identifier: MIT

import CNcurses
import TextEditing

/// What ncurses reports → the key that was meant.
enum KeyDecoder {
  /// A character, or a control character.
  static func key(forScalar code: UInt32) -> Key? {
    switch code {
    case 0x0A, 0x0D: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x1B: return .escape
    case 0x01...0x1A: return .control(Character(UnicodeScalar(UInt8(code + 0x60))))
    case 0x20..<0x7F, 0xA0...: return Unicode.Scalar(code).map { .text(String($0)) }
    default: return nil
    }
  }

  /// A function key.
  static func key(forFunction code: Int32) -> Key? {
    switch code {
    case KEY_LEFT: .move(.left)
    case KEY_RIGHT: .move(.right)
    case KEY_UP: .move(.up)
    case KEY_DOWN: .move(.down)
    case KEY_HOME: .move(.lineStart)
    case KEY_END: .move(.lineEnd)
    case KEY_PPAGE: .move(.pageUp)
    case KEY_NPAGE: .move(.pageDown)
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_ENTER: .enter
    default: named(code)
    }
  }

  /// Keys with Control, whose codes ncurses gives out while it runs.
  private static func named(_ code: Int32) -> Key? {
    switch keyname(code).map({ String(cString: $0) }) {
    case "kLFT5": .move(.wordLeft)
    case "kRIT5": .move(.wordRight)
    case "kHOM5": .move(.documentStart)
    case "kEND5": .move(.documentEnd)
    default: nil
    }
  }
}
