// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// One document that apps have open.
final class FollowedDocument {
  struct Reader {
    /// The path as the app gave it.
    var path: [UInt8]
    var shown: ShownVersion
    /// The number of its opening; the answer to an earlier one does not count.
    var opening: UInt64
    /// The conflict copies that it was told of.
    var copies: [[UInt8]] = []
  }

  var readers: [UInt64: Reader] = [:]
  var path: RelativePath
  var machine: OpenDocumentMachine
  var timers = 0
  var events: [OpenDocumentMachine.Event] = []
  var isFeeding = false

  init(_ path: RelativePath) {
    self.path = path
    machine = OpenDocumentMachine(path: path)
  }
}

// What other programs do to documents that apps have open.
extension Agent {
  /// Numbers what is heard from an app, or told to one, right now.
  func nextWord() -> UInt64 {
    words += 1
    return words
  }

  func open(_ absolute: [UInt8], _ file: FileMark?, by client: UInt64) throws {
    guard let path = EditorApp.relative(absolute) else { return }
    let document = opened[path] ?? FollowedDocument(path)
    opened[path] = document
    let word = nextWord()
    let shown = document.readers[client]?.shown ?? ShownVersion()
    document.readers[client] = FollowedDocument.Reader(path: absolute, shown: shown, opening: word)
    document.readers[client]?.shown.opens(said: word)
    let isWanted = { document.readers[client]?.opening == word }
    try version(at: path, nil, nil, RereadPacing(isLasting: false), while: isWanted) { [self] version, read in
      guard isWanted() else { return }
      if let version, file == nil || file == read {
        document.readers[client]?.shown.shows(version.digest, said: word)
      }
      if version == nil, document.machine.isDeleted {
        tell(.deleted, document) { $0.mustHearOfEnd(telling: $1) }
      }
      try feed(document, .hint)
      try feed(document, .hintBeside)
    }
  }

  func close(_ path: RelativePath, by client: UInt64) {
    opened[path]?.readers[client] = nil
    if opened[path]?.readers.isEmpty == true { opened[path] = nil }
  }

  /// The app said with number `word` that it had saved this.
  func noteSaved(
    _ digest: ContentDigest, size: UInt64, at path: RelativePath, by client: UInt64, word: UInt64
  ) throws {
    guard let document = opened[path], document.readers[client] != nil else { return }
    document.readers[client]?.shown.shows(digest, said: word)
    try feed(document, .holds(OpenDocumentMachine.Holding(digest, size: size)))
  }

  /// The app opened what was handed to it.
  func noteTaken(_ handed: HandedOver, by client: UInt64) throws {
    guard let document = opened[handed.path], document.readers[client] != nil else { return }
    document.readers[client]?.shown.took(handed.digest, handed: handed.word, said: nextWord())
    try feed(document, .holds(OpenDocumentMachine.Holding(handed.digest, size: handed.size)))
    try feed(document, .hint)
  }

  /// What the client shows since it said `word` is not known: it is told what lies there.
  func doubt(_ path: RelativePath, of client: UInt64, word: UInt64) throws {
    guard let document = opened[path] else { return }
    document.readers[client]?.shown.shows(nil, said: word)
    try feed(document, .hint)
  }

  func hintOpened(_ path: [[UInt8]]) throws {
    for place in opened.keys.sorted() {
      guard let document = opened[place] else { continue }
      for event in document.machine.events(forHintAt: path) { try feed(document, event) }
    }
  }

  func renamed(_ from: [[UInt8]], _ to: [[UInt8]]) throws {
    for place in opened.keys.sorted() {
      if let document = opened[place] { try feed(document, .renamed(from: from, to: to)) }
    }
  }

  private func feed(_ document: FollowedDocument, _ event: OpenDocumentMachine.Event) throws {
    guard opened[document.path] === document else { return }
    document.events.append(event)
    guard !document.isFeeding else { return }
    document.isFeeding = true
    defer { document.isFeeding = false }
    while !document.events.isEmpty {
      let actions = document.machine.handle(document.events.removeFirst(), at: device.now)
      for action in actions where opened[document.path] === document { try perform(action, document) }
    }
  }

  private func perform(_ action: OpenDocumentMachine.Action, _ document: FollowedDocument) throws {
    let path = document.path
    switch action {
    case .observe(let path):
      let isAway = presence == nil
      try feed(document, .observed(isAway ? .unreadable("the folder is away") : folder.observe(path)))
    case .hash(let stamp):
      guard presence != nil else { return try feed(document, .hashed(.cancelled)) }
      try hash(folder.find(path.components), at: path, size: stamp.size) { [self] outcome in
        try feed(document, .hashed(outcome))
      }
    case .search(let search):
      let found = presence == nil ? nil : folder.find(search)
      world.schedule(.hash, device.number, after: world.random.between(.zero, .milliseconds(5))) { [self] in
        if !isDead { try feed(document, .found(found.map { OpenDocumentMachine.Place(path: $0) })) }
      }
    case .listCopies(let path):
      let copies = presence == nil ? [] : folder.conflictCopies(of: path, awaitedSize: .max)
      try feed(document, .copies(copies.map(\.name)))
    case .moved(let place): try moved(document, to: place.path)
    case .conflict(let names): tellCopies(names, document)
    case .held(let digest, let size): _ = try note(digest, size: size, at: path)
    case .saved(let digest, let size):
      let version = try note(digest, size: size, at: path)
      tell(.changed(version), document) { $0.mustHear(of: digest, telling: $1) }
    case .deleted:
      tell(.deleted, document) { $0.mustHearOfEnd(telling: $1) }
    case .wake(let moment):
      document.timers += 1
      let number = document.timers
      guard let moment else { return }
      device.schedule(.timer, at: moment) { [self] in
        if !isDead, document.timers == number { try feed(document, .timer) }
      }
    }
  }

  private func tell(
    _ change: DocumentChange, _ document: FollowedDocument, if mustHear: (inout ShownVersion, UInt64) -> Bool
  ) {
    for (client, var reader) in document.readers.sorted(by: { $0.key < $1.key })
    where mustHear(&reader.shown, nextWord()) {
      document.readers[client] = reader
      clients[client]?.connection.tell(.documentChanged(path: reader.path, change))
    }
  }

  private func moved(_ document: FollowedDocument, to path: RelativePath) throws {
    opened[document.path] = nil
    document.path = path
    let absolute = EditorApp.absolute(path)
    for (client, reader) in document.readers.sorted(by: { $0.key < $1.key }) {
      document.readers[client]?.path = absolute
      document.readers[client]?.shown.moved()
      clients[client]?.connection.tell(.documentChanged(path: reader.path, .moved(to: absolute)))
    }
    guard let known = opened[path] else { return opened[path] = document }
    known.readers.merge(document.readers) { first, _ in first }
    try feed(known, .hint)
    try feed(known, .hintBeside)
  }

  private func tellCopies(_ names: [[UInt8]], _ document: FollowedDocument) {
    guard presence != nil else { return }
    let copies = names.compactMap { RelativePath(components: document.path.components.dropLast() + [$0]) }
      .map(EditorApp.absolute)
    for (client, reader) in document.readers.sorted(by: { $0.key < $1.key }) where reader.copies != copies {
      document.readers[client]?.copies = copies
      clients[client]?.connection.tell(.documentChanged(path: reader.path, .conflict(copies: copies)))
    }
  }
}
