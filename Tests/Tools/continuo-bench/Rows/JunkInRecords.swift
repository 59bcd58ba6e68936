// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
// Makes the folders of FolderAccess those that the engine asks for.
import Agent
import AgentEngine
import FolderAccess
import LinuxSystem

/// From opening a synced folder whose `.continuo` holds 10,000 files of others to the record of a device of
/// the circle, which must come with the first look. The peer lists the same files and looks at each.
@MainActor enum JunkInRecords {
  private static let count = 10_000

  static var row: Row {
    Row(
      name: "first look at 10,000 junk files", unit: "ms", peerName: "list and stat", rounds: 9,
      target: .ours(atMost: 200)
    ) {
      let root = try Files.makeTemporaryDirectory()
      do {
        let record = try fill(root)
        return Contest(
          ours: { try timeLook(at: root, for: record) }, peer: { try timeListing(of: root + "/.continuo") },
          end: { Files.remove(root) })
      } catch {
        Files.remove(root)
        throw error
      }
    }
  }

  private static let name = "d-genuine.rec"

  /// Junk of all kinds that the tests know, and one record; gives its bytes.
  private static func fill(_ root: String) throws -> [UInt8] {
    let folder = root + "/.continuo"
    try Files.makeDirectory(folder)
    let size = RecordHeader.recordSizes[0]
    let header = RecordHeader(
      kind: .invitation, circleTag: [UInt8](repeating: 1, count: 16), epoch: 0, sequence: 1,
      random: [UInt8](repeating: 2, count: 16), sealedLength: UInt32(size - RecordHeader.size))
    let forged = header.bytes + [UInt8](repeating: 7, count: size - RecordHeader.size)
    for number in 0..<count {
      let digits = String(number)
      switch number % 5 {
      case 0: try write([], "\(folder)/r-\(digits).rst")
      case 1: try write([UInt8](repeating: 1, count: size), "\(folder)/d-\(digits).rec")
      case 2: try write(forged, "\(folder)/i-\(digits).inv")
      case 3: try write([UInt8](repeating: 0x41, count: 51), "\(folder)/f-\(digits).id")
      default: try FilePath("\(folder)/odd-\(digits)").makeSymbolicLink(to: FilePath("/dev/zero"))
      }
    }
    let record = [UInt8](repeating: 9, count: RecordHeader.recordSizes[1])
    try write(record, "\(folder)/\(name)")
    return record
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    do throws(Errno) {
      try FilePath(path).open([.writeOnly, .create], mode: 0o644).writeAll(bytes)
    } catch { throw Failure("\(path): \(error.text)") }
  }

  private static func timeLook(at root: String, for record: [UInt8]) throws -> Double {
    let start = now()
    let folder = try SyncedDirectory(path: Array(root.utf8))
    guard let records = try OwnDirectory.records(in: folder, creating: false) else {
      throw Failure("\(root) has no records")
    }
    let transport = FolderTransport(folder: folder, records: records)
    transport.expectedNames = [name]
    let found = transport.collect()
    let end = now()
    guard found.contains(record) else {
      throw Failure("the record is not among the \(found.count) that were read")
    }
    return milliseconds(from: start, to: end)
  }

  private static func timeListing(of folder: String) throws -> Double {
    let start = now()
    do throws(Errno) {
      let path = FilePath(folder)
      for name in try path.names() { _ = try path.appending(name).status(followingLinks: false) }
    } catch { throw Failure("\(folder): \(error.text)") }
    return milliseconds(from: start, to: now())
  }
}
