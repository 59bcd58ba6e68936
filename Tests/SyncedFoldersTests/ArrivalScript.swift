// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders

/// Plays a `Fixtures/arrival/*.script` against `ArrivalMachine`: a folder in memory that answers at once, and
/// a clock that jumps from event to event. The language is explained in `Fixtures/arrival/README.md`.
struct ArrivalScript {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private enum Content {
    case absent
    case file(name: String, size: UInt64)
    case unreadable(String)
    case other(FileKind)
  }

  private var machine: ArrivalMachine
  private var now = Instant(nanoseconds: start)
  private var content = Content.absent
  private var inode: UInt64 = 1
  private var changed = Instant(nanoseconds: 0)
  private var copies: [ConflictCopy] = []
  /// Whether the document holds conflict markers.
  private var isMerged = false
  private var others: [RelativePath: OtherFiles.File] = [:]
  private var unstableHashes = 0
  private var partial: UInt64?
  private var isSlow = false
  private var beingRead: RelativePath?
  private var hashes = 0
  private var wake: Instant?
  /// What was reported, in the form of the expected lines.
  private(set) var output: [String] = []

  private static let start: UInt64 = 1_000_000_000_000

  /// The steps above the line `reports`, and the lines below it.
  static func load(_ path: String) throws -> (steps: [[String]], expected: [String]) {
    guard let file = fopen(path, "r") else { throw Failure(description: "\(path): cannot be opened") }
    defer { fclose(file) }
    var steps: [[String]] = []
    var expected: [String] = []
    var isExpected = false
    while let text = line(of: file) {
      if text.hasPrefix("#") || text.isEmpty { continue }
      if text == "reports" {
        isExpected = true
      } else if isExpected {
        expected.append(text)
      } else {
        steps.append(text.split(separator: " ").map(String.init))
      }
    }
    return (steps, expected)
  }

