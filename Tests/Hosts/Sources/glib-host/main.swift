// SPDX-License-Identifier: MIT
//
// GLib's main loop, as GTK programs have it: one source drains the main queue.

import CGLib
import Callbacks
import Continuo
import Glibc

let loop = g_main_loop_new(nil, 0)
let callbacks = try Callbacks(name: "glib-host")
callbacks.completion = { g_main_loop_quit(loop) }
g_unix_fd_add(
  MainLoop.descriptor, G_IO_IN,
  { _, _, _ in
    MainLoop.drain()
    return 1
  }, nil)
g_timeout_add(
  20_000,
  { loop in
    g_main_loop_quit(OpaquePointer(loop))
    return 0
  }, UnsafeMutableRawPointer(loop))
g_main_loop_run(loop)
g_main_loop_unref(loop)
exit(callbacks.finish())
