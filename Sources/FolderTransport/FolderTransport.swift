// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel
import ActivityWire
public import FolderAccess
import Glibc
import SyncedFolders

/// Records as files in `.continuo` of one synced folder: needs no network of its own, and the device that
/// wrote them may be switched off.
///
/// Each device writes only files of its own, so an engine has nothing to merge; a reader takes every file of
/// a possible size whatever its name, so an engine's conflict copies of records are harmless (threat T42).
public final class FolderTransport: Transport {
  /// The most files looked at in one call, and the most bytes read (threat T25).
  public static let fileLimit = 256
  /// See `fileLimit`.
  public static let byteLimit = 16 << 20

  private let records: OwnDirectory
  private let folder: SyncedDirectory
  private var known: [[UInt8]: FileObservation] = [:]
  /// Whether the last `collect` could read all that may be a record. Else it is to be called again after a
  /// while: a disk that works again makes no event.
  public private(set) var isComplete = true
  /// The names under which the devices of the circle write: these files are looked at before any other,
  /// however many lie beside them (threat T25). Names carry no authority.
  public var expectedNames: Set<String> = []
  /// Names beyond this are not even listed.
  private static let nameLimit = 1 << 16

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

  /// See `Transport`. A file that was read with the stamp it has is not read again.
  public func collect() -> [[UInt8]] {
    isComplete = false
    guard let listing = try? records.list(limit: Self.nameLimit) else { return [] }
    isComplete = true
    var found: [[UInt8]] = []
    var read: [[UInt8]: FileObservation] = [:]
    var bytesLeft = Self.byteLimit
    for name in candidates(listing) {
      // No device of ours gives such a name.
      guard let text = String(validating: name, as: UTF8.self), let observation = observe(name) else {
        continue
      }
      if known[name] == observation {
        read[name] = observation
        continue
      }
      // What cannot be read, or not any more in this call, stays unknown and is tried again.
      guard bytesLeft > 0 else {
        isComplete = false
        continue
      }
      guard let bytes = bytes(of: text) else { continue }
      bytesLeft -= bytes.count
      found.append(bytes)
      // Written within one tick of the file system's clock, the next change might not show in the stamp.
      if case .file(let stamp) = observation, !isFresh(stamp) { read[name] = observation }
    }
    known = read
    return found
  }

  private func candidates(_ listing: FolderListing) -> [[UInt8]] {
    let files = listing.entries.filter { $0.kind == .regular }.map { (rank: rank($0.name), name: $0.name) }
    let sorted = files.sorted {
      $0.rank != $1.rank ? $0.rank < $1.rank : $0.name.lexicographicallyPrecedes($1.name)
    }
    return sorted.prefix(Self.fileLimit).map(\.name)
  }

  /// Nil for what cannot be a record, by its size.
  private func observe(_ name: [UInt8]) -> FileObservation? {
    guard let path = RelativePath(components: [SyncNames.recordFolder, name]) else { return nil }
    let observation = folder.observe(path)
    if case .unreadable = observation { isComplete = false }
    guard case .file(let stamp) = observation, RecordHeader.recordSizes.contains(Int(clamping: stamp.size))
    else { return nil }
    return observation
  }

  /// Nil for what is gone, or cannot be read.
  private func bytes(of name: String) -> [UInt8]? {
    do throws(ContinuityError) {
      return try records.read(name, limit: RecordHeader.recordSizes.max() ?? 0)
    } catch {
      isComplete = false
      return nil
    }
  }

  /// Lets the next `collect` read everything again: the roster grew, or events were lost.
  public func forget() { known = [:] }

  private func isFresh(_ stamp: FileStamp) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - stamp.changed < 20_000_000
  }

  private func rank(_ name: [UInt8]) -> Int {
    let isExpected = String(validating: name, as: UTF8.self).map(expectedNames.contains) ?? false
    let kind = ["r-", "d-", "i-"].firstIndex { name.starts(with: $0.utf8) } ?? 3
    return kind + (isExpected ? 0 : 4)
  }
}
