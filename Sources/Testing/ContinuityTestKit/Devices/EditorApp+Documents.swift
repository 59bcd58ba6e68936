// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

// Documents in windows: opened, saved, and read again.
extension EditorApp {
  @discardableResult
  func open(_ path: RelativePath) throws -> Bool { try open(FilePlace(path), of: path) }

  /// A file that may be a private copy of the document at `path`.
  @discardableResult
  func open(_ place: FilePlace, of path: RelativePath?) throws -> Bool {
    if let index = documents.firstIndex(where: { $0.place == place }) {
      resigned.remove(documents[index].activity)
      try handle(.becameCurrent(documents[index].activity))
      return true
    }
    guard let content = place.content(on: device), !place.folder(of: device).isFailing else { return false }
    return try show(content, place.inode(on: device), at: place, of: path)
  }

  /// With the bytes that were verified, also where the document is open; one with changes is never
  /// overwritten.
  func open(
    _ place: FilePlace, of path: RelativePath?, delivered content: Content, _ file: OpenFile?
  ) throws -> Bool {
    guard let index = documents.firstIndex(where: { $0.place == place }) else {
      return try show(content, file?.inode, at: place, of: path)
    }
    guard !documents[index].isDirty || documents[index].base == content else { return false }
    if documents[index].base != content {
      load(content, into: index)
      try handle(.needsSave(documents[index].activity))
    }
    return try open(place, of: path)
  }

  private func load(_ content: Content, into index: Int) {
    (documents[index].base, documents[index].text) = (content, text(of: content))
  }

  private func text(of content: Content) -> UInt32 {
    world.contents.wholeText(content) ?? world.contents.text(size: max(1, content.size), parents: [])
  }

  private func show(
    _ content: Content, _ inode: Int?, at place: FilePlace, of path: RelativePath?
  ) throws -> Bool {
    let folder = place.folder(of: device)
    // Bytes that went on changing are those of no file.
    let mark = inode.flatMap { folder.inodes[$0].content == content ? folder.stamp($0).mark : nil }
    let activity = ActivityID(using: &world.random)
    documents.append(
      Opened(
        path: path ?? place.path, place: place, activity: activity, text: text(of: content), base: content))
    try handle(.opened(path: place.absolute, file: mark ?? .ofNoFile))
    try handle(.becameCurrent(activity))
    try handle(.needsSave(activity))
    return true
  }

  func close(_ index: Int) throws {
    let document = documents[index]
    if document.isDirty { try save(index) }
    documents.remove(at: index)
    closed.append(document)
    try handle(.invalidated(document.activity))
    try handle(.closed(path: document.place.absolute))
  }

  /// Saves into the folder unless another program changed the file: then the person has to decide, and
  /// keeps what is in the window.
  func save(_ index: Int) throws {
    let document = documents[index]
    let (path, folder) = (document.place.path.components, document.place.folder(of: device))
    guard !document.isGone, document.place.content(on: device) == document.base else { return }
    do {
      let inode = try write(document.text, to: path, in: folder)
      world.record(UInt64(document.text))
      documents[index].isDirty = false
      documents[index].base = folder.inodes[inode].content
      documents[index].saved = (OpenFile(inode, in: folder), folder.stamp(inode).mark)
      if !document.place.isCopy { world.remember(path, documents[index].base) }
    } catch let error as FileError {
      world.record(error == .noSpace ? 3 : 4)
    }
    if !document.place.isCopy { for engine in world.engines { engine.noticed(device.number) } }
  }

  private func write(_ text: UInt32, to path: [[UInt8]], in folder: MemoryFolder) throws -> Int {
    if world.random.chance(20), let inode = folder.find(path) {
      // As a simple editor does: cut, then write in place; closed also when that fails.
      defer { folder.close(inode) }
      try device.operate()
      try folder.cut(inode, to: 0)
      try device.operate()
      try folder.write(text, world.contents.size(of: text), to: inode, from: .empty)
      try folder.setTimes(inode, modified: device.momentOfSaving())
      return inode
    }
    let temporary = path.dropLast() + [Array(".goutputstream-".utf8) + Array("\(text)".utf8)]
    try? folder.unlink(Array(temporary))
    try device.operate()
    let inode = try folder.make(Array(temporary))
    try folder.write(text, world.contents.size(of: text), to: inode, from: .empty)
    try folder.setTimes(inode, modified: device.momentOfSaving())
    folder.close(inode)
    try device.operate()
    try folder.synchronize(inode)
    try device.operate()
    try folder.rename(Array(temporary), path)
    return inode
  }

  /// A window without changes shows what the disk holds now.
  func reload(_ path: [UInt8], _ change: DocumentChange) throws {
    guard let place = FilePlace(absolute: path),
      let index = documents.firstIndex(where: { $0.place == place })
    else { return }
    switch change {
    case .changed: break
    case .moved(let to): return try follow(index, to)
    case .conflict: return
    case .deleted: return documents[index].isGone = true
    }
    guard let content = place.content(on: device) else {
      documents[index].isGone = true
      return
    }
    documents[index].isGone = false
    guard !documents[index].isDirty else { return }
    // The agent may have taken it for another version, and wait for the app's word.
    if content != documents[index].base { load(content, into: index) }
    try handle(.followedFile(documents[index].activity))
  }

  /// The window goes on under the new name, unless another one shows that file already: then it waits for its
  /// own to come back.
  private func follow(_ index: Int, _ path: [UInt8]) throws {
    let former = documents[index].place.absolute
    guard let place = FilePlace(absolute: path), !documents.contains(where: { $0.place == place }) else {
      documents[index].isGone = true
      try handle(.closed(path: former))
      return try handle(.opened(path: former, file: .ofNoFile))
    }
    (documents[index].path, documents[index].place) = (place.path, place)
    documents[index].isGone = false
    let folder = place.folder(of: device)
    let mark = place.inode(on: device).flatMap { inode in
      folder.inodes[inode].content == documents[index].base ? folder.stamp(inode).mark : nil
    }
    try handle(.closed(path: former))
    try handle(.opened(path: path, file: mark ?? .ofNoFile))
    try handle(.followedFile(documents[index].activity))
  }
}
