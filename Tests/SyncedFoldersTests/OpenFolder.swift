// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

/// A synced folder in memory with one document that an app has open, a clock that jumps from event to event,
/// and the machine's own searches on it.
struct OpenFolder {
  private struct Contents: FolderContents {
    struct File {
      var text: String
      var inode: UInt64
      var changed: Instant
    }

    var files: [RelativePath: File] = [:]

    func stamp(_ file: File) -> FileStamp {
      FileStamp(
        device: 1, inode: file.inode, size: UInt64(file.text.utf8.count), modified: 0,
        changed: Int64(file.changed.nanoseconds) + 1)
    }

    func entries(of folder: RelativePath?) -> [FolderEntry]? {
      let depth = folder?.components.count ?? 0
      var found: Set<FolderEntry> = []
      for path in files.keys where path.components.starts(with: folder?.components ?? []) {
        guard path.components.count > depth else { continue }
        let isFile = path.components.count == depth + 1
        found.insert(FolderEntry(name: path.components[depth], kind: isFile ? .regular : .folder))
      }
      return Array(found)
    }

    func observe(_ path: RelativePath) -> FileObservation {
      files[path].map { .file(stamp($0)) } ?? .absent
    }

    func digest(of path: RelativePath) -> HashOutcome {
      files[path].map { .stable(ArrivalScript.digest($0.text), stamp($0), quiet: .seconds(1)) } ?? .unstable
    }
  }

  private var machine: OpenDocumentMachine
  private var contents = Contents()
  /// Another synced folder of this device.
  private var other = Contents()
  private var now = Instant(nanoseconds: 1_000_000_000_000)
  private var inodes: UInt64 = 1
  private var wake: Instant?
  /// What apps are told.
  private(set) var told: [String] = []
  private(set) var searches = 0
  private(set) var listings = 0
  /// What happens while a search runs.
  var duringSearch: ((inout OpenFolder) -> Void)?

  static let otherFolder = FolderID.random()

  /// `document` holds "one" since long ago, and an app has it open.
  init(_ document: String = "plan.md") {
    machine = OpenDocumentMachine(path: Self.path(document))
    put(document, "one")
    pass(100_000)
    send(.hint)
    send(.hintBeside)
    pass(5000)
    told = []
  }

  static func path(_ name: String) -> RelativePath {
    RelativePath(name) ?? RelativePath(components: [[UInt8(ascii: "?")]])!
  }

  var isAsleep: Bool { wake == nil }
  var path: String { machine.path.description }

  // MARK: What programs do

  /// A new file, with a hint about its name.
  mutating func put(_ name: String, _ text: String, hint: Bool = true) {
    inodes += 1
    contents.files[Self.path(name)] = Contents.File(text: text, inode: inodes, changed: now)
    if hint { self.hint(name) }
  }

  mutating func putElsewhere(_ name: String, _ text: String) {
    inodes += 1
    other.files[Self.path(name)] = Contents.File(text: text, inode: inodes, changed: now)
    if machine.isSought { send(.hintElsewhere) }
  }

  mutating func remove(_ name: String, hint: Bool = true) {
    contents.files[Self.path(name)] = nil
    if hint { self.hint(name) }
  }

  /// A rename of a file or a folder, as the watcher saw it.
  mutating func rename(_ from: String, _ to: String, seen: Bool = true) {
    let (old, new) = (Self.path(from).components, Self.path(to).components)
    for (path, file) in contents.files where path.components.starts(with: old) {
      contents.files[path] = nil
      var moved = file
      moved.changed = now
      let names = new + path.components.dropFirst(old.count)
      if let target = RelativePath(components: names) { contents.files[target] = moved }
    }
    guard seen else { return }
    send(.renamed(from: old, to: new))
    hint(from)
    hint(to)
  }

  mutating func hint(_ name: String) {
    for event in machine.events(forHintAt: name.isEmpty ? [] : Self.path(name).components) { send(event) }
  }

  /// An app saved this into the document; no hint has come yet.
  mutating func save(_ text: String) {
    put(path, text, hint: false)
    send(.holds(.init(ArrivalScript.digest(text), size: UInt64(text.utf8.count))))
  }

  mutating func pass(_ milliseconds: Int) {
    let target = now + .milliseconds(milliseconds)
    while let next = wake, next <= target {
      wake = nil
      now = max(now, next)
      send(.timer)
    }
    now = target
  }

  // MARK: The shell

  private mutating func send(_ event: OpenDocumentMachine.Event) {
    var actions = machine.handle(event, at: now)
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .observe(let path): actions += machine.handle(.observed(contents.observe(path)), at: now)
      case .hash:
        let outcome = contents.files[machine.path].map { file in
          HashOutcome.stable(
            ArrivalScript.digest(file.text), contents.stamp(file), quiet: now - file.changed)
        }
        actions += machine.handle(.hashed(outcome ?? .unstable), at: now)
      case .search(let search): actions += machine.handle(.found(find(search)), at: now)
      case .listCopies(let path):
        listings += 1
        let copies = contents.conflictCopies(of: path, awaitedSize: .max)
        actions += machine.handle(.copies(copies.map(\.name)), at: now)
      case .moved(let place): told.append("moved to \(place.folder == nil ? "" : "other ")\(place.path)")
      case .conflict(let names):
        let shown = names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
        told.append("conflict [\(shown)]")
      case .saved(let digest, _):
        told.append(String(decoding: digest.bytes.prefix { $0 != 0 }, as: UTF8.self))
      case .deleted: told.append("deleted")
      case .held: break
      case .wake(let moment): wake = moment
      }
    }
  }

  private mutating func find(_ search: DocumentSearch) -> OpenDocumentMachine.Place? {
    searches += 1
    let found =
      contents.find(search).map { OpenDocumentMachine.Place(path: $0) }
      ?? other.find(search.inOtherFolder).map { .init(folder: Self.otherFolder, path: $0) }
    if let duringSearch {
      self.duringSearch = nil
      duringSearch(&self)
    }
    return found
  }
}
