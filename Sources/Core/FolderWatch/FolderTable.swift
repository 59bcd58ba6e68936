// SPDX-License-Identifier: MIT

import ActivityModel

/// Names one folder of a `WatchTree` from its `follow` action to the answer.
public struct FolderNumber: Hashable, Sendable {
  let index: Int32
  init(_ index: Int32) { self.index = index }
}

/// The folders that are followed, as a forest of raw names: watch descriptor to folder, folder to path.
/// Renaming a folder changes one entry; nothing asks the library for a path (rule W3).
struct FolderTable: Sendable {
  struct Folder: Sendable {
    var root: RootNumber
    var name: [UInt8]
    var parent: Int32 = -1
    var firstChild: Int32 = -1
    var next: Int32 = -1
    var previous: Int32 = -1
    /// The next folder with the same watch descriptor: nested roots, or one inode under two names.
    var twin: Int32 = -1
    var descriptor: Int32 = -1
    var state = State.asked
  }

  enum State: Sendable {
    /// A `follow` is on its way.
    case asked
    /// Watched and listed.
    case followed
    /// Dropped while a `follow` was on its way: the entry waits for the answer.
    case dropped
    /// The entry may be used again.
    case free
  }

  private var folders: [Folder] = []
  private var unused: [Int32] = []
  /// The first folder of each watch descriptor; the others are its twins.
  private var byDescriptor = FolderIndex()
  /// By parent and name.
  private var byName = FolderIndex()

  /// One more than the highest number that was ever used.
  var count: Int32 { Int32(folders.count) }

  subscript(number: Int32) -> Folder { folders[Int(number)] }

  mutating func setState(_ number: Int32, _ state: State) { folders[Int(number)].state = state }

  mutating func add(_ name: [UInt8], root: RootNumber, parent: Int32) -> Int32 {
    let folder = Folder(root: root, name: name)
    let number: Int32
    if let reused = unused.popLast() {
      folders[Int(reused)] = folder
      number = reused
    } else {
      number = Int32(folders.count)
      folders.append(folder)
    }
    if parent >= 0 { attach(number, to: parent, name: name) }
    return number
  }

  mutating func release(_ number: Int32) {
    folders[Int(number)].state = .free
    folders[Int(number)].name = []
    unused.append(number)
  }

  func child(_ parent: Int32, _ name: [UInt8]) -> Int32? {
    byName.find(Self.hash(parent, name)) { each in
      folders[Int(each)].parent == parent && folders[Int(each)].name == name
    }
  }

  func children(_ parent: Int32) -> [Int32] {
    var children: [Int32] = []
    var each = self[parent].firstChild
    while each >= 0 {
      children.append(each)
      each = self[each].next
    }
    return children
  }

  mutating func attach(_ number: Int32, to parent: Int32, name: [UInt8]) {
    let first = folders[Int(parent)].firstChild
    let old = child(parent, name)
    folders[Int(number)].name = name
    folders[Int(number)].parent = parent
    folders[Int(number)].previous = -1
    folders[Int(number)].next = first
    if first >= 0 { folders[Int(first)].previous = number }
    folders[Int(parent)].firstChild = number
    let hash = Self.hash(parent, name)
    if let old {
      byName.replace(old, by: number, hash)
    } else {
      byName.insert(number, hash) { [folders] in Self.nameHash(folders[Int($0)]) }
    }
  }

  mutating func detach(_ number: Int32) {
    let folder = self[number]
    guard folder.parent >= 0 else { return }
    if let named = child(folder.parent, folder.name) {
      byName.remove(named, Self.nameHash(folder)) { [folders] in Self.nameHash(folders[Int($0)]) }
    }
    if folder.previous >= 0 {
      folders[Int(folder.previous)].next = folder.next
    } else {
      folders[Int(folder.parent)].firstChild = folder.next
    }
    if folder.next >= 0 { folders[Int(folder.next)].previous = folder.previous }
    folders[Int(number)].parent = -1
    folders[Int(number)].next = -1
    folders[Int(number)].previous = -1
  }

