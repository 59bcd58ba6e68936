// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import GTKContinuo
import TextEditing
import WindowEditing

/// Keeps on the disk which windows are open.
@MainActor final class WindowShelf {
  private let place = OpenWindows.place(environment: ProcessInfo.processInfo.environment)
  private var written: OpenWindows?
  private var isDue = false

  /// What the last start left open.
  func read() -> OpenWindows {
    guard let place, let data = try? Data(contentsOf: place) else { return OpenWindows() }
    return OpenWindows(data: data)
  }

  /// Something may have changed: it is written a moment later, once for all that changes until then.
  func note(_ entries: @escaping @MainActor () -> [OpenWindows.Entry]) {
    guard !isDue, OpenWindows(entries()) != written else { return }
    isDue = true
    MainQueue.after(milliseconds: 500) { [weak self] in
      self?.isDue = false
      self?.write(entries())
    }
  }

  /// Writes it now. What cannot be kept is not worth a word: the texts are kept by the framework.
  func write(_ entries: [OpenWindows.Entry]) {
    let list = OpenWindows(entries)
    guard let place, list != written else { return }
    written = list
    let folder = place.deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? list.data.write(to: place, options: .atomic)
  }
}
