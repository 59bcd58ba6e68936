// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust

/// A record that was opened, and what follows from its bytes and the identity under which that was done. Loop
/// thread only.
final class ReadRecord {
  /// What was sealed.
  let opened: OpenedRecord
  /// Of the whole file.
  private(set) lazy var hash = ciphers.hash(bytes)
  /// Whether the identity, as it is, has taken in all that this roster tells.
  var isMerged = false
  fileprivate let bytes: [UInt8]
  private var decoded: DeviceState?

  private let ciphers: any CipherSuite

  fileprivate init(
    _ bytes: [UInt8], _ opened: OpenedRecord, ciphers: any CipherSuite, state: DeviceState? = nil
  ) {
    (self.bytes, self.opened, self.ciphers, decoded) = (bytes, opened, ciphers, state)
  }

  /// The state that it tells. Throws what `DeviceState.init(recordPayload:)` throws.
  func state() throws(ContinuityError) -> DeviceState {
    if let decoded { return decoded }
    let state = try DeviceState(recordPayload: opened.payload)
    decoded = state
    return state
  }
}

/// The records that were opened since the identity last changed. A file is read at each hint until its stamp
/// is old enough to stand for its bytes, mostly some times; it is unsealed, verified and decoded once. Only
/// what the bytes and the identity say is kept, nothing that depends on time or on other records.
final class OpenedRecords {
  /// The most bytes of records that are kept.
  static let byteLimit = 1 << 20

  /// By the random bytes of their headers, which no honest device uses twice.
  private var records: [ByteKey: ReadRecord] = [:]
  private var size = 0
  private var changes = 0

  /// The record that `bytes` are, whose header is `header`; `open` is called where it is not known.
  /// `changes` counts the changes of the identity: with each of them all is opened anew.
  ///
  /// Throws what `open` throws.
  func record(
    _ bytes: [UInt8], header: RecordHeader, changes: Int, ciphers: any CipherSuite,
    open: ([UInt8]) throws(ContinuityError) -> OpenedRecord
  ) throws(ContinuityError) -> ReadRecord {
    forget(unless: changes)
    let key = ByteKey(header.random)
    if let known = records[key], known.bytes == bytes { return known }
    let record = ReadRecord(bytes, try open(bytes), ciphers: ciphers)
    keep(record, under: key)
    return record
  }

  /// A record that this device has just sealed itself and that tells `state`: it comes back from each folder.
  func record(
    sealed bytes: [UInt8], as opened: OpenedRecord, telling state: DeviceState, changes: Int,
    ciphers: any CipherSuite
  ) {
    guard let header = try? RecordHeader(record: bytes) else { return }
    forget(unless: changes)
    keep(ReadRecord(bytes, opened, ciphers: ciphers, state: state), under: ByteKey(header.random))
  }

  private func forget(unless changes: Int) {
    if self.changes != changes { (records, size, self.changes) = ([:], 0, changes) }
  }

  private func keep(_ record: ReadRecord, under random: ByteKey) {
    size += record.bytes.count
    if size > Self.byteLimit { (records, size) = ([:], record.bytes.count) }
    if let former = records.updateValue(record, forKey: random) { size -= former.bytes.count }
  }
}
