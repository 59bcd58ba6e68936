// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

/// The records of this device and of those around it: who writes them, who reads them, and what a person
/// should know of them. Loop thread only.
final class DeviceRecords {
  /// What a collected record turned out to be.
  enum News {
    /// The state of another device, newer than all before it or seen for the first time in this run, and the
    /// tag of the key that it is sealed with.
    case state(DeviceID, name: String, sequence: UInt64, sealedFor: [UInt8], DeviceState)
    /// A part of what another device keeps for search.
    case saved(DeviceID, part: Int, sequence: UInt64, SavedActivityList)
    /// Others know more of the circle than this device did.
    case roster(RosterNews)
    /// This device's invitation was answered.
    case joined(RosterDevice, hasNewKey: Bool)
    /// Others know higher numbers of this device than it did: what it says now they would not believe. Or
    /// another computer left this identity to this device.
    case setBack
  }

  /// Writes what this device says.
  let publisher: RecordPublisher
  /// Believes what others say.
  let reader: RecordReader
  /// Whether another computer uses this device's identity.
  var isCopied: Bool { twins.isCopied }
  /// What this run of the agent says in each record.
  var bootNonce: [UInt8] { twins.bootNonce }
  private let twins: TwinGuard
  private let causes = RecordProblems()

  init(_ ports: AgentPorts, store: StateStore, folders: FolderRegistry, bootNonce: [UInt8]) {
    let opened = OpenedRecords()
    twins = TwinGuard(ports, store: store, problems: causes, bootNonce: bootNonce)
    publisher = RecordPublisher(ports, store: store, folders: folders, problems: causes, twins: twins) {
      opened.record(
        sealed: $0.bytes, as: $1, telling: $2, changes: store.identityChanges, ciphers: ports.ciphers)
    }
    reader = RecordReader(
      ports, store: store, problems: causes, twins: twins, publisher: publisher, opened: opened)
    folders.identityFileName = { [store] in store.fileName(.folder) }
    folders.holdsOwnRecord = { [weak publisher] in publisher?.holdsOwnRecord($0) ?? false }
  }

  /// What a person should know.
  var problems: [Reason] { causes.reasons + publisher.failures.map { .told($0) } }

  /// Forgets what was said and heard as the device that this one was.
  func beginAnew() {
    publisher.beginAnew()
    twins.beginAnew()
    causes.forget()
  }
}
