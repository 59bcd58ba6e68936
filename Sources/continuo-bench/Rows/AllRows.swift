// SPDX-License-Identifier: MIT

extension Row {
  /// Every row, in the order of the table. A new one is put here.
  static var all: [Row] {
    [
      KeyToScreen.floor,
      KeyToScreen(name: "key to screen, small file", log: .small, place: .start).row,
      KeyToScreen(name: "key to screen, start of 50 MB", log: .large, place: .start).row,
      KeyToScreen(name: "key to screen, end of 50 MB", log: .large, place: .end).row,
      OpenLog.row("open a small file", .small, rounds: 30),
      OpenLog.row("open 50 MB log", .large, rounds: 15),
      NeedsSave.time,
      NeedsSave.allocations,
      NeedsSave.first,
    ]
  }
}
