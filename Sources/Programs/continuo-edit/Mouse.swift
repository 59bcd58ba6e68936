// SPDX-License-Identifier: MIT

import CNcurses

/// Asks the terminal for the mouse.
///
/// ncurses loses button presses that come together with movements, so where the terminal reports as xterm
/// does, the reports are read here (`MouseReports`), with movements; elsewhere by ncurses, without.
enum Mouse {
  /// How a report begins.
  static let reportStart = "\u{1B}[<"
  /// xterm's mode for movements with a button down, for which descriptions of terminals have no word.
  private static let movements = "\u{1B}[?1002"

  /// In full-screen mode.
  static var reportsLikeXterm: Bool {
    continuo_mouse_mode(0) != nil && continuo_capability("kmous").map { String(cString: $0) } == reportStart
  }

  /// Until `endingSequence` is sent; ncurses itself ends what it began.
  static func watch() {
    if reportsLikeXterm {
      continuo_send(continuo_mouse_mode(1))
      continuo_send(movements + "h")
    } else {
      continuo_watch_mouse()
    }
  }

  /// Tells the terminal to leave the mouse alone.
  static var endingSequence: String {
    let mode = continuo_mouse_mode(0).map { String(cString: $0) } ?? ""
    return reportsLikeXterm ? movements + "l" + mode : mode
  }
}
