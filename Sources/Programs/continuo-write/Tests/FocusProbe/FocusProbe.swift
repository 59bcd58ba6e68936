// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import Foundation
import GTKContinuo

/// A window with an entry, a text and a button, of which the first two are responders with activities of
/// their own, and the window has one for the rest. Prints whose activity is current, as the focus goes.
@main @MainActor final class FocusProbe {
  private let window = Window()
  private let entry = Responder()
  private let text = Responder()
  private var focus: GTKFocus?

  static func main() throws {
    let names = ["entry", "text", "window"]
    let types = names.map { "org.example.probe.\($0)" }
    let manifest = AppManifest(appID: "org.example.probe", name: "Probe", activityTypes: types)
    _ = try Application(manifest: manifest)
    guard let gtk = write_application_new(manifest.appID) else { return }
    let probe = FocusProbe(types)
    Signals.connect(gtk, to: "activate") { probe.show(gtk) }
    MainQueue.join {}
    _ = write_application_run(gtk, 0, nil)
  }

  private init(_ types: [String]) {
    for (owner, type) in zip([entry, text, window], types) {
      owner.userActivity = UserActivity(activityType: type)
    }
    for part in [entry, text] { part.nextResponder = window }
  }

  private func show(_ gtk: UnsafeMutablePointer<GtkApplication>) {
    guard let widget = write_window_new(gtk, 400, 300), let box = write_box_new(1, 0),
      let entry = gtk_entry_new(), let text = write_view_new(), let button = write_button_new("Button")
    else { return }
    gtk_widget_set_vexpand(text, 1)
    for part in [entry, text, button] { write_box_append(box, part) }
    write_window_set_child(widget, box)
    write_window_set_title(widget, "Probe")
    let focus = GTKFocus(widget, for: window) { [weak self] in self?.tell() }
    focus.follow(entry, as: self.entry)
    focus.follow(text, as: self.text)
    self.focus = focus
    // Behind what follows the focus, which was connected first.
    Signals.connect(widget, toChangeOf: "focus-widget") { [weak self] in self?.tell() }
    write_window_present(widget)
  }

  private func tell() {
    let current = [entry, text, window].compactMap(\.userActivity).first(where: \.isCurrent)
    FileHandle.standardOutput.write(Data("current: \(current?.activityType ?? "none")\n".utf8))
  }
}
