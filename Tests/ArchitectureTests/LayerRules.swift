// SPDX-License-Identifier: MIT

/// What breaks the drawing of the rooms, one sentence each; empty when nothing does.
struct LayerRules {
  let tree: SourceTree
  let table: RoomTable

  /// Rooms that may import FoundationEssentials but nothing larger of Foundation.
  static let small: Set<String> = [
    "ActivityModel", "ActivityWire", "ActivityExchange", "SyncedFolders", "TextAnchors", "FolderWatch",
    "ContinuityTestKit", "AgentClient", "ActivityJSON", "EditorProtocol", "Embedding",
    "ContinuoC", "AppSession", "Trust", "AgentEngine", "SyncEngines", "LocalNetwork",
  ]
  /// Rooms that are the one import of an app, and may re-export.
  static let entrances: Set<String> = ["Continuo", "AppKitNames"]
  /// Rooms without system calls.
  static let pure: Set<String> = small.subtracting(["AgentClient", "Embedding", "ContinuoC"])

  init(_ tree: SourceTree) {
    self.tree = tree
    table = RoomTable(markdown: tree.files["docs/architecture.md"] ?? "")
  }

  private var rooms: [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for path in tree.files.keys {
      guard let room = SourceTree.room(of: path) else { continue }
      let modules = path.hasSuffix(".swift") ? imports(in: tree.files[path] ?? "").map(\.module) : []
      found[room, default: []].formUnion(modules)
    }
    return found
  }

  /// Rooms that are drawn and not there, or there and not drawn.
  func drawing() -> [String] {
    let built = Set(rooms.keys)
    let drawn = Set(table.rows.keys)
    return built.subtracting(drawn).sorted().map { "\($0) is not drawn in docs/architecture.md" }
      + drawn.subtracting(built).sorted().map { "\($0) is drawn and has no code" }
  }

  /// Rooms that lie in another folder than the drawing says, and files of the sources that lie in no room.
  func places() -> [String] {
    let lying = tree.files.keys.compactMap { path -> String? in
      guard SourceTree.room(of: path) != nil else { return nil }
      return path.split(separator: "/").prefix(3).joined(separator: "/")
    }
    let drawn = RoomTable.folders(markdown: tree.files["docs/architecture.md"] ?? "")
    // What is installed beside programs is no room.
    let loose = tree.files.keys.filter {
      $0.hasPrefix("Sources/") && !$0.hasPrefix("Sources/Packaging/") && SourceTree.room(of: $0) == nil
    }
    return Set(lying).subtracting(drawn).sorted().map { "\($0) is not drawn in docs/architecture.md" }
      + drawn.subtracting(lying).sorted().map { "\($0) is drawn and not there" }
      + loose.sorted().map { "\($0) lies in no room" }
  }

  /// Imports that the table does not list, and listed ones that no file uses.
  func doors() -> [String] {
    rooms.sorted { $0.key < $1.key }.flatMap { room, modules -> [String] in
      guard let row = table.rows[room] else { return [] }
      let used = modules.subtracting(Toolchain.modules)
      let upward = used.compactMap { module -> String? in
        guard let other = table.rows[module], other.rank >= row.rank else { return nil }
        return "\(room) (rank \(row.rank)) imports \(module) (rank \(other.rank))"
      }
      guard let listed = row.imports, !isForeign(room) else { return upward.sorted() }
      return upward.sorted()
        + used.subtracting(listed).sorted().map { "\(room) imports \($0), which its row does not list" }
        + listed.subtracting(used).sorted().map { "\(room) lists \($0) and does not import it" }
    }
  }

  /// Dependencies in Package.swift that differ from the table.
  func manifest() -> [String] {
    let declared = ManifestText(tree.files["Package.swift"] ?? "").dependencies
    return table.rows.sorted { $0.key < $1.key }.flatMap { room, row -> [String] in
      guard let listed = row.imports, let given = declared[room] else { return [] }
      return given.subtracting(listed).sorted().map { "Package.swift gives \(room) \($0), its row does not" }
        + listed.subtracting(given).sorted().map {
          "\(room)'s row lists \($0), Package.swift does not give it"
        }
    }
  }

  /// Toolchain modules where they are too large or not pure, and re-exports outside `entrances`.
  func limits() -> [String] {
    tree.swiftFiles().flatMap { path, text -> [String] in
      guard let room = SourceTree.room(of: path) else { return [] }
      return imports(in: text).compactMap { module, isExported in
        if isExported, !Self.entrances.contains(room) { return "\(path) re-exports \(module)" }
        if module == "CInotifyTools", room != "continuo-watch" { return "\(path) imports CInotifyTools" }
        if module == "CTransportSecurity", room != "continuo-lan" {
          return "\(path) imports CTransportSecurity"
        }
        if Self.small.contains(room), ["Foundation", "Dispatch"].contains(module) {
          return "\(path) imports \(module), and \(room) may not"
        }
        if Self.pure.contains(room), module == "Glibc" { return "\(path) imports Glibc, and \(room) is pure" }
        return nil
      }
    }
  }

  /// C, whose imports are no lines of Swift.
  private func isForeign(_ room: String) -> Bool {
    room.hasPrefix("C") && room.dropFirst().first?.isUppercase == true
  }
}

/// The dependencies that Package.swift declares with `room(…)` and `program(…)`.
struct ManifestText {
  let dependencies: [String: Set<String>]

  init(_ text: String) {
    var found: [String: Set<String>] = [:]
    let aliases = [
      "crypto": "Crypto", "argumentParser": "ArgumentParser", "logging": "Logging", "grdb": "GRDB",
    ]
    for match in text.matches(of: /(?:room|program)\(\s*"([^"]+)"(?:,\s*\[([^\]]*)\])?/) {
      let names = (match.2 ?? "").split(separator: ",").map { $0.filter { !" \n\"".contains($0) } }
      found[String(match.1)] = Set(names.filter { !$0.isEmpty }.map { aliases[$0] ?? $0 })
    }
    dependencies = found
  }
}
