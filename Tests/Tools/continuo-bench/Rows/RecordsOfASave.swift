// SPDX-License-Identifier: MIT

import LinuxSystem

/// How often the agent writes this device's record for one save: a letter is typed, and the editor saves the
/// file by itself. The peer is the same time in which nobody types.
@MainActor enum RecordsOfASave {
  static var row: Row {
    Row(
      name: "records written for one save", unit: "records", peerName: "no save", rounds: 5,
      target: .ours(atMost: 1)
    ) {
      let sandbox = try Sandbox()
      do {
        let records = try RecordEvents(in: sandbox.records)
        let (pane, _) = try sandbox.terminals.start(sandbox.place(.small).ours)
        _ = try sandbox.terminals.waitToShow(LogFile.mark(1), on: pane)
        return Contest(
          ours: {
            try records.countAround { try sandbox.terminals.press("x", on: pane) }
          }, peer: { try records.countAround {} }, end: { sandbox.close() })
      } catch {
        sandbox.close()
        throw error
      }
    }
  }
}

/// Tells of records that are put into a folder.
@MainActor private final class RecordEvents {
  private let notices: FolderNotices
  /// Longer than an agent waits between two records, and an editor between two saves.
  private static let pause = Duration.seconds(5)

  init(in folder: String) throws {
    do throws(Errno) {
      notices = try FolderNotices()
      try notices.watch(FilePath(folder), for: .movedTo)
    } catch {
      throw Failure("\(folder): \(error.text)")
    }
  }

  /// How many come from `body` on until there was none for a while.
  func countAround(_ body: () throws -> Void) throws -> Double {
    while read() > 0 || waits() {}
    try body()
    var count = 0
    while true {
      count += read()
      guard waits() else { return Double(count) }
    }
  }

  private func waits() -> Bool { Poll.wait(for: notices.descriptor, until: .readable, atMost: Self.pause) }

  private func read() -> Int { notices.read().count { $0.name.suffix(4) == Array(".rec".utf8)[...] } }
}
