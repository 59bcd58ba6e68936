// SPDX-License-Identifier: MIT

import CGtk
import GTKContinuo

/// Dark or light, and the font of texts, as the desktop says; both change while the program runs.
@MainActor enum DesktopStyle {
  private static var settings: UnsafeMutablePointer<GSettings>?
  private static var style: UnsafeMutablePointer<GtkCssProvider>?

  static func follow() {
    style = write_style_new()
    settings = write_desktop_settings()
    if let settings { Signals.connect(settings: settings) { apply() } }
    if let own = gtk_settings_get_default() {
      Signals.connect(UnsafeMutableRawPointer(own), toChangeOf: "gtk-theme-name") { apply() }
    }
    apply()
  }

  private static func apply() {
    var font = ""
    if let settings {
      let scheme = text(g_settings_get_string(settings, "color-scheme"))
      write_set_prefers_dark(scheme == "prefer-dark" ? 1 : 0)
      font = text(write_font_rule(text(g_settings_get_string(settings, "monospace-font-name"))))
    }
    write_set_style(style, rules + font)
    guard let session = WriteSession.current else { return }
    for view in session.windows.flatMap(\.views) + session.openings.map(\.frame.view) { dress(view) }
  }

  /// The colours of highlighted words go with the theme's.
  static func dress(_ view: Widget?) {
    guard let view else { return }
    if !mayHighlight { write_view_set_plain(view) }
    write_view_set_scheme(view, write_is_dark() != 0 ? "Adwaita-dark" : "Adwaita")
  }

  /// GTK 4.8 reads the color of such words as what it is not: a screen reader that asks how they look ends
  /// the program.
  private static let mayHighlight = gtk_get_minor_version() >= 14

  private static let rules = """
    .write-bar {
      padding: 6px 12px; background-color: alpha(@theme_selected_bg_color, 0.15);
      border-bottom: 1px solid alpha(currentColor, 0.2);
    }

    """

  private static func text(_ given: UnsafeMutablePointer<CChar>?) -> String {
    guard let given else { return "" }
    defer { g_free(given) }
    return String(cString: given)
  }
}
