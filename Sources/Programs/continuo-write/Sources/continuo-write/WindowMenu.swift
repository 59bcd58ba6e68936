// SPDX-License-Identifier: MIT

import CGtk
import Foundation

/// The menu of a window.
@MainActor enum WindowMenu {
  static func make(recent: OpaquePointer?) -> OpaquePointer? {
    let menu = g_menu_new()
    section(menu, [("New", "app.new"), ("Open…", "app.open")]) {
      write_menu_append_submenu($0, "Open Recent", recent)
      g_menu_append($0, "Recently, Anywhere", "win.recently")
    }
    section(menu, [("Save", "win.save"), ("Save As…", "win.save-as")])
    section(menu, [("Undo", "win.undo"), ("Redo", "win.redo")])
    section(
      menu,
      [
        ("Continue from Another Device", "win.accept"), ("Continue All That Is Open There", "win.accept-all"),
        ("Decide About Changes…", "win.decide"),
      ])
    section(menu, [("Close", "win.close"), ("Quit", "app.quit")])
    return menu
  }

  private static func section(
    _ menu: OpaquePointer?, _ items: [(label: String, action: String)],
    more: (OpaquePointer?) -> Void = { _ in }
  ) {
    let section = g_menu_new()
    for item in items { g_menu_append(section, item.label, item.action) }
    more(section)
    write_menu_append_section(menu, section)
    g_object_unref(section.map { UnsafeMutableRawPointer($0) })
  }

  /// Puts the files, by their names, into the menu of recent ones.
  static func fill(_ menu: OpaquePointer?, with urls: [URL]) {
    g_menu_remove_all(menu)
    for url in urls {
      // An underscore would stand before a letter to press.
      let name = url.lastPathComponent.replacing("_", with: "__")
      write_menu_append_text(menu, name, "app.open-recent", url.absoluteString)
    }
  }
}
