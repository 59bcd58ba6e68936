// SPDX-License-Identifier: MIT

import CDispatchMain
import LinuxSystem

/// Lets a loop that is not Foundation's (poll(2), GLib, Qt) run the main queue, and with it the main actor.
///
/// For the thread that loaded libdispatch, normally the process's first one, and only when nothing else
/// drains the main queue (`RunLoop.main`, `dispatchMain()`, an asynchronous `main`).
public enum MainLoop {
  /// Readable while the main queue has work: poll it for input. -1 on a thread that cannot drain the queue.
  public static var descriptor: Int32 { _dispatch_get_main_queue_handle_4CF() }

  /// Runs what the main queue holds. Call it when `descriptor` is readable; traps on any other thread.
  public static func drain() {
    Wakeup.drain(descriptor)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
