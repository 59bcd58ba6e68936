// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The monotonic clock, in nanoseconds.
func now() -> UInt64 { Instant.now.nanoseconds }

/// What this thread has computed so far, in nanoseconds: for calls that wait for nothing, so that it does not
/// count when another program has the processor.
func processorTime() -> UInt64 { ProcessorTime.ofThisThread.nanoseconds }

/// From a moment to another, in milliseconds.
func milliseconds(from start: UInt64, to end: UInt64) -> Double { Double(end - start) / 1_000_000 }

/// Lets so much time pass: for what is measured over a time, or told by nothing but that nothing happens.
func pass(milliseconds: Int32) {
  var none: [Poll.Entry] = []
  Poll.wait(for: &none, atMost: .milliseconds(milliseconds))
}
