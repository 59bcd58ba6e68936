// SPDX-License-Identifier: MIT
//
// A loop around poll(2), as a terminal program has it.

import Callbacks
import Continuo
import Glibc

let callbacks = try Callbacks(name: "poll-host")
let start = ContinuousClock.now
while !callbacks.missing.isEmpty, ContinuousClock.now - start < .seconds(20) {
  var polled = pollfd(fd: MainLoop.descriptor, events: Int16(POLLIN), revents: 0)
  if poll(&polled, 1, 1000) > 0 { MainLoop.drain() }
}
exit(callbacks.finish())
