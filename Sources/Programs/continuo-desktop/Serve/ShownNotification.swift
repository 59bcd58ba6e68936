// SPDX-License-Identifier: MIT

import CDesktopGLib

/// A notification as the agent orders it: plain text, whatever it is.
struct ShownNotification: Equatable {
  struct Action: Equatable {
    var key: String
    var label: String
  }

  var summary: String
  var body: String
  /// The ID of a desktop entry; may be empty.
  var entry: String
  var isSilent: Bool
  var percent: Int?
  var actions: [Action]

  /// The arguments of `Notify` for a server that can so much. `instead` is added where it shows no buttons.
  func arguments(replacing id: UInt32, for capabilities: [String], instead: String) -> [BusValue] {
    let hasActions = capabilities.contains("actions")
    var text = Self.clean(body)
    if !hasActions, !actions.isEmpty { text += (text.isEmpty ? "" : "\n") + instead }
    if capabilities.contains("body-markup") { text = Self.escaped(text) }
    return [
      .text("Continuo"), .number(id), .text(""),
      .text(Self.clean(summary).split(separator: "\n").joined(separator: " ")), .text(text),
      .texts(hasActions ? actions.flatMap { [Self.clean($0.key), Self.clean($0.label)] } : []),
      .dictionary(hints), .integer(-1),
    ]
  }

  private var hints: [(String, BusValue)] {
    var hints: [(String, BusValue)] = [("urgency", .byte(isSilent ? 0 : 1))]
    if isSilent { hints.append(("suppress-sound", .flag(true))) }
    if !entry.isEmpty { hints.append(("desktop-entry", .text(Self.clean(entry)))) }
    if let percent { hints.append(("value", .integer(Int32(percent)))) }
    return hints
  }

  /// Control characters would make markup of it that no server reads; a line feed is none.
  static func clean(_ text: String) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0a: clean.append(scalar)
      case 0x09: clean.append(" ")
      case 0..<0x20, 0x7f..<0xa0, 0xfffe, 0xffff: clean.append("\u{fffd}")
      default: clean.append(scalar)
      }
    }
    return String(clean)
  }

  private static func escaped(_ text: String) -> String {
    guard let escaped = g_markup_escape_text(text, -1) else { return "" }
    defer { g_free(escaped) }
    return String(cString: escaped)
  }
}
