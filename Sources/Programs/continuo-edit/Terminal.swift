// SPDX-License-Identifier: MIT

import CNcurses
import Continuo
import Glibc
import TextEditing

/// The terminal in full-screen mode, from `init` to `close()`. All calls on the main thread.
@MainActor final class Terminal {
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private var isOpen = true
  private let palette: Palette
  private var decoder: KeyDecoder
  /// The rows that ncurses holds; empty when it is to be told all of them.
  private var drawn: [Frame.Row] = []

  /// Characters are UTF-8 also where the locale says nothing about them, as in a bare container.
  static func chooseCharacterSet() {
    setlocale(LC_ALL, "")
    let set = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    if set != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }

  /// Takes the terminal over. Throws when there is none that ncurses knows.
  init() throws(ContinuityError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw ContinuityError(
        .invalidRequest,
        description: "continuo-edit needs a terminal: start it without redirecting input or output.")
    }
    TerminalRescue.rememberModes()
    guard let screen = Self.newTerminal(), let window = stdscrOfNewTerminal() else {
      throw Self.unusable
    }
    guard continuo_capability("cup") != nil else {
      endwin()
      delscreen(screen)
      throw Self.unusable
    }
    self.screen = screen
    self.window = window
    TerminalRescue.rememberExit()
    raw()
    noecho()
    nonl()
    keypad(window, true)
    nodelay(window, true)
    set_escdelay(25)
    palette = Palette()
    decoder = KeyDecoder()
    Mouse.watch()
    continuo_send(continuo_capability("BE"))
  }

  /// ncurses has one description per terminal, without the colours that `COLORTERM` tells of; they are in the
  /// description that is called `direct`, where it is installed.
  private static func newTerminal() -> OpaquePointer? {
    let colors = getenv("COLORTERM").map { String(cString: $0) }
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    if colors == "truecolor" || colors == "24bit", type.hasSuffix("-256color"),
      let screen = continuo_new_terminal(type.dropLast("256color".count) + "direct")
    {
      return screen
    }
    return continuo_new_terminal(nil)
  }

  private static var unusable: ContinuityError {
    ContinuityError(
      .invalidRequest, subject: "TERM",
      description: "This kind of terminal is not known, or cannot move its cursor: set TERM, for instance to "
        + "xterm-256color.")
  }

  /// Gives the terminal back as it was. A second call does nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    continuo_send(continuo_capability("BD"))
    continuo_send(Mouse.endingSequence)
    endwin()
    delscreen(screen)
    TerminalRescue.forget()
  }

  /// The size that the terminal has now.
  var size: ScreenLayout {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 {
      return ScreenLayout(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
    return ScreenLayout(columns: Int(getmaxx(window)), rows: Int(getmaxy(window)))
  }

  /// Tells ncurses the size that the terminal has now, and returns it.
  func resize() -> ScreenLayout {
    let now = size
    resizeterm(Int32(now.rows), Int32(now.columns))
    drawn = []
    return now
  }

  // MARK: Writing

  /// Brings the screen to `frame`. ncurses is told the rows that differ, and sends only what differs in them.
  func draw(_ frame: Frame) {
    let isWhole = drawn.count != frame.rows.count
    for (index, row) in frame.rows.enumerated() where isWhole || drawn[index] != row {
      draw(row, at: Int32(index))
    }
    drawn = frame.rows
    if let cursor = frame.cursor {
      curs_set(1)
      wmove(window, Int32(cursor.row), Int32(cursor.column))
    } else {
      curs_set(0)
    }
    wrefresh(window)
  }

  /// Cleared first, for behind a full row ncurses stands in the next one.
  private func draw(_ row: Frame.Row, at index: Int32) {
    let look = palette.look(row.style)
    wmove(window, index, 0)
    wattr_set(window, CONTINUO_ATTRIBUTE_NORMAL, 0, nil)
    wclrtoeol(window)
    wattr_set(window, look.attributes, look.pair, nil)
    var scalars: [wchar_t] = []
    for scalar in row.text.unicodeScalars { scalars.append(wchar_t(bitPattern: scalar.value)) }
    scalars.append(0)
    waddnwstr(window, scalars, Int32(scalars.count - 1))
    if row.style == .status { mvwchgat(window, index, 0, -1, look.attributes, look.pair, nil) }
    if let selected = row.selected, !selected.isEmpty {
      let marked = palette.selected
      mvwchgat(
        window, index, Int32(selected.lowerBound), Int32(selected.count), marked.attributes, marked.pair, nil)
    }
  }

  // MARK: Reading

  /// The keys that have arrived; nil when the terminal is gone.
  func readKeys() -> [Key]? {
    var waiting: Int32 = 0
    guard ioctl(STDIN_FILENO, UInt(FIONREAD), &waiting) == 0, waiting > 0 else { return nil }
    var keys: [Key] = []
    var code = wint_t()
    while true {
      switch wget_wch(window, &code) {
      case OK: decoder.key(forScalar: code).map { keys.append($0) }
      case Int32(KEY_CODE_YES): decoder.key(forFunction: Int32(bitPattern: code)).map { keys.append($0) }
      default: return keys
      }
    }
  }
}

/// The standard screen, which `newterm` has just made.
private func stdscrOfNewTerminal() -> UnsafeMutablePointer<WINDOW>? { continuo_standard_window() }
