// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders

/// What an agent keeps on its own disk, outside every synced folder.
struct AgentDisk {
  /// The state directory: files that are written whole, or not at all, and are on the disk then.
  var files: [String: [UInt8]] = [:]
  /// The version log. It outlives the process at once; only a loss of power takes the last changes.
  var histories: [DocumentPlace: DocumentHistory] = [:]
  /// What apps had kept for search, the newest last.
  var savedActivities: [SavedActivity] = []
  /// What versions that came over links took the places of.
  var replaced: Set<ContentDigest> = []
  /// How many of them were read while those came.
  var readAhead = 0
  /// The part of it that is on the disk.
  private var savedHistories: [DocumentPlace: DocumentHistory] = [:]

  /// The histories by path.
  var pasts: [RelativePath: DocumentHistory] {
    var pasts: [RelativePath: DocumentHistory] = [:]
    for (place, past) in histories { pasts[place.path] = past }
    return pasts
  }

  mutating func saveHistories() { savedHistories = histories }
  mutating func losePower() { histories = savedHistories }
}

/// The state directory.
final class StateFiles: OwnFiles {
  private let process: AgentProcess

  init(_ process: AgentProcess) { self.process = process }

  let displayPath = String(decoding: SimulatedDisks.stateDirectory, as: UTF8.self)
  let isInPlace = true
  let raisesEvents = true

  func read(_ name: String, limit: Int) throws(ContinuityError) -> [UInt8]? {
    guard process.isAlive else { throw .powerless }
    return process.device.disk.files[name]
  }

  func replace(_ name: String, with bytes: [UInt8], isShared: Bool) throws(ContinuityError) {
    guard !process.isDead, process.device.reachDisk() else { throw .powerless }
    guard !process.device.storeIsFull else {
      throw ContinuityError(.folderUnavailable, description: "The disk is full.")
    }
    process.device.disk.files[name] = bytes
  }

  func remove(_ name: String) throws(ContinuityError) {
    guard !process.isDead, process.device.reachDisk() else { throw .powerless }
    process.device.disk.files[name] = nil
  }

  func receive(_ size: UInt64) throws(ContinuityError) -> any AgentEngine.OpenFile {
    guard process.isAlive, !process.device.storeIsFull else {
      throw ContinuityError(.folderUnavailable, description: "The disk is full.")
    }
    return process.device.folder.makeNameless()
  }
  func makeEmpty(_ name: [UInt8]) -> Bool { false }
  func scan(_ found: ([UInt8], FileObservation) -> Void) throws(ContinuityError) -> Bool { true }
  func removeLeftovers(olderThan age: Duration) -> Int { 0 }
  func age(of stamp: FileStamp) -> Duration { .zero }
}

/// `.continuo` in the synced folder, as it was opened.
final class RecordFiles: OwnFiles {
  /// Where it lies.
  static let names: [[UInt8]] = [SyncNames.recordFolder]

  private let process: AgentProcess
  private let folder: MemoryFolder
  private let inode: Int

  init(_ process: AgentProcess, inode: Int) {
    self.process = process
    folder = process.device.folder
    self.inode = inode
  }

  let displayPath = "/notes/.continuo"
  let raisesEvents = true
  var isInPlace: Bool { folder.find(Self.names) == inode }

  func read(_ name: String, limit: Int) throws(ContinuityError) -> [UInt8]? {
    try check()
    guard let file = folder.inodes[inode].entries[Array(name.utf8)] else { return nil }
    let content = folder.inodes[file].content
    guard !folder.inodes[file].isFolder, content.size <= limit else {
      throw ContinuityError(.invalidBytes, subject: name, description: "It is no file of that size.")
    }
    process.efforts += 1
    // What an engine merged has no bytes here: they are those of no record.
    return process.world.contents.bytes(of: content) ?? [UInt8](repeating: 32, count: Int(content.size))
  }

  private func check() throws(ContinuityError) {
    guard process.isAlive, folder.isMounted, !folder.isFailing else {
      throw ContinuityError(.folderUnavailable, description: "The disk fails, or is not there.")
    }
  }

