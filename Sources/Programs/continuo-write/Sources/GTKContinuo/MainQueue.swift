// SPDX-License-Identifier: MIT

import CGtk
import Continuo

/// Lets GTK's loop run the main queue, and with it the main actor and all of Continuo.
@MainActor public enum MainQueue {
  /// Call it once, on the main thread, before GTK's loop runs. `drained` is called after each time that the
  /// queue was run. A program whose `main` is asynchronous must not call it: there Swift runs the queue.
  public static func join(drained: @escaping @MainActor () -> Void) {
    self.drained = drained
    let callback: GUnixFDSourceFunc = { _, _, _ in
      MainActor.assumeIsolated {
        MainLoop.drain()
        MainQueue.drained?()
      }
      return 1
    }
    g_unix_fd_add(MainLoop.descriptor, G_IO_IN, callback, nil)
  }

  private static var drained: (@MainActor () -> Void)?

  /// Calls `body` when the process is told to end, or its terminal goes.
  public static func onEnding(_ body: @escaping @MainActor () -> Void) {
    ending = body
    let callback: GSourceFunc = { _ in
      MainActor.assumeIsolated { MainQueue.ending?() }
      return 1
    }
    for signal in [Int32(1), 2, 15] { g_unix_signal_add(signal, callback, nil) }
  }

  private static var ending: (@MainActor () -> Void)?

  /// Calls `body` once, so many milliseconds later.
  public static func after(milliseconds: UInt32, body: @escaping @MainActor () -> Void) {
    g_timeout_add(milliseconds, callOnce, Unmanaged.passRetained(Call(body)).toOpaque())
  }

  /// Calls `body` once, as soon as there is no key to take and nothing to draw.
  public static func whenIdle(body: @escaping @MainActor () -> Void) {
    g_idle_add(callOnce, Unmanaged.passRetained(Call(body)).toOpaque())
  }

  private static let callOnce: GSourceFunc = { box in
    guard let box else { return 0 }
    let call = Unmanaged<Call>.fromOpaque(box).takeRetainedValue()
    MainActor.assumeIsolated { call.body() }
    return 0
  }

  private final class Call: Sendable {
    let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
  }
}
