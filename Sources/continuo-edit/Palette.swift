// SPDX-License-Identifier: MIT

import CNcurses
import Glibc
import TextEditing

/// How rows look, with as many colours as the terminal has; without colours, or when `NO_COLOR` is set, by
/// brightness and reversal alone.
@MainActor struct Palette {
  /// Attributes and a colour pair.
  struct Look {
    var attributes: attr_t
    var pair: Int16 = 0
  }

  private var looks: [Frame.Style: Look] = [
    .text: Look(attributes: CONTINUO_ATTRIBUTE_NORMAL), .hint: Look(attributes: CONTINUO_ATTRIBUTE_DIM),
    .prompt: Look(attributes: CONTINUO_ATTRIBUTE_BOLD), .status: Look(attributes: CONTINUO_ATTRIBUTE_REVERSE),
  ]
  /// What is selected.
  private(set) var selected = Look(attributes: CONTINUO_ATTRIBUTE_REVERSE)

  /// The colours of a pair, by number or, on terminals without a palette, by red, green and blue.
  private struct Colors {
    var hint: Int32
    var prompt: Int32
    var status: (Int32, on: Int32)
    var selected: (Int32, on: Int32)
  }

  private static let sixteen = Colors(hint: 8, prompt: 6, status: (7, on: 4), selected: (0, on: 6))
  private static let many = Colors(hint: 245, prompt: 37, status: (255, on: 24), selected: (255, on: 31))
  private static let direct = Colors(
    hint: 0x80_8A90, prompt: 0x2A_A198, status: (0xFF_FFFF, on: 0x1B_4F72),
    selected: (0xFF_FFFF, on: 0x2E_7DA3)
  )

  /// In full-screen mode.
  init() {
    let refusal = getenv("NO_COLOR").map { String(cString: $0) } ?? ""
    guard refusal.isEmpty, has_colors(), start_color() == OK, use_default_colors() == OK else { return }
    switch continuo_color_count() {
    case _ where continuo_has_direct_color(): use(Self.direct)
    case 256...: use(Self.many)
    case 16...: use(Self.sixteen)
    case 8...:
      use(Self.sixteen)
      looks[.hint] = Look(attributes: CONTINUO_ATTRIBUTE_DIM)
    default: break
    }
  }

  /// How a row of `style` looks.
  func look(_ style: Frame.Style) -> Look { looks[style] ?? Look(attributes: CONTINUO_ATTRIBUTE_NORMAL) }

  private mutating func use(_ colors: Colors) {
    if colors.hint < continuo_color_count() { init_extended_pair(1, colors.hint, -1) }
    init_extended_pair(2, colors.prompt, -1)
    init_extended_pair(3, colors.status.0, colors.status.on)
    init_extended_pair(4, colors.selected.0, colors.selected.on)
    looks[.hint] = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 1)
    looks[.prompt] = Look(attributes: CONTINUO_ATTRIBUTE_BOLD, pair: 2)
    looks[.status] = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 3)
    selected = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 4)
  }
}
