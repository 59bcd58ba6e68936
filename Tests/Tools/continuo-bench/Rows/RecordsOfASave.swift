// SPDX-License-Identifier: MIT

import Glibc

/// How often the agent writes this device's record for one save: a letter is typed, and the editor saves the
/// file by itself. The peer is the same time in which nobody types.
@MainActor enum RecordsOfASave {
  static var row: Row {
    Row(
      name: "records written for one save", unit: "records", peerName: "no save", rounds: 5,
      target: .ours(atMost: 1)
    ) {
      let stage = try Stage()
      do {
        let records = try RecordEvents(in: stage.records)
        let (pane, _) = try stage.terminals.start(stage.place(.small).ours)
        _ = try stage.terminals.waitToShow(LogFile.mark(1), on: pane)
        return Contest(
          ours: {
            try records.countAround { try stage.terminals.press("x", on: pane) }
          }, peer: { try records.countAround {} }, end: { stage.end() })
      } catch {
        stage.end()
        throw error
      }
    }
  }
}

/// Tells of records that are put into a folder.
@MainActor private final class RecordEvents {
  private let events: Int32
  /// Longer than an agent waits between two records, and an editor between two saves.
  private static let milliseconds: Int32 = 5000

  init(in folder: String) throws {
    events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard events >= 0, inotify_add_watch(events, folder, UInt32(IN_MOVED_TO)) >= 0 else {
      throw Failure.system(folder)
    }
  }

  isolated deinit { close(events) }

  /// How many come from `body` on until there was none for a while.
  func countAround(_ body: () throws -> Void) throws -> Double {
    while take() > 0 || waits() {}
    try body()
    var count = 0
    while true {
      count += take()
      guard waits() else { return Double(count) }
    }
  }

  private func waits() -> Bool {
    var ready = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, Self.milliseconds) > 0
  }

  private func take() -> Int {
    var buffer = [UInt8](repeating: 0, count: 16384)
    let size = read(events, &buffer, buffer.count)
    return size > 0 ? String(decoding: buffer[..<size], as: UTF8.self).ranges(of: ".rec\0").count : 0
  }
}
