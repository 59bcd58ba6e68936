// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel

extension AgentCore {
  /// Lays this device's record into the folder again when that has lost it, as `OwnRecordMachine` says.
  func keepOwnRecord(in number: RootNumber, _ event: OwnRecordMachine.Event) {
    guard folders.root(number)?.presence != nil else { return }
    for action in ownRecords[number, default: OwnRecordMachine()].handle(event, at: ports.now) {
      switch action {
      case .look: keepOwnRecord(in: number, .looked(isIntact: records.isIntact(in: number)))
      case .write:
        ports.log("this device's record was missing or altered in a folder, and is written again")
        if !records.hasToldRoster { circle.publishRoster() }
        if records.current == nil { feed(.audienceChanged) } else { records.supply(number) }
      case .wake(let moment):
        ports.scheduler.cancel(ownRecordTimers.removeValue(forKey: number))
        ownRecordTimers[number] = moment.map {
          ports.scheduler.schedule(at: $0) { [weak self] in self?.keepOwnRecord(in: number, .timer) }
        }
      }
    }
  }
}