  /// By a temporary file that takes the name.
  func replace(_ name: String, with bytes: [UInt8], isShared: Bool) throws(ContinuityError) {
    guard process.isAlive else { throw .powerless }
    let (device, world) = (process.device, process.world)
    process.efforts += 1
    let path = Self.names + [Array(name.utf8)]
    let record = world.contents.wholeRecord(bytes)
    var failure: ContinuityError?
    do {
      try lay(record, at: path)
    } catch let error as FileError {
      failure = ContinuityError(
        .folderUnavailable, description: "The folder does not take the file: \(error).")
    } catch {
      throw .powerless
    }
    world.judge { $0.wrote(device, path) }
    world.remember(path, record)
    for engine in world.engines { engine.noticed(device.number) }
    if let failure { throw failure }
  }

  private func lay(_ record: Content, at path: [[UInt8]]) throws {
    let (device, world) = (process.device, process.world)
    let random = Array(RequestID(using: &world.random).bytes.prefix(12)).hexadecimal
    let temporary = Self.names + [Array("\(random)~".utf8)]
    do {
      try device.operate()
      guard isInPlace else { throw FileError.absent }
      let file = try folder.make(temporary)
      try folder.write(record.text, record.size, to: file, from: .empty)
      folder.close(file)
      try device.operate()
      try folder.synchronize(file)
      try device.operate()
      try folder.rename(temporary, path)
      try device.operate()
      try folder.synchronize(file)
    } catch let error as FileError {
      world.record(error == .noSpace ? 1 : 2)
      try? folder.unlink(temporary)
      throw error
    }
  }

  func remove(_ name: String) throws(ContinuityError) {
    guard process.isAlive else { throw .powerless }
    let path = Self.names + [Array(name.utf8)]
    guard folder.find(path) != nil else { return }
    guard process.device.reachDisk() else { throw .powerless }
    let device = process.device
    process.world.judge { $0.wrote(device, path) }
    do throws(FileError) {
      try folder.unlink(path)
    } catch {
      throw ContinuityError(.folderUnavailable, description: "The file cannot be removed.")
    }
    for engine in process.world.engines { engine.noticed(device.number) }
  }

  func receive(_ size: UInt64) -> any AgentEngine.OpenFile { folder.makeNameless() }
  func makeEmpty(_ name: [UInt8]) -> Bool { (try? folder.make(Self.names + [name])) != nil }

  func scan(_ found: ([UInt8], FileObservation) -> Void) throws(ContinuityError) -> Bool {
    try check()
    let isStolen = process.device.isStolen
    let entries = folder.inodes[inode].entries
    for index in entries.keys.indices where entries.keys[index].last != UInt8(ascii: "~") {
      let (name, file) = (entries.keys[index], entries.values[index])
      if isStolen, hidesFromThief(name) { continue }
      found(name, folder.inodes[file].isFolder ? .other(.folder) : .file(folder.stamp(file)))
    }
    return true
  }

  /// A thief goes on whatever others say: their rosters are not read.
  private func hidesFromThief(_ name: [UInt8]) -> Bool { name.suffix(4).elementsEqual(".rst".utf8) }

  func removeLeftovers(olderThan age: Duration) -> Int {
    guard process.isAlive, folder.isMounted else { return 0 }
    var count = 0
    let entries = folder.inodes[inode].entries
    for (name, file) in zip(entries.keys, entries.values)
    where name.last == UInt8(ascii: "~") && folder.age(of: folder.stamp(file)) >= age {
      if (try? folder.unlink(Self.names + [name])) != nil { count += 1 }
    }
    return count
  }

  func age(of stamp: FileStamp) -> Duration { folder.age(of: stamp) }
}

extension ContinuityError {
  /// Of a port of a process that is gone; nobody hears of it.
  fileprivate static var powerless: Self {
    ContinuityError(.folderUnavailable, description: "The power is gone.")
  }
}
