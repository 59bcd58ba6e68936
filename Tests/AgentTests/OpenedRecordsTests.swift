// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LinuxSystem
import Testing
import Trust
import TrustCiphers

@testable import Agent
@testable import AgentEngine

/// What is known of a record that is read again, and when nothing of it is.
@Suite struct OpenedRecordsTests {
  private let identity: Identity
  private var generator = SystemRandomNumberGenerator()

  init() throws {
    identity = try Identity.found(name: "desk", at: .now, using: &generator, ciphers: StandardCiphers())
  }

  private mutating func record(_ sequence: UInt64, of activities: Int = 0) throws -> [UInt8] {
    var state = DeviceState(issuedAt: .now, bootNonce: [UInt8](repeating: 9, count: 16))
    for _ in 0..<activities {
      var snapshot = ActivitySnapshot(id: .random(), type: "a.b", appID: "a", changedAt: .now)
      snapshot.title = String(repeating: "x", count: 200)
      state.activities.append(snapshot)
    }
    return try identity.stateFile(state.recordPayload().bytes, sequence: sequence, using: &generator).bytes
  }

  /// How often each of the records is opened when they are read one after the other.
  private func opened(
    _ reads: [(bytes: [UInt8], changes: Int)], in records: inout OpenedRecords
  ) throws -> [UInt64] {
    var opened: [UInt64] = []
    for (bytes, changes) in reads {
      let read = try records.record(
        bytes, header: RecordHeader(record: bytes), changes: changes, ciphers: StandardCiphers()
      ) { (bytes) throws(ContinuityError) in
        let record = try identity.open(bytes)
        opened.append(record.sequence)
        return record
      }
      #expect(read.opened == (try identity.open(bytes)))
      #expect(read.hash == StandardCiphers().hash(bytes))
      #expect(try read.state() == DeviceState(recordPayload: read.opened.payload))
    }
    return opened
  }

  @Test("a record that is read again as it was is not opened again")
  mutating func again() throws {
    var records = OpenedRecords()
    let (first, second) = (try record(1), try record(2))
    let reads = [first, second, first, second, first].map { (bytes: $0, changes: 0) }
    #expect(try opened(reads, in: &records) == [1, 2])
  }

  @Test("who may be believed is asked anew once the identity was changed")
  mutating func changedIdentity() throws {
    var records = OpenedRecords()
    let bytes = try record(1)
    let reads = [0, 0, 1, 1, 2].map { (bytes: bytes, changes: $0) }
    #expect(try opened(reads, in: &records) == [1, 1, 1])
  }

  @Test("a record with the header of another one is opened, and refused")
  mutating func sameHeader() throws {
    var records = OpenedRecords()
    let bytes = try record(1)
    var altered = bytes
    altered[RecordHeader.size] ^= 1
    #expect(try opened([(bytes, 0)], in: &records) == [1])
    var attempts = 0
    let refused = #expect(throws: ContinuityError.self) {
      try records.record(
        altered, header: RecordHeader(record: altered), changes: 0, ciphers: StandardCiphers()
      ) { (bytes) throws(ContinuityError) in
        attempts += 1
        return try identity.open(bytes)
      }
    }
    #expect(attempts == 1 && refused?.subject == "seal")
    #expect(try opened([(bytes, 0)], in: &records) == [])
  }

  @Test("however many records there are, a bounded number of bytes is kept")
  mutating func bounded() throws {
    var records = OpenedRecords()
    let large = try record(1, of: 8)
    let count = OpenedRecords.byteLimit / large.count + 1
    var reads: [(bytes: [UInt8], changes: Int)] = [(large, 0)]
    for sequence in 2...UInt64(count) { reads.append((try record(sequence, of: 8), 0)) }
    #expect(try opened(reads, in: &records).count == count)
    #expect(try opened([(large, 0), (large, 0)], in: &records) == [1])
  }
}