  private static func line(of file: UnsafeMutablePointer<FILE>) -> String? {
    var bytes: [UInt8] = []
    while true {
      let byte = getc(file)
      if byte == EOF { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
  }

  init(steps: [[String]]) throws {
    guard let first = steps.first, first.count >= 3, first[0] == "reference", let size = UInt64(first[2])
    else {
      throw Failure(description: "the first line must be: reference NAME SIZE [after NAME…]")
    }
    let version = DocumentVersion(
      digest: Self.digest(first[1]), size: size,
      lineage: first.dropFirst(4).map { Self.digest($0).prefix })
    guard let folder = FolderID(bytes: [UInt8](repeating: 7, count: 16)),
      let path = RelativePath("notes/plan.md")
    else { throw Failure(description: "the document's place is wrong") }
    machine = ArrivalMachine(
      reference: DocumentReference(folder: folder, path: path, version: version), deviceName: "desktop")
    for step in steps.dropFirst() { try play(step) }
    output.append(wake.map { "awake until \(milliseconds($0))" } ?? "asleep")
    output.append("hashed \(hashes)")
  }

  private mutating func play(_ step: [String]) throws {
    guard step.count >= 2, let time = Int64(step[0]) else {
      throw Failure(description: "a step is: MILLISECONDS VERB …, not \(step)")
    }
    advance(to: Instant(nanoseconds: UInt64(Int64(Self.start) + time * 1_000_000)))
    let words = Array(step.dropFirst())
    let isSilent = words.last == "silently"
    if let place = try changeElsewhere(words.filter { $0 != "silently" }) {
      if !isSilent, let event = machine.event(forHintAt: place.components) { send(event) }
    } else if try changeFolder(words.filter { $0 != "silently" }) {
      changed = now
      if !isSilent { send(.hint) }
    } else if try !tell(words) {
      throw Failure(description: "no such verb: \(words[0])")
    }
  }

  private mutating func changeFolder(_ words: [String]) throws -> Bool {
    switch words[0] {
    case "replaced":
      inode += 1
      content = .file(name: words[1], size: try number(words[2]))
    case "written":
      content = .file(name: words[1], size: try number(words[2]))
      isMerged = false
    case "merged":
      content = .file(name: words[1], size: try number(words[2]))
      isMerged = true
    case "gone": content = .absent
    case "unreadable": content = .unreadable(words.dropFirst().joined(separator: " "))
    case "is": content = .other(FileKind(rawValue: words[1]) ?? .unknown)
    case "copy": copies.append(ConflictCopy(name: Array(words[2].utf8), digest: Self.digest(words[1])))
    default: return false
    }
    return true
  }

  /// The place that changed; nil for other verbs.
  private mutating func changeElsewhere(_ words: [String]) throws -> RelativePath? {
    switch (words[0], content) {
    case ("moved", .file(let name, let size)):
      guard let place = RelativePath(words.dropFirst().joined(separator: " ")) else { return nil }
      others[place] = .init(name: name, size: size, inode: inode, changed: changed)
      content = .absent
      send(.hint)
      return place
    case ("put", _):
      guard let place = RelativePath(words.dropFirst(3).joined(separator: " ")) else { return nil }
      let inode = UInt64(1000 + others.count)
      others[place] = .init(name: words[1], size: try number(words[2]), inode: inode, changed: now)
      return place
    default: return nil
    }
  }

  private mutating func tell(_ words: [String]) throws -> Bool {
    switch words[0] {
    case "folder": send(.folder(.here(name: words[1])))
    case "away": send(.folder(.away(name: words[1])))
    case "unknown": send(.folder(.unknown(name: words.count > 1 ? words[1] : nil)))
    case "history":
      send(.history(DocumentHistory(versions: words.dropFirst().map { Self.digest($0).prefix })))
    case "partial":
      partial = try number(words[1])
      if words.last != "silently" { send(.hint) }
    case "slow": isSlow = true
    case "read":
      send(.reading(try number(words[1])))
    case "done":
      isSlow = false
      guard let path = beingRead else { throw Failure(description: "nothing is being read") }
      beingRead = nil
      send(.hashed(hash(path)))
    case "accepted": send(.accepted(.seconds(Int64(try number(words[1])))))
    case "extended": send(.extended(.seconds(Int64(try number(words[1])))))
    case "ended": send(.ended)
    case "unstable": unstableHashes = Int(try number(words[1]))
    case "published":
      var newer = machine.reference
      newer.version = DocumentVersion(digest: Self.digest(words[1]), size: try number(words[2]))
      send(.reference(newer))
    case "later": break
    default: return false
    }
    return true
  }

  private mutating func advance(to target: Instant) {
    while let next = wake, next <= target {
      wake = nil
      now = max(now, next)
      send(.timer)
    }
    now = target
  }

  /// The shell: answers each action at once.
  private mutating func send(_ event: ArrivalMachine.Event) {
    var pending = machine.handle(event, at: now)
    while !pending.isEmpty {
      switch pending.removeFirst() {
      case .observe(let path): pending += machine.handle(.observed(observation(of: path)), at: now)
      case .hash(let path, _) where isSlow: beingRead = path
      case .hash(let path, _): pending += machine.handle(.hashed(hash(path)), at: now)
      case .measure: pending += machine.handle(.partial(partial), at: now)
      case .cancel:
        beingRead = nil
        pending += machine.handle(.hashed(.cancelled), at: now)
      case .search(let search):
        pending += machine.handle(.found(OtherFiles(others, at: now).find(search)), at: now)
      case .listSiblings: pending += machine.handle(.siblings(copies), at: now)
      case .readMarkers: pending += machine.handle(.markers(isMerged), at: now)
      case .report(let status): output.append("\(milliseconds(now)) \(status.summary)")
      case .expired(let error): output.append("\(milliseconds(now)) expired \(error.code): \(error)")
      case .wake(let moment): wake = moment
      }
    }
  }

  private func observation(of path: RelativePath) -> FileObservation {
    guard path == machine.reference.path else { return OtherFiles(others, at: now).observe(path) }
    return switch content {
    case .absent: .absent
    case .unreadable(let why): .unreadable(why)
    case .other(let kind): .other(kind)
    case .file(_, let size):
      .file(
        FileStamp(
          device: 1, inode: inode, size: size, modified: 0, changed: Int64(changed.nanoseconds)))
    }
  }

  private mutating func hash(_ path: RelativePath) -> HashOutcome {
    hashes += 1
    guard path == machine.reference.path else { return OtherFiles(others, at: now).digest(of: path) }
    guard unstableHashes == 0, case .file(let name, _) = content,
      case .file(let stamp) = observation(of: path)
    else {
      unstableHashes = max(0, unstableHashes - 1)
      return .unstable
    }
    return .stable(Self.digest(name), stamp, quiet: now - changed)
  }

  private func milliseconds(_ moment: Instant) -> Int64 {
    (Int64(moment.nanoseconds) - Int64(Self.start)) / 1_000_000
  }

  private func number(_ word: String) throws -> UInt64 {
    guard let number = UInt64(word) else { throw Failure(description: "not a number: \(word)") }
    return number
  }

  static func digest(_ name: String) -> ContentDigest {
    let bytes = Array(name.utf8.prefix(32))
    guard let digest = ContentDigest(bytes: bytes + [UInt8](repeating: 0, count: 32 - bytes.count)) else {
      preconditionFailure("32 bytes are a digest")
    }
    return digest
  }
}

extension ArrivalStatus {
  fileprivate var summary: String {
    let bytes = arrival == .current || received == 0 ? "" : " \(received)/\(expected)"
    return reason.isEmpty ? arrival.name + bytes : "\(arrival.name)\(bytes): \(reason)"
  }
}
