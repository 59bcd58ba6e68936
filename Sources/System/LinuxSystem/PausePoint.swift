// SPDX-License-Identifier: MIT

import CLinux

/// Where tests hold a program, to end it there or to do something beside it.
public enum PausePoint {
  /// In a build for tests, waits here when a test has armed the point of that number; elsewhere nothing
  /// happens. On any thread.
  public static func reach(_ number: CInt) { continuo_pause_point(number) }
}
