// SPDX-License-Identifier: MIT

import ActivityWire
import ActivityModel
import FolderAccess

/// Finds out whether changes in a folder raise events, where its file system is not known to: a cookie file
/// whose `synchronized` does not come means that they do not. Loop thread only.
final class EventProbes {
  private struct Probe {
    let cookie: [UInt8]
    let records: OwnDirectory
    let timer: EventLoop.TimerNumber
  }

  /// File systems of this computer's kernel; a synced folder on one of them gets no cookie file.
  private static let telling: Set<Int64> = [
    0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e, 0x3153_464a,
    0x2011_bab0, 0x4d44, 0x7366_746e, 0x8584_58f6, 0x794c_7630, 0xf15f, 0x5265_4973,
  ]

  /// How long an event may take to come; a busy queue is told in far less.
  private static let patience = Duration.seconds(5)

  private let loop: EventLoop
  private var probes: [RootNumber: Probe] = [:]

  init(loop: EventLoop) { self.loop = loop }

  /// Calls `onSilence` when no event comes in time.
  func begin(_ root: RootNumber, in records: OwnDirectory, onSilence: @escaping () -> Void) {
    // The root is watched anew: the event of an earlier cookie may have gone with the earlier watch.
    forget(root)
    guard !Self.telling.contains(records.fileSystem & 0xffff_ffff) else {
      return
    }
    let cookie = Array(RequestID.random().bytes.prefix(8))
    // Where nothing can be written the folder's own documents cannot be saved either.
    guard records.makeEmpty(WatchCookie.name(for: cookie)) else { return }
    let timer = loop.schedule(at: .now + Self.patience) { [weak self] in
      self?.forget(root)
      AgentLog.note("a folder's events do not come; it is looked at again and again")
      onSilence()
    }
    probes[root] = Probe(cookie: cookie, records: records, timer: timer)
  }

  func answered(_ root: RootNumber, _ cookie: [UInt8]) {
    if probes[root]?.cookie == cookie { forget(root) }
  }

  func forget(_ root: RootNumber) {
    guard let probe = probes.removeValue(forKey: root) else { return }
    loop.cancel(probe.timer)
    // A folder that is away keeps an empty file of a name that nobody reads.
    try? probe.records.remove(String(decoding: WatchCookie.name(for: probe.cookie), as: UTF8.self))
  }
}
