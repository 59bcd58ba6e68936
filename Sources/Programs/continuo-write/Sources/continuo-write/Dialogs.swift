// SPDX-License-Identifier: MIT

import CGtk
import Foundation
import GTKContinuo

/// Asks for a file.
@MainActor enum FileDialog {
  /// The dialogs that are open: GTK keeps none of them.
  private static var open: [OpaquePointer: OpaquePointer] = [:]

  /// Calls `chosen` with the file's URL, nil when the person dismissed the dialog.
  static func show(
    for window: Widget?, isSaving: Bool, folder: String?, name: String? = nil,
    chosen: @escaping @MainActor (URL?) -> Void
  ) {
    guard let dialog = write_chooser_new(window, isSaving ? 1 : 0, folder, name) else { return chosen(nil) }
    open[dialog] = dialog
    Signals.connect(dialog: UnsafeMutableRawPointer(dialog)) { answer in
      guard open.removeValue(forKey: dialog) != nil else { return }
      var url: URL?
      if answer == Int(GTK_RESPONSE_ACCEPT.rawValue), let file = write_chooser_file(dialog) {
        if let address = write_file_uri(file) {
          url = URL(string: String(cString: address))
          g_free(address)
        }
        g_object_unref(UnsafeMutableRawPointer(file))
      }
      chosen(url)
      g_object_unref(UnsafeMutableRawPointer(dialog))
    }
    write_chooser_show(dialog)
  }
}

/// Asks one question with three answers.
@MainActor enum Question {
  /// The number of the answer; 1, the middle one, when the dialog is dismissed.
  static func ask(
    for window: Widget, text: String, detail: String, answers: (String, String, String)
  ) async -> Int {
    await withCheckedContinuation { (answer: CheckedContinuation<Int, Never>) in
      guard
        let dialog = write_question_new(window, text, detail, answers.0, answers.1, answers.2)
      else { return answer.resume(returning: 1) }
      var isAnswered = false
      Signals.connect(dialog: dialog) { number in
        guard !isAnswered else { return }
        isAnswered = true
        write_window_destroy(dialog)
        answer.resume(returning: (0...2).contains(number) ? number : 1)
      }
      write_window_present(dialog)
    }
  }
}
