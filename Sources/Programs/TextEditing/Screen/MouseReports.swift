// SPDX-License-Identifier: MIT

/// Reads what xterm and its like write for the mouse (modes 1002 and 1006): `button;column;row`, then `M`, or
/// `m` when the button went up.
///
/// Pure; a report may come in several pieces. Movements count between the left button's press and its
/// release.
public struct MouseReports: Sendable {
  private var text: String?
  private var isButtonDown = false

  /// No report has begun.
  public init() {}

  /// Between `begin()` and a report's last character: characters belong to the report and are not typed.
  public var isOpen: Bool { text != nil }

  /// The sequence that introduces a report has come.
  public mutating func begin() { text = "" }

  /// Takes the next character and returns what the mouse did, when that was the last one and means something
  /// here. One that no report has ends it without meaning.
  public mutating func receive(_ scalar: Unicode.Scalar) -> Key? {
    switch scalar {
    case "0"..."9", ";":
      text?.unicodeScalars.append(scalar)
      if let text, text.utf8.count > 32 { self.text = nil }
      return nil
    case "M", "m":
      defer { text = nil }
      let numbers = (text ?? "").split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2],
        column > 0, row > 0, let did = meaning(button, isDown: scalar == "M")
      else { return nil }
      return .mouse(did, row: row - 1, column: column - 1)
    default:
      text = nil
      return nil
    }
  }

  /// Modifiers (4, 8, 16) make no difference.
  private mutating func meaning(_ button: Int, isDown: Bool) -> Key.Mouse? {
    switch button & ~(4 | 8 | 16) {
    case 0 where isDown:
      isButtonDown = true
      return .press
    case 0:
      defer { isButtonDown = false }
      return isButtonDown ? .drag : nil
    case 32: return isButtonDown ? .drag : nil
    case 64: return .wheelUp
    case 65: return .wheelDown
    default: return nil
    }
  }
}
