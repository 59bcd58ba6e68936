// SPDX-License-Identifier: MIT

import ActivityWire
import ActivityModel

/// Finds out whether changes in a folder raise events, where its file system is not known to: a cookie file
/// whose `synchronized` does not come means that they do not. Loop thread only.
final class EventProbes {
  private struct Probe {
    let cookie: [UInt8]
    let records: any OwnFiles
    let timer: TimerNumber
  }

  /// How long an event may take to come; a busy queue is told in far less.
  private static let patience = Duration.seconds(5)

  private let ports: AgentPorts
  private var probes: [RootNumber: Probe] = [:]

  init(ports: AgentPorts) { self.ports = ports }

  /// Calls `onSilence` when no event comes in time.
  func begin(_ root: RootNumber, in records: any OwnFiles, onSilence: @escaping () -> Void) {
    // The root is watched anew: the event of an earlier cookie may have gone with the earlier watch.
    forget(root)
    guard !records.raisesEvents else { return }
    let cookie = Array((ports.identifier() as RequestID).bytes.prefix(8))
    // Where nothing can be written the folder's own documents cannot be saved either.
    guard records.makeEmpty(WatchCookie.name(for: cookie)) else { return }
    let timer = ports.scheduler.schedule(at: ports.now + Self.patience) { [weak self] in
      self?.forget(root)
      self?.ports.log("a folder's events do not come; it is looked at again and again")
      onSilence()
    }
    probes[root] = Probe(cookie: cookie, records: records, timer: timer)
  }

  func answered(_ root: RootNumber, _ cookie: [UInt8]) {
    if probes[root]?.cookie == cookie { forget(root) }
  }

  func forget(_ root: RootNumber) {
    guard let probe = probes.removeValue(forKey: root) else { return }
    ports.scheduler.cancel(probe.timer)
    // A folder that is away keeps an empty file of a name that nobody reads.
    try? probe.records.remove(String(decoding: WatchCookie.name(for: probe.cookie), as: UTF8.self))
  }
}