  /// The folder and all below it, each before its children.
  func subtree(_ number: Int32) -> [Int32] {
    var found = [number]
    var position = 0
    while position < found.count {
      found += children(found[position])
      position += 1
    }
    return found
  }

  /// Room is made at once for as many names as most paths have.
  private static let usualDepth = 8

  /// The names from the topmost folder down, and that folder: the root's, or one in the middle of a rename.
  /// The last one is `name`, if that is given: of something in the folder.
  func path(_ number: Int32, and name: [UInt8]? = nil) -> (top: Int32, names: [[UInt8]]) {
    var names: [[UInt8]] = []
    if let name {
      names.reserveCapacity(Self.usualDepth)
      names.append(name)
    }
    var each = number
    while self[each].parent >= 0 {
      names.append(self[each].name)
      each = self[each].parent
    }
    names.reverse()
    return (each, names)
  }

  /// The topmost folder above, as `path` gives it.
  func top(_ number: Int32) -> Int32 {
    var each = number
    while self[each].parent >= 0 { each = self[each].parent }
    return each
  }

  func folder(at path: some Sequence<[UInt8]>, below top: Int32) -> Int32? {
    var each = top
    for name in path {
      guard let next = child(each, name) else { return nil }
      each = next
    }
    return each
  }

  func watched(by descriptor: Int32) -> [Int32] {
    var found: [Int32] = []
    var each = first(watchedBy: descriptor) ?? -1
    while each >= 0 {
      found.append(each)
      each = self[each].twin
    }
    return found
  }

  func isWatched(_ descriptor: Int32) -> Bool { first(watchedBy: descriptor) != nil }

  /// The folder with this watch, when no other has it, too.
  func only(watchedBy descriptor: Int32) -> Int32? {
    guard let first = first(watchedBy: descriptor), folders[Int(first)].twin < 0 else { return nil }
    return first
  }

  /// Whether this is a root's own folder: those alone have no name.
  func isRoot(_ number: Int32) -> Bool {
    let folder = folders[Int(number)]
    return folder.parent < 0 && folder.name.isEmpty && (folder.state == .asked || folder.state == .followed)
  }

  private func first(watchedBy descriptor: Int32) -> Int32? {
    byDescriptor.find(Self.hash(descriptor)) { folders[Int($0)].descriptor == descriptor }
  }

  mutating func setDescriptor(_ number: Int32, _ descriptor: Int32) {
    let first = first(watchedBy: descriptor)
    folders[Int(number)].descriptor = descriptor
    folders[Int(number)].twin = first ?? -1
    if let first {
      byDescriptor.replace(first, by: number, Self.hash(descriptor))
    } else {
      byDescriptor.insert(number, Self.hash(descriptor)) { [folders] in
        Self.hash(folders[Int($0)].descriptor)
      }
    }
  }

  /// Takes the watch from the folder. Returns the descriptor when no other folder needs it.
  mutating func clearDescriptor(_ number: Int32) -> Int32? {
    let descriptor = self[number].descriptor
    guard descriptor >= 0 else { return nil }
    let others = watched(by: descriptor).filter { $0 != number }
    if let first = first(watchedBy: descriptor) {
      byDescriptor.remove(first, Self.hash(descriptor)) { [folders] in
        Self.hash(folders[Int($0)].descriptor)
      }
    }
    folders[Int(number)].descriptor = -1
    folders[Int(number)].twin = -1
    for other in others { folders[Int(other)].descriptor = -1 }
    for other in others.reversed() { setDescriptor(other, descriptor) }
    return others.isEmpty ? descriptor : nil
  }

  /// Keyed anew in each process: names come from other devices, who cannot choose such that all collide.
  private static func hash(_ parent: Int32, _ name: [UInt8]) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private static func nameHash(_ folder: Folder) -> Int { hash(folder.parent, folder.name) }

  // The kernel counts descriptors up.
  private static func hash(_ descriptor: Int32) -> Int { Int(descriptor) }
}
