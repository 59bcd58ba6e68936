// SPDX-License-Identifier: MIT

import CNcurses
import TextEditing

/// What ncurses reports → the key that was meant. A paste comes as one key, when its end has come.
@MainActor struct KeyDecoder {
  /// Codes of our own, above those of ncurses.
  private enum Code {
    static let pasteStart: Int32 = 0x1000
    static let pasteEnd: Int32 = 0x1001
    static let mouseReport: Int32 = 0x1002
    static let alternate: Int32 = 0x1010
    static let modified: Int32 = 0x1020
  }

  private var pasted: String.UnicodeScalarView?
  private var reports = MouseReports()
  /// The keys that were given codes from `Code.modified` on.
  private let modified: [Key]

  /// Tells ncurses of the keys that it has no constants for. In full-screen mode, once.
  init() {
    var keys: [Key] = []
    for (name, sequence, key) in Self.modifiedKeys {
      let known = continuo_capability(name).map { String(cString: $0) }
      define_key(known ?? sequence, Code.modified + Int32(keys.count))
      keys.append(key)
    }
    modified = keys
    for digit in 1...9 { define_key("\u{1B}\(digit)", Code.alternate + Int32(digit)) }
    if Mouse.reportsLikeXterm { define_key(Mouse.reportStart, Code.mouseReport) }
    if let start = continuo_capability("PS"), let end = continuo_capability("PE") {
      define_key(start, Code.pasteStart)
      define_key(end, Code.pasteEnd)
    }
  }

  /// Arrows and their like with Shift (2), Control (5) and both (6): the terminal's own name for them and,
  /// where its description has none, what nearly all terminals send.
  private static var modifiedKeys: [(name: String, sequence: String, key: Key)] {
    let ends: [(String, String, plain: EditCommand.Movement, control: EditCommand.Movement)] = [
      ("kUP", "1;*A", .up, .up), ("kDN", "1;*B", .down, .down), ("kRIT", "1;*C", .right, .wordRight),
      ("kLFT", "1;*D", .left, .wordLeft), ("kHOM", "1;*H", .lineStart, .documentStart),
      ("kEND", "1;*F", .lineEnd, .documentEnd), ("kPRV", "5;*~", .pageUp, .pageUp),
      ("kNXT", "6;*~", .pageDown, .pageDown),
    ]
    return ends.flatMap { name, sequence, plain, control in
      let parts = sequence.split(separator: "*")
      let send = { (modifier: Int) in "\u{1B}[\(parts[0])\(modifier)\(parts[1])" }
      return [
        (name, send(2), Key.select(plain)), (name + "5", send(5), .move(control)),
        (name + "6", send(6), .select(control)),
      ]
    }
  }

  /// A character, or a control character.
  mutating func key(forScalar code: UInt32) -> Key? {
    if reports.isOpen { return Unicode.Scalar(code).flatMap { reports.receive($0) } }
    if pasted != nil {
      Unicode.Scalar(code).map { pasted?.append($0) }
      return nil
    }
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

  /// A function key, or the mouse.
  mutating func key(forFunction code: Int32) -> Key? {
    if code == Code.pasteStart {
      pasted = String.UnicodeScalarView()
      return nil
    }
    if let text = pasted {
      guard code == Code.pasteEnd else { return nil }
      pasted = nil
      return .paste(String(text))
    }
    if code == Code.mouseReport {
      reports.begin()
      return nil
    }
    if modified.indices.contains(Int(code - Code.modified)) { return modified[Int(code - Code.modified)] }
    if (1...9).contains(code - Code.alternate) { return .alternate(Int(code - Code.alternate)) }
    return code == KEY_MOUSE ? mouse() : Self.plain(code)
  }

  private static func plain(_ code: Int32) -> Key? {
    switch code {
    case KEY_LEFT: .move(.left)
    case KEY_RIGHT: .move(.right)
    case KEY_UP: .move(.up)
    case KEY_DOWN: .move(.down)
    case KEY_HOME: .move(.lineStart)
    case KEY_END: .move(.lineEnd)
    case KEY_PPAGE: .move(.pageUp)
    case KEY_NPAGE: .move(.pageDown)
    case KEY_SR: .select(.up)
    case KEY_SF: .select(.down)
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_ENTER: .enter
    case KEY_F0 + 1: .function(1)
    case KEY_F0 + 2: .function(2)
    case KEY_F0 + 3: .function(3)
    case KEY_F0 + 4: .function(4)
    default: nil
    }
  }

  /// From terminals that report in another way than xterm's: press, release and wheel.
  private func mouse() -> Key? {
    var (row, column): (Int32, Int32) = (0, 0)
    let did: Key.Mouse
    switch continuo_take_mouse(&row, &column) {
    case CONTINUO_MOUSE_PRESS: did = .press
    case CONTINUO_MOUSE_RELEASE: did = .drag
    case CONTINUO_MOUSE_UP: did = .wheelUp
    case CONTINUO_MOUSE_DOWN: did = .wheelDown
    default: return nil
    }
    return .mouse(did, row: Int(row), column: Int(column))
  }
}
