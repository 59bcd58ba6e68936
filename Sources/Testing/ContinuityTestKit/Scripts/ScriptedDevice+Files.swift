// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

// What people, other programs and engines do to the files of a device, with the operations that real ones
// need for it, at one moment.
extension ScriptedDevice {
  static func components(_ path: String) -> [[UInt8]] { path.split(separator: "/").map { Array($0.utf8) } }

  /// The bytes of a file; nil when there is none.
  public func read(_ path: String) -> [UInt8]? {
    device.folder.content(at: Self.components(path)).flatMap(script.bytes)
  }

  /// Which file it is, as it is now; nil when there is none.
  func mark(of path: String) -> FileMark? {
    device.folder.find(Self.components(path)).map { device.folder.stamp($0).mark }
  }

  /// The relative paths of all files, in order.
  public func list() -> [String] {
    device.folder.filePaths().map { names in
      names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
  }

  /// Which file the device's record is: another one each time the agent has written it; nil when there is
  /// none.
  public var recordFile: Int? { device.folder.find(device.recordPath) }

  /// Where the agent lays the device's record.
  var recordName: String {
    device.recordPath.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  /// Writes beside the target and renames over it, as engines and careful editors do.
  public func replace(_ path: String, with bytes: [UInt8]) {
    let names = Self.components(path)
    act { (folder) throws(FileError) in
      try Self.makeParents(of: names, in: folder)
      let name = Array(".engine.".utf8) + (names.last ?? []) + Array(".tmp".utf8)
      let temporary = names.dropLast() + [name]
      let inode = try folder.make(Array(temporary))
      try folder.fill(inode, with: script.content(bytes))
      folder.close(inode)
      try folder.rename(Array(temporary), names)
    }
  }

  /// Cuts the file and writes into it, as careless engines do; `keepsTime` sets its time back afterwards.
  public func overwrite(_ path: String, with bytes: [UInt8], keepsTime: Bool = false) {
    let names = Self.components(path)
    act { (folder) throws(FileError) in
      try Self.makeParents(of: names, in: folder)
      let inode = if let known = folder.find(names) { known } else { try folder.make(names) }
      let modified = folder.inodes[inode].modified
      try folder.cut(inode, to: 0)
      try folder.fill(inode, with: script.content(bytes))
      folder.close(inode)
      if keepsTime { try folder.setTimes(inode, modified: modified) }
    }
  }

  /// Gives a file another name; false when it is not there.
  @discardableResult
  public func move(_ path: String, to other: String) -> Bool {
    let (from, to) = (Self.components(path), Self.components(other))
    return act { (folder) throws(FileError) in
      try Self.makeParents(of: to, in: folder)
      try folder.rename(from, to)
    }
  }

  /// Deletes a file; false when it is not there.
  @discardableResult
  public func remove(_ path: String) -> Bool {
    act { (folder) throws(FileError) in try folder.unlink(Self.components(path)) }
  }

  @discardableResult
  private func act(_ change: (MemoryFolder) throws(FileError) -> Void) -> Bool {
    script.begin()
    do {
      try change(device.folder)
      return true
    } catch {
      return false
    }
  }

  private static func makeParents(of names: [[UInt8]], in folder: MemoryFolder) throws(FileError) {
    for count in names.indices.dropFirst() {
      let above = Array(names.prefix(count))
      if folder.find(above) == nil { try folder.make(above, isFolder: true) }
    }
  }
}
