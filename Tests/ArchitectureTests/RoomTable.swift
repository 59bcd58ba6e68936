// SPDX-License-Identifier: MIT

/// The table of rooms, as drawn in docs/architecture.md.
struct RoomTable {
  var rows: [String: Row] = [:]

  struct Row: Equatable {
    var rank: Int
    /// Names of rooms and packages; nil where the table does not list them.
    var imports: Set<String>?
  }

  /// Reads the rows `| rank | `target` | … | imports |`.
  init(markdown: String) {
    for line in SourceTree.lines(markdown) where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { String($0.drop { $0 == " " }) }.map(
        Self.withoutTrailingBlanks)
      guard cells.count == 4, let rank = Int(cells[0]), cells[1].hasPrefix("`") else { continue }
      let name = cells[1].filter { $0 != "`" }
      rows[name] = Row(rank: rank, imports: Self.imports(cells[3]))
    }
  }

  /// `FOLDER/ROOM` for each room in the rows `| `FOLDER` | … | rooms |`.
  static func folders(markdown: String) -> Set<String> {
    let rows = SourceTree.lines(markdown).filter { $0.hasPrefix("| `Sources/") || $0.hasPrefix("| `Tests/") }
    return Set(
      rows.flatMap { line -> [String] in
        let cells = line.split(separator: "|").map { $0.filter { !" `".contains($0) } }
        guard cells.count == 3 else { return [] }
        return cells[2].split(separator: ",").map { "\(cells[0])/\($0)" }
      })
  }

  private static func imports(_ cell: String) -> Set<String>? {
    if cell == "–" { return [] }
    let names = cell.split(separator: ",").map { $0.filter { !" []`".contains($0) } }
    return cell.contains(" ") && !cell.contains(",") ? nil : Set(names)
  }

  private static func withoutTrailingBlanks(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// Modules that come with the toolchain or the system's C library.
enum Toolchain {
  static let modules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Observation",
    "Testing",
    "_Concurrency", "PackageDescription",
  ]
}

/// The modules that a file imports, with `@_exported` ones marked.
func imports(in text: String) -> [(module: String, isExported: Bool)] {
  let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "typealias", "let", "var"]
  return SourceTree.lines(text).compactMap { line in
    var words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"),
      words[..<place].allSatisfy({
        $0.hasPrefix("@") || ["public", "internal", "package", "private"].contains($0)
      })
    else { return nil }
    let isExported = words[..<place].contains("@_exported")
    words.removeFirst(place + 1)
    if let first = words.first, kinds.contains(first) { words.removeFirst() }
    return words.first.map { (String($0.prefix { $0 != "." }), isExported) }
  }
}
