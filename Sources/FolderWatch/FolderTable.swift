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

  private struct Key: Hashable, Sendable {
    var parent: Int32
    var name: [UInt8]
  }

  private var folders: [Folder] = []
  private var unused: [Int32] = []
  private var byDescriptor: [Int32: Int32] = [:]
  private var byName: [Key: Int32] = [:]

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

  func child(_ parent: Int32, _ name: [UInt8]) -> Int32? { byName[Key(parent: parent, name: name)] }

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
    folders[Int(number)].name = name
    folders[Int(number)].parent = parent
    folders[Int(number)].previous = -1
    folders[Int(number)].next = first
    if first >= 0 { folders[Int(first)].previous = number }
    folders[Int(parent)].firstChild = number
    byName[Key(parent: parent, name: name)] = number
  }

  mutating func detach(_ number: Int32) {
    let folder = self[number]
    guard folder.parent >= 0 else { return }
    byName[Key(parent: folder.parent, name: folder.name)] = nil
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

  /// The names from the topmost folder down, and that folder: the root's, or one in the middle of a rename.
  func path(_ number: Int32) -> (top: Int32, names: [[UInt8]]) {
    var names: [[UInt8]] = []
    var each = number
    while self[each].parent >= 0 {
      names.append(self[each].name)
      each = self[each].parent
    }
    names.reverse()
    return (each, names)
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
    var each = byDescriptor[descriptor] ?? -1
    while each >= 0 {
      found.append(each)
      each = self[each].twin
    }
    return found
  }

  func isWatched(_ descriptor: Int32) -> Bool { byDescriptor[descriptor] != nil }

  mutating func setDescriptor(_ number: Int32, _ descriptor: Int32) {
    folders[Int(number)].descriptor = descriptor
    folders[Int(number)].twin = byDescriptor[descriptor] ?? -1
    byDescriptor[descriptor] = number
  }

  /// Takes the watch from the folder. Returns the descriptor when no other folder needs it.
  mutating func clearDescriptor(_ number: Int32) -> Int32? {
    let descriptor = self[number].descriptor
    guard descriptor >= 0 else { return nil }
    let others = watched(by: descriptor).filter { $0 != number }
    folders[Int(number)].descriptor = -1
    folders[Int(number)].twin = -1
    byDescriptor[descriptor] = nil
    for other in others.reversed() { setDescriptor(other, descriptor) }
    return others.isEmpty ? descriptor : nil
  }
}
