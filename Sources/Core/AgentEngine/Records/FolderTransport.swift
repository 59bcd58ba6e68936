// SPDX-License-Identifier: MIT

import ActivityExchange
package import ActivityModel
import ActivityWire
import SyncedFolders

/// Records as files in `.continuo` of one synced folder: needs no network of its own, and the device that
/// wrote them may be switched off.
///
/// Each device writes only files of its own, so an engine has nothing to merge; a reader takes every file of
/// a possible size whatever its name, so an engine's conflict copies of records are harmless (threat T42).
package final class FolderTransport: Transport {
  /// The most files read in one call, and the most bytes (threat T25). What is over comes with the next call.
  package static let fileLimit = 256
  /// See `fileLimit`.
  package static let byteLimit = 16 << 20
  /// The most files whose bytes are remembered as read; beyond them only `expectedNames` are read.
  package static let knownLimit = 1 << 16

  private let records: any OwnFiles
  private let folder: any SyncedFolder
  /// Files that were read as they are.
  private var known: [ByteKey: Known] = [:]
  private var looks: UInt64 = 0
  /// Files that were tried and are not known for it: they could not be read, or were too young. And in which
  /// of the calls.
  private var tried: [ByteKey: (stamp: FileStamp, call: UInt64)] = [:]
  private var calls: UInt64 = 0
  /// Whether the last `collect` could read all that may be a record. Else it is to be called again after a
  /// while: a disk that works again makes no event.
  package var isComplete: Bool { isReadable && rest.isEmpty }
  /// Whether files are left that the last `collect` had no time for, and that were not tried before:
  /// `collectRest` is to be called soon.
  package private(set) var hasMore = false
  private var isReadable = true
  private var rest: [Candidate] = []
  /// How many files the last `collect` found that are no device's of the circle: another kind of file, a size
  /// that no record has, a name that is not expected. Sync engines leave a few, and pairing needs one or two.
  package private(set) var junkCount = 0
  /// The other devices of the circle whose records were read here.
  private(set) var heard: Set<DeviceID> = []
  /// How many files that `collect` gave since `beginReading` are no records of the circle, or not as a device
  /// of it wrote them.
  private(set) var refused: UInt64 = 0
  /// Whether one of them is a record of the circle in a format that this release does not know.
  private(set) var hasNewer = false
  /// The names under which the devices of the circle write: these files are read before any other, however
  /// many lie beside them (threat T25). Names carry no authority.
  package var expectedNames: Set<String> = [] {
    didSet {
      guard expectedNames != oldValue else { return }
      known = known.mapValues { file in
        var file = file
        file.isExpected = expectedNames.contains(file.text)
        return file
      }
    }
  }

  /// The records of `folder`, whose `.continuo` is `records`.
  package init(folder: any SyncedFolder, records: any OwnFiles) {
    self.folder = folder
    self.records = records
  }

  /// What was read is judged anew.
  func beginReading() { (refused, hasNewer) = (0, false) }

  func noteHeard(_ device: DeviceID) { heard.insert(device) }

  func noteRefused() { refused += 1 }

  func noteNewer() { hasNewer = true }

  /// See `Transport`. Readable by the user's engine whatever account it runs under: the bytes are sealed.
  /// Throws `folderUnavailable`.
  package func publish(_ record: [UInt8], named name: String) throws(ContinuityError) {
    try records.replace(name, with: record, isShared: true)
  }

  /// See `Transport`. Throws `folderUnavailable`.
  package func retract(_ name: String) throws(ContinuityError) { try records.remove(name) }

  /// See `Transport`. A file that was read with the stamp it has is not read again, so that however many junk
  /// files there are, each keeps a record waiting once at most.
  package func collect() -> [[UInt8]] {
    guard let candidates = look() else { return [] }
    calls += 1
    return read(triedLast(candidates))
  }

  /// Goes on reading what the last `collect` listed, without looking again at all that lies there: listing
  /// thousands of files for each part of them would keep a processor busy for minutes.
  package func collectRest() -> [[UInt8]] {
    let candidates = rest
    (rest, hasMore) = ([], false)
    return read(candidates)
  }

  private func read(_ candidates: [Candidate]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var bytesLeft = Self.byteLimit
    for (index, candidate) in candidates.enumerated() {
      // What cannot be read, or not any more in this call, stays unknown and is tried again.
      guard index < Self.fileLimit, bytesLeft > 0 else {
        (rest, hasMore) = (Array(candidates[index...]), !wasTried(candidate))
        break
      }
      guard let bytes = bytes(of: candidate.text) else {
        tried[candidate.name] = (candidate.stamp, calls)
        continue
      }
      bytesLeft -= bytes.count
      found.append(bytes)
      // Written within one tick of the file system's clock, the next change might not show in the stamp.
      guard !isFresh(candidate.stamp) else {
        tried[candidate.name] = (candidate.stamp, calls)
        continue
      }
      known[candidate.name] = Known(
        stamp: candidate.stamp, text: candidate.text, isExpected: candidate.isExpected, look: looks)
      if !tried.isEmpty { tried[candidate.name] = nil }
    }
    return found
  }

  /// Those that are expected, those that were not tried yet, and then the others, in turn: what cannot be
  /// read keeps nothing waiting, and is no reason to come back at once.
  private func triedLast(_ candidates: [Candidate]) -> [Candidate] {
    // Where all are expected there is nothing to try later; what is remembered stays bounded all the same.
    guard tried.count > candidates.count || !tried.isEmpty && !candidates.allSatisfy(\.isExpected) else {
      return candidates
    }
    let names = Set(candidates.map(\.name))
    tried = tried.filter { names.contains($0.key) }
    let isLater = { [self] (candidate: Candidate) in
      !candidate.isExpected && wasTried(candidate)
    }
    let later = candidates.filter(isLater).map { (call: tried[$0.name]?.call ?? 0, candidate: $0) }
    return candidates.filter { !isLater($0) } + later.sorted { $0.call < $1.call }.map(\.candidate)
  }

  private func wasTried(_ candidate: Candidate) -> Bool { tried[candidate.name]?.stamp == candidate.stamp }

  /// A file that may be a record and was not read yet.
  private struct Candidate {
    var name: ByteKey
    var text: String
    var stamp: FileStamp
    var rank: Int
    /// Whether a device of the circle writes under this name.
    var isExpected: Bool { rank < FolderTransport.unexpected }
  }

  /// A file that was read with this stamp, and in which look it was found last.
  private struct Known {
    let stamp: FileStamp
    let text: String
    var isExpected: Bool
    var look: UInt64
  }

  /// The files that were not read as they are, in the order in which they are to be read; those that were are
  /// `known` afterwards. Nil when the folder cannot be listed.
  private func look() -> [Candidate]? {
    (isReadable, rest, hasMore, junkCount) = (true, [], false, 0)
    looks += 1
    var found = 0
    var candidates: [Candidate] = []
    func add(_ name: [UInt8], _ observation: FileObservation) {
      guard let stamp = recordStamp(observation, name) else { return }
      let name = ByteKey(name)
      if let place = known.index(forKey: name), known.values[place].stamp == stamp {
        if !known.values[place].isExpected { junkCount += 1 }
        found += 1
        return known.values[place].look = looks
      }
      // No device of ours gives a name that is no text.
      guard let text = String(validating: name.bytes, as: UTF8.self) else { return junkCount += 1 }
      let candidate = Candidate(name: name, text: text, stamp: stamp, rank: rank(text, name.bytes))
      if !candidate.isExpected { junkCount += 1 }
      candidates.append(candidate)
      if candidates.count >= 2 * Self.knownLimit { candidates = Self.first(Self.knownLimit, of: candidates) }
    }
    guard let isWhole = try? records.scan({ add($0, $1) }) else {
      isReadable = false
      return nil
    }
    // Beyond what is listed, those that are known by name are still found.
    for text in isWhole ? [] : missing(candidates) {
      let name = Array(text.utf8)
      if let path = RelativePath(components: [SyncNames.recordFolder, name]) {
        add(name, folder.observe(path))
      }
    }
    if found != known.count { known = known.filter { $0.value.look == looks } }
    let room = Self.knownLimit - known.count
    if candidates.count > 1 { candidates = Self.inTurns(Self.first(.max, of: candidates)) }
    if candidates.count > room { candidates.removeAll { !$0.isExpected } }
    return candidates
  }

  /// Expected names that this look did not find.
  private func missing(_ candidates: [Candidate]) -> Set<String> {
    expectedNames.subtracting(candidates.map(\.text))
      .subtracting(known.values.lazy.filter { $0.look == self.looks }.map(\.text))
  }

  /// Those that are expected, and then one of each kind in turn: many of one kind keep no other waiting.
  private static func inTurns(_ sorted: [Candidate]) -> [Candidate] {
    var counts: [Int: Int] = [:]
    let numbered = sorted.map { candidate in
      counts[candidate.rank, default: 0] += 1
      return (turn: candidate.rank < unexpected ? 0 : counts[candidate.rank] ?? 0, candidate)
    }
    return numbered.sorted { ($0.turn, $0.1.rank) < ($1.turn, $1.1.rank) }.map(\.1)
  }

  /// Those of the lowest rank, and of these the newest: what was just written is waited for.
  private static func first(_ count: Int, of candidates: [Candidate]) -> [Candidate] {
    Array(
      candidates.sorted {
        if $0.rank != $1.rank { return $0.rank < $1.rank }
        if $0.stamp.changed != $1.stamp.changed { return $0.stamp.changed > $1.stamp.changed }
        return $0.name.bytes.lexicographicallyPrecedes($1.name.bytes)
      }.prefix(count))
  }

  /// Nil for what cannot be a record, by its kind and size; that is counted, unless it may be an
  /// identity.
  private func recordStamp(_ observation: FileObservation, _ name: [UInt8]) -> FileStamp? {
    switch observation {
    case .file(let stamp) where RecordHeader.recordSizes.contains(Int(clamping: stamp.size)): return stamp
    case .unreadable: isReadable = false
    case .file where name.starts(with: Self.identityPrefix) && name.suffix(3).elementsEqual(".id".utf8): break
    case .absent: break
    default: junkCount += 1
    }
    return nil
  }

  private static let identityPrefix = Array("f-".utf8)
  /// The first rank of names that no device of the circle writes under.
  private static let unexpected = 5

  /// Nil for what is gone, or cannot be read.
  private func bytes(of name: String) -> [UInt8]? {
    do throws(ContinuityError) {
      return try records.record(name)
    } catch {
      isReadable = false
      return nil
    }
  }

  /// Lets the next `collect` read everything again: the roster grew, or events were lost.
  package func forget() { (known, tried, rest, hasMore) = ([:], [:], [], false) }

  private func isFresh(_ stamp: FileStamp) -> Bool { records.age(of: stamp) < HashOutcome.tick }

  private func rank(_ text: String, _ name: [UInt8]) -> Int {
    let kind =
      name.count > 1 && name[1] == UInt8(ascii: "-") ? Self.kinds.firstIndex(of: name[0]) : nil
    return (kind ?? Self.kinds.count) + (expectedNames.contains(text) ? 0 : Self.unexpected)
  }

  /// The first letters of records' names, those that are read first before the others.
  private static let kinds = Array("rdis".utf8)
}

extension OwnFiles {
  /// The bytes of the record under `name`; nil when there is no such file. Throws as `read`.
  func record(_ name: String) throws(ContinuityError) -> [UInt8]? {
    try read(name, limit: RecordHeader.recordSizes.max() ?? 0)
  }
}
