// SPDX-License-Identifier: MIT

import CNcurses
import LinuxSystem
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

  /// The colours of the pairs: by number or, on terminals without a palette, by red, green and blue. Those on
  /// the terminal's own background stand out from white as far as from black.
  private struct Colors {
    /// Nil where no colour can be told from every background; hints are dim then.
    var hint: Int32?
    var prompt: Int32
    var status: (Int32, on: Int32)
    var selected: (Int32, on: Int32)
  }

  private static let eight = Colors(prompt: 5, status: (7, on: 4), selected: (0, on: 6))
  private static let sixteen = Colors(prompt: 5, status: (15, on: 4), selected: (0, on: 6))
  private static let many = Colors(hint: 243, prompt: 30, status: (255, on: 24), selected: (16, on: 37))
  /// The same as `many`; there the numbers below 8 still belong to a palette.
  private static let direct = Colors(
    hint: 0x76_7676, prompt: 0x00_8787, status: (0xEE_EEEE, on: 0x00_5F87),
    selected: (0x08_0808, on: 0x00_AFAF))

  /// In full-screen mode.
  init() {
    let refusal = CurrentProcess.variable("NO_COLOR") ?? ""
    guard refusal.isEmpty, has_colors(), start_color() == OK, use_default_colors() == OK else { return }
    switch continuo_color_count() {
    case _ where continuo_has_direct_color(): use(Self.direct)
    case 256...: use(Self.many)
    case 16...: use(Self.sixteen)
    case 8...: use(Self.eight)
    default: break
    }
  }

  /// How a row of `style` looks.
  func look(_ style: Frame.Style) -> Look { looks[style] ?? Look(attributes: CONTINUO_ATTRIBUTE_NORMAL) }

  private mutating func use(_ colors: Colors) {
    if let hint = colors.hint {
      init_extended_pair(1, hint, -1)
      looks[.hint] = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 1)
    }
    init_extended_pair(2, colors.prompt, -1)
    init_extended_pair(3, colors.status.0, colors.status.on)
    init_extended_pair(4, colors.selected.0, colors.selected.on)
    looks[.prompt] = Look(attributes: CONTINUO_ATTRIBUTE_BOLD, pair: 2)
    looks[.status] = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 3)
    selected = Look(attributes: CONTINUO_ATTRIBUTE_NORMAL, pair: 4)
  }
}
