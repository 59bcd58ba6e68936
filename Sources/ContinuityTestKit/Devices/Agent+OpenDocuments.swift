// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// One document that apps have open.
final class FollowedDocument {
  struct Reader {
    /// The path as the app gave it.
    var path: [UInt8]
    var digest: ContentDigest?
    var isGone = false
  }

  var readers: [UInt64: Reader] = [:]
  var machine = OpenDocumentMachine()
  var timers = 0
  var events: [OpenDocumentMachine.Event] = []
  var isFeeding = false
}

// What other programs do to documents that apps have open.
extension Agent {
  func open(_ absolute: [UInt8], _ file: FileMark?, by client: UInt64) throws {
    guard let path = EditorApp.relative(absolute) else { return }
    let document = opened[path] ?? FollowedDocument()
    opened[path] = document
    document.readers[client] = FollowedDocument.Reader(path: absolute)
    try version(at: path, nil, nil, RereadPacing(isLasting: false), while: { true }) { [self] version, read in
      guard let reader = document.readers[client], reader.digest == nil else { return }
      guard let version, file == nil || file == read else { return try feed(path, .hint) }
      document.readers[client]?.digest = version.digest
    }
  }

  func close(_ path: RelativePath, by client: UInt64) {
    opened[path]?.readers[client] = nil
    if opened[path]?.readers.isEmpty == true { opened[path] = nil }
  }

  /// The app itself saved or continued this version.
  func noteOwn(_ digest: ContentDigest, at path: RelativePath, by client: UInt64) {
    opened[path]?.readers[client]?.digest = digest
    opened[path]?.readers[client]?.isGone = false
  }

  /// What the client shows is not known any more: it is told what lies there.
  func doubt(_ path: RelativePath, of client: UInt64) throws {
    opened[path]?.readers[client]?.digest = nil
    try feed(path, .hint)
  }

  func feed(_ path: RelativePath, _ event: OpenDocumentMachine.Event) throws {
    guard let document = opened[path] else { return }
    document.events.append(event)
    guard !document.isFeeding else { return }
    document.isFeeding = true
    defer { document.isFeeding = false }
    while !document.events.isEmpty {
      let actions = document.machine.handle(document.events.removeFirst(), at: device.now)
      for action in actions where opened[path] === document { try perform(action, path, document) }
    }
  }

  private func perform(
    _ action: OpenDocumentMachine.Action, _ path: RelativePath, _ document: FollowedDocument
  ) throws {
    switch action {
    case .observe:
      let isAway = presence == nil
      try feed(path, .observed(isAway ? .unreadable("the folder is away") : folder.observe(path)))
    case .hash(let stamp):
      guard presence != nil else { return try feed(path, .hashed(.cancelled)) }
      try hash(folder.find(path.components), at: path, size: stamp.size) { [self] outcome in
        if opened[path] === document { try feed(path, .hashed(outcome)) }
      }
    case .held(let digest, let size): _ = try note(digest, size: size, at: path)
    case .saved(let digest, let size):
      _ = try note(digest, size: size, at: path)
      for (client, reader) in document.readers.sorted(by: { $0.key < $1.key })
      where reader.digest != digest {
        noteOwn(digest, at: path, by: client)
        handedOver = handedOver.filter { $0.value.path != path }
        let version = (histories[path] ?? DocumentHistory()).version(digest, size: size)
        clients[client]?.connection.tell(.documentChanged(path: reader.path, .changed(version)))
      }
    case .deleted:
      for (client, reader) in document.readers.sorted(by: { $0.key < $1.key }) where !reader.isGone {
        document.readers[client]?.isGone = true
        document.readers[client]?.digest = nil
        clients[client]?.connection.tell(.documentChanged(path: reader.path, .deleted))
      }
    case .wake(let moment):
      document.timers += 1
      let number = document.timers
      guard let moment else { return }
      device.schedule(.timer, at: moment) { [self] in
        if !isDead, opened[path] === document, document.timers == number { try feed(path, .timer) }
      }
    }
  }
}
