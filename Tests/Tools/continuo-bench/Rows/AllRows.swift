// SPDX-License-Identifier: MIT

/// What `make bench` measures.
@MainActor enum Rows {
  /// Every row, in the order of the table. A new one is put here.
  static var all: [any Measurable] {
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
      RecordsOfASave.row,
      CloseToHint.race,
      Drain.race,
      SetUp.race(folders: 10_000, rounds: 7),
      SetUp.race(folders: 100_000, rounds: 5),
      AfterOverflow.race,
      WatchMemory.row,
      JunkInRecords.row,
    ]
  }

  /// Rows that take minutes, or a million files.
  static var long: [any Measurable] {
    [
      MillionFiles.time, MillionFiles.hashes, IdleWakeUps.race, SavedActivities.race,
      SavedActivities.oneByOne,
    ]
  }
}
