// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire

/// Reads the records that lie in the folders, a part at a time, and keeps this device's own one there. Loop
/// thread only.
final class RecordCollector {
  /// Who is told of what is found.
  struct Listener {
    /// What a record says.
    var news: (DeviceRecords.News) -> Void
    /// Folders have another identity than before.
    var changes: (FolderRegistry.Changes) -> Void
    /// A folder, or a part of it, was read.
    var read: () -> Void
  }

  private let ports: AgentPorts
  private let folders: FolderRegistry
  private let records: DeviceRecords
  private let circle: DeviceCircle
  private let exchange: ExchangeDriver
  private let listener: Listener
  private var collecting: Set<RootNumber> = []
  /// Where this device's record was found missing, and when it is laid there again.
  private var ownRecords: [RootNumber: OwnRecordMachine] = [:]
  private var ownRecordTimers: [RootNumber: TimerNumber] = [:]
  /// Folders whose records this device's own disk refused to remember: they are read again later.
  private(set) var recollecting: Set<RootNumber> = []
  /// Folders of which a part is still to be read.
  private var continuing: Set<RootNumber> = []

  init(
    ports: AgentPorts, folders: FolderRegistry, records: DeviceRecords, circle: DeviceCircle,
    exchange: ExchangeDriver, listener: Listener
  ) {
    self.ports = ports
    self.folders = folders
    self.records = records
    self.circle = circle
    self.exchange = exchange
    self.listener = listener
  }

  /// Reads the folder soon: many hints of one moment lead to one reading.
  func schedule(_ root: RootNumber) {
    guard collecting.insert(root).inserted else { return }
    ports.scheduler.schedule(at: ports.now) { [weak self] in
      self?.collecting.remove(root)
      self?.collect(root)
    }
  }

  /// Reads the folder now: which identity it has, and what records say.
  func collect(_ number: RootNumber) {
    listener.changes(folders.refreshIdentities(number))
    guard let transport = folders.presence(of: number)?.transport else { return }
    handle(records.reader.collect(transport), of: transport, in: number)
  }

  /// Goes on with what was listed: a part at a time, with pauses, for junk may lie there by the thousand.
  private func collectRest(_ number: RootNumber) {
    guard let transport = folders.presence(of: number)?.transport, transport.hasMore else { return }
    handle(records.reader.collect(transport, isRest: true), of: transport, in: number)
  }

  private func handle(
    _ found: (news: [DeviceRecords.News], isComplete: Bool), of transport: FolderTransport,
    in number: RootNumber
  ) {
    for each in found.news { listener.news(each) }
    if transport.hasMore {
      collectMore(number)
    } else if !found.isComplete {
      collectAgain(number)
    }
    keepOwnRecord(in: number, .looked(isIntact: records.publisher.isIntact(in: number)))
    listener.read()
  }

  private func collectMore(_ number: RootNumber) {
    guard continuing.insert(number).inserted else { return }
    ports.scheduler.schedule(at: ports.now + .milliseconds(100)) { [weak self] in
      self?.continuing.remove(number)
      self?.collectRest(number)
    }
  }

  private func collectAgain(_ number: RootNumber) {
    guard recollecting.insert(number).inserted else { return }
    ports.scheduler.schedule(at: ports.now + .seconds(30)) { [weak self] in
      self?.recollecting.remove(number)
      self?.schedule(number)
    }
  }

  /// Who may be believed has changed: records that were refused may count now.
  func readEverythingAgain() {
    for root in folders.roots {
      root.presence?.transport.forget()
      schedule(root.number)
    }
  }

  /// Lays this device's record into the folder again when that has lost it, as `OwnRecordMachine` says.
  private func keepOwnRecord(in number: RootNumber, _ event: OwnRecordMachine.Event) {
    guard folders.presence(of: number) != nil else { return }
    for action in ownRecords[number, default: OwnRecordMachine()].handle(event, at: ports.now) {
      switch action {
      case .look: keepOwnRecord(in: number, .looked(isIntact: records.publisher.isIntact(in: number)))
      case .write:
        ports.log("this device's record was missing or altered in a folder, and is written again")
        if !records.publisher.hasToldRoster { circle.publishRoster() }
        layAgain(in: number)
      case .wake(let moment):
        ports.scheduler.cancel(ownRecordTimers.removeValue(forKey: number))
        ownRecordTimers[number] = moment.map {
          ports.scheduler.schedule(at: $0) { [weak self] in self?.keepOwnRecord(in: number, .timer) }
        }
      }
    }
  }

  private func layAgain(in number: RootNumber) {
    guard records.publisher.current != nil else { return exchange.feed(.audienceChanged) }
    records.publisher.supply(number)
  }
}
