// SPDX-License-Identifier: MIT

import CDesktopGLib

/// What a source of GLib's loop calls. GLib holds it, and lets go when the source is gone.
final class LoopAction {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }

  var held: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func of(_ context: gpointer?) -> LoopAction? {
    context.map { Unmanaged<LoopAction>.fromOpaque($0).takeUnretainedValue() }
  }

  static let release: GDestroyNotify = { context in
    if let context { Unmanaged<LoopAction>.fromOpaque(context).release() }
  }
}

/// Calls back once, so many milliseconds from now, unless it is let go before.
final class LoopTimer {
  private var source: guint = 0

  init(milliseconds: guint, _ body: @escaping () -> Void) {
    let action = LoopAction { [weak self] in
      self?.source = 0
      body()
    }
    source = g_timeout_add_full(
      G_PRIORITY_DEFAULT, milliseconds,
      { context in
        LoopAction.of(context)?.run()
        return 0
      }, action.held, LoopAction.release)
  }

  deinit {
    if source != 0 { g_source_remove(source) }
  }
}

/// Calls back whenever a descriptor is ready, or hung up, until it is let go.
final class LoopWatch {
  private let source: guint

  init(_ descriptor: Int32, for condition: GIOCondition, _ body: @escaping () -> Void) {
    let conditions = GIOCondition(
      rawValue: condition.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
    source = g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, descriptor, conditions,
      { _, _, context in
        LoopAction.of(context)?.run()
        return 1
      }, LoopAction(body).held, LoopAction.release)
  }

  deinit { g_source_remove(source) }
}
