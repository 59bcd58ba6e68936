// SPDX-License-Identifier: MIT

import ActivityModel
import FolderWatch

/// A sync engine on all devices of a world: finds local changes, carries versions, and puts them in place as
/// its profile does.
///
/// It assumes nothing of versions but what a vector of change counts per device tells.
final class SyncEngine {
  typealias Path = [[UInt8]]

  /// One state of one file.
  struct Version {
    /// The latest change of each device that it includes.
    var vector: [UInt32]
    /// Nil once deleted.
    var content: Content?
    var modified: Int64
    var author: Int
    var serial: UInt64

    func includes(_ other: Version) -> Bool { zip(vector, other.vector).allSatisfy { $0 >= $1 } }
    mutating func include(_ other: Version) { vector = zip(vector, other.vector).map { max($0, $1) } }
  }

  unowned let world: World
  let profile: EngineProfile
  var index: [SortedTable<FilePath, Version>]
  /// Files that are being put in place.
  var busy: [SortedTable<FilePath, Bool>]
  private var scanIsDue: [Bool]
  private var serial: UInt64 = 0
  /// How many changes each device made.
  private var changes: [UInt32]
  private var merges: [[UInt32]: UInt32] = [:]
  /// Counts the times an engine was killed: what it was doing then is void.
  var lives: [UInt32]
  var pausedUntil: [UInt64]

  init(_ kind: EngineKind, world: World, devices: Int) {
    profile = EngineProfile(kind)
    self.world = world
    index = Array(repeating: SortedTable(), count: devices)
    busy = Array(repeating: SortedTable(), count: devices)
    scanIsDue = Array(repeating: false, count: devices)
    changes = Array(repeating: 0, count: devices)
    lives = Array(repeating: 0, count: devices)
    pausedUntil = Array(repeating: 0, count: devices)
  }

  /// Something other than the engine may have changed the folder.
  func noticed(_ device: Int) {
    guard !scanIsDue[device] else { return }
    scanIsDue[device] = true
    let delay =
      world.has(.delay) && world.random.chance(30)
      ? world.random.between(.seconds(5), .seconds(120))
      : world.random.between(.milliseconds(20), .seconds(2))
    world.schedule(.engine, device, after: delay) { [self] in
      scanIsDue[device] = false
      guard pausedUntil[device] <= world.time else {
        return noticedLater(device, at: pausedUntil[device])
      }
      scan(device)
    }
  }

  private func noticedLater(_ device: Int, at time: UInt64) {
    world.schedule(.engine, device, after: time - world.time + 1) { [self] in noticed(device) }
  }

  func scan(_ device: Int) {
    let folder = world.devices[device].folder
    guard folder.isMounted, folder.find(RecordFiles.names) != nil else { return }
    var place = 0
    for (path, inode) in folder.files() where !isOwnTemporary(path) && busy[device][path] == nil {
      scan(device, path, inode, known: index[device].value(of: FilePath(path), from: &place))
    }
    let known = index[device]
    for (path, version) in zip(known.keys, known.values)
    where version.content != nil && folder.find(path.names) == nil && busy[device][path.names] == nil {
      record(device, path.names, content: nil, modified: folder.fileTime)
    }
  }

  private func isOwnTemporary(_ path: Path) -> Bool {
    guard let name = path.last else { return true }
    if name.last == UInt8(ascii: "~") { return true }
    if name.first == UInt8(ascii: ".") {
      return profile.kind == .rsync || name.contains(UInt8(ascii: "~"))
        || name.starts(with: ".syncthing.".utf8) || name.starts(with: ".unison.".utf8)
        || (profile.kind == .nextcloud && name.contains(UInt8(ascii: "(")))
    }
    return profile.kind == .nextcloud && name.contains(UInt8(ascii: "("))
  }

  /// A local change becomes a version of its own.
  func scan(_ device: Int, _ path: Path) {
    let folder = world.devices[device].folder
    guard let inode = folder.find(path), !folder.inodes[inode].isFolder else { return }
    scan(device, path, inode, known: index[device][path])
  }

  private func scan(_ device: Int, _ path: Path, _ inode: Int, known: Version?) {
    let folder = world.devices[device].folder
    let content = folder.inodes[inode].content
    if let known, known.content == content { return }
    record(device, path, content: content, modified: folder.inodes[inode].modified)
  }

  private func record(_ device: Int, _ path: Path, content: Content?, modified: Int64) {
    serial += 1
    var version = Version(
      vector: index[device][path]?.vector ?? Array(repeating: 0, count: index.count), content: content,
      modified: modified, author: device, serial: serial)
    // Never a number that was used before, whatever was put aside since.
    changes[device] += 1
    version.vector[device] = changes[device]
    index[device][path] = version
    for other in index.indices where other != device { carry(path, version, to: other) }
  }

  func carry(_ path: Path, _ version: Version, to device: Int) {
    if world.has(.drop), world.random.chance(10) { return }
    var delay = world.random.between(.milliseconds(50), .milliseconds(1500))
    if world.has(.reorder), world.random.chance(30) { delay += world.random.between(.zero, .seconds(10)) }
    if world.has(.delay), world.random.chance(20) {
      delay += world.random.between(.seconds(5), .seconds(120))
    }
    deliver(path, version, to: device, after: delay)
    if world.has(.repeat), world.random.chance(20) {
      deliver(path, version, to: device, after: delay + world.random.between(.seconds(1), .seconds(60)))
    }
  }

