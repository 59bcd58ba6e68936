// SPDX-License-Identifier: MIT

import Glibc

/// The monotonic clock, in nanoseconds.
func now() -> UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

/// What this thread has computed so far, in nanoseconds: for calls that wait for nothing, so that it does not
/// count when another program has the processor.
func processorTime() -> UInt64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// From a moment to another, in milliseconds.
func milliseconds(from start: UInt64, to end: UInt64) -> Double { Double(end - start) / 1_000_000 }

/// Lets so much time pass: for what is measured over a time, or told by nothing but that nothing happens.
func pass(milliseconds: Int32) { poll(nil, 0, milliseconds) }
