// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel
import ActivityWire
public import FolderAccess
import Glibc
import SyncedFolders

/// Records as files in `.continuo` of one synced folder: needs no network of its own, and the device that wrote
/// them may be switched off.
///
/// Each device writes only files of its own, so an engine has nothing to merge; a reader takes every file of a
/// possible size whatever its name, so an engine's conflict copies of records are harmless (threat T42).
public final class FolderTransport: Transport {
  /// The most files looked at in one call, and the most bytes read (threat T25).
  public static let fileLimit = 256
  /// See `fileLimit`.
  public static let byteLimit = 16 << 20

  private let records: OwnDirectory
  private let folder: SyncedDirectory
  private var known: [[UInt8]: FileObservation] = [:]

  /// The records of `folder`, whose `.continuo` is `records`.
  public init(folder: SyncedDirectory, records: OwnDirectory) {
    self.folder = folder
    self.records = records
  }

  /// See `Transport`. Readable by the user's engine whatever account it runs under: the bytes are sealed.
  public func publish(_ record: [UInt8], named name: String) throws(ContinuityError) {
    try records.replace(name, with: record, mode: 0o644)
  }

  /// See `Transport`.
  public func retract(_ name: String) throws(ContinuityError) { try records.remove(name) }

  /// See `Transport`. A file whose stamp is that of its last reading is not read again.
  public func collect() -> [[UInt8]] {
    // A directory that cannot be listed now is listed again at the next hint or scan.
    guard let listing = try? records.list(limit: 4 * Self.fileLimit) else { return [] }
    var found: [[UInt8]] = []
    var observations: [[UInt8]: FileObservation] = [:]
    var bytesLeft = Self.byteLimit
    for entry in listing.entries.sorted(by: recordsFirst).prefix(Self.fileLimit) where entry.kind == .regular
    {
      guard let path = RelativePath(components: [Array(".continuo".utf8), entry.name]) else { continue }
      let observation = folder.observe(path)
      guard case .file(let stamp) = observation, RecordHeader.recordSizes.contains(Int(clamping: stamp.size))
      else { continue }
      observations[entry.name] = observation
      guard known[entry.name] != observation, bytesLeft >= Int(stamp.size),
        let name = String(validating: entry.name, as: UTF8.self),
        let bytes = try? records.read(name, limit: Int(stamp.size))
      else { continue }
      bytesLeft -= bytes.count
      found.append(bytes)
      // Written within one tick of the file system's clock, the next change might not show in the stamp.
      if isFresh(stamp) { observations[entry.name] = nil }
    }
    known = observations
    return found
  }

  /// Lets the next `collect` read everything again: the roster grew, or events were lost.
  public func forget() { known = [:] }

  private func isFresh(_ stamp: FileStamp) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - stamp.changed < 20_000_000
  }

  private func recordsFirst(_ left: FolderListing.Entry, _ right: FolderListing.Entry) -> Bool {
    func rank(_ name: [UInt8]) -> Int {
      let known = ["r-", "d-", "i-"].firstIndex { name.starts(with: $0.utf8) }
      return known ?? 3
    }
    let (a, b) = (rank(left.name), rank(right.name))
    return a != b ? a < b : left.name.lexicographicallyPrecedes(right.name)
  }
}