  func deliver(_ path: Path, _ version: Version, to device: Int, after delay: UInt64) {
    world.schedule(.engine, device, after: delay) { [self] in
      guard pausedUntil[device] <= world.time else {
        return deliver(path, version, to: device, after: pausedUntil[device] - world.time + 1)
      }
      guard busy[device][path] == nil else {
        return deliver(path, version, to: device, after: 200_000_000)
      }
      receive(path, version, device)
    }
  }

  private func receive(_ path: Path, _ version: Version, _ device: Int) {
    guard world.devices[device].folder.isMounted else { return }
    scan(device, path)
    guard let known = index[device][path] else { return put(path, version, on: device) }
    if known.includes(version) { return }
    if version.includes(known) { return put(path, version, on: device) }
    guard known.content != version.content else {
      index[device][path] = united(known, version)
      return
    }
    resolve(path, known, version, device)
  }

  /// What two versions with the same bytes are: the one that wins, for a third one is compared with it on
  /// every device.
  private func united(_ known: Version, _ version: Version) -> Version {
    var winner = wins(version, over: known) ? version : known
    // A server that lets the later one stay aside has the other alone.
    guard profile.conflict != .laterStaysAside else { return winner }
    winner.include(known)
    winner.include(version)
    return winner
  }

  /// Which of two versions that do not include each other stands, wherever they meet.
  private func wins(_ version: Version, over known: Version) -> Bool {
    profile.conflict == .laterStaysAside
      ? version.serial < known.serial
      : (known.modified, known.serial) < (version.modified, version.serial)
  }

  private func resolve(_ path: Path, _ known: Version, _ version: Version, _ device: Int) {
    world.count(.conflicts)
    var merged = version
    merged.include(known)
    let isWinner = wins(version, over: known)
    switch profile.conflict {
    case .skipped where path[0] != Array(".continuo".utf8): return
    case .loserRenamed, .bothRenamed:
      guard isWinner || known.content == nil else { return keepSecond(path, version, device) }
      setAside(path, known, device)
      put(path, merged, on: device)
    case .laterStaysAside:
      guard isWinner || known.content == nil else { return }
      setAside(path, known, device)
      // As the server has it: what stays aside never was a version of this path there.
      put(path, version, on: device)
    case .merged:
      guard let mine = known.content.flatMap(world.contents.wholeText),
        let theirs = version.content.flatMap(world.contents.wholeText), path[0] != Array(".continuo".utf8)
      else { return put(path, isWinner ? merged : known, on: device) }
      // The same merge on every device.
      let text = merge(min(mine, theirs), max(mine, theirs))
      merged.content = world.contents.whole(text)
      put(path, merged, on: device)
    case .overwritten, .skipped: if isWinner { put(path, merged, on: device) }
    }
  }

  /// Both texts with markers between them: a third one that nobody announced.
  private func merge(_ first: UInt32, _ second: UInt32) -> UInt32 {
    if let known = merges[[first, second]] { return known }
    let size = max(world.contents.size(of: first), world.contents.size(of: second)) + 40
    let text = world.contents.text(size: size, parents: [first, second])
    merges[[first, second]] = text
    return text
  }

  /// The version that came loses: here its bytes only become a copy, where the engine makes one on all sides.
  private func keepSecond(_ path: Path, _ loser: Version, _ device: Int) {
    index[device][path]?.include(loser)
  }

  private func setAside(_ path: Path, _ loser: Version, _ device: Int) {
    guard let name = path.last, loser.content != nil else { return }
    let aside = profile.conflictName(of: name, by: loser.author, at: loser.modified / 1_000_000_000)
    // Where it cannot be renamed the file is overwritten: engines do lose what a full disk holds.
    try? world.devices[device].folder.rename(path, path.dropLast() + [aside])
    noticed(device)
  }

  /// The device lost its power: what was under way is not.
  func losePower(_ device: Int) {
    lives[device] += 1
    busy[device] = SortedTable()
    scanIsDue[device] = false
  }

  /// All devices compare everything that differs, as engines do after a restart.
  func compareAll(with device: Int) {
    for other in index.indices where other != device {
      let theirs = index[other]
      var place = 0
      for (path, version) in zip(theirs.keys, theirs.values) {
        if let mine = index[device].value(of: path, from: &place), mine.includes(version) { continue }
        carry(path.names, version, to: device)
      }
    }
  }
}

extension MemoryFolder {
  /// The path of every file, in order.
  func filePaths() -> [[[UInt8]]] { files().map(\.path) }

  /// Every file, in order.
  func files() -> [(path: [[UInt8]], inode: Int)] {
    guard isMounted else { return [] }
    if let listed { return listed }
    var found: [(path: [[UInt8]], inode: Int)] = []
    func walk(_ folder: Int, _ above: [[UInt8]]) {
      let entries = inodes[folder].entries
      for (name, inode) in zip(entries.keys, entries.values) {
        if inodes[inode].isFolder {
          walk(inode, above + [name])
        } else {
          found.append((above + [name], inode))
        }
      }
    }
    walk(0, [])
    listed = found
    return found
  }
}
