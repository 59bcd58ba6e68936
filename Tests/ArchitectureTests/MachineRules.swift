// SPDX-License-Identifier: MIT

/// Where the state of a machine lies open: an extension in another file could reach past what the machine
/// decides. Empty when it lies open nowhere.
struct MachineRules {
  let tree: SourceTree

  /// Properties that lie open, each with its reason.
  static let exceptions: [String: String] = [
    "EditorMachine.prompt": "each dialog of the screen is an extension, and ends its own line",
    "EditorMachine.question": "each dialog of the screen is an extension, and ends its own question",
    "EditorMachine.search": "the search is an extension, and keeps here what is looked for",
    "EditorMachine.toldPlaces": "saving is an extension, and keeps here what it told already",
  ]

  private static let types: Set<Substring> = ["struct", "class", "actor", "enum"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "open", "private", "fileprivate", "private(set)", "fileprivate(set)",
    "internal(set)", "package(set)", "final", "lazy", "weak", "unowned", "static", "nonisolated(unsafe)",
  ]

  /// One stored property of a machine.
  struct Property {
    var name: String
    var place: String
    var isOpen: Bool
  }

  /// Stored properties that other files may change, or that are no interface and other files may read.
  func openStates() -> [String] {
    properties().filter { $0.isOpen && Self.exceptions[$0.name] == nil }
      .map { "\($0.place): \($0.name) lies open" }
  }

  /// Every stored property of a type that is called a machine.
  func properties() -> [Property] {
    tree.swiftFiles().flatMap { path, text -> [Property] in
      guard text.holds("Machine") else { return [] }
      var machine: (name: Substring, indent: Int)?
      let lines = SourceTree.lines(text)
      return lines.indices.compactMap { index -> Property? in
        let line = lines[index]
        let indent = line.prefix { $0 == " " }.count
        guard let (name, outer) = machine else {
          machine = Self.machine(in: line).map { ($0, indent) }
          return nil
        }
        if indent == outer, line.hasSuffix("}") { machine = nil }
        guard indent == outer + 2 else { return nil }
        let next = index + 1 < lines.count ? lines[index + 1] : ""
        guard let (property, isOpen) = Self.storedProperty(in: line, next) else { return nil }
        return Property(name: "\(name).\(property)", place: "\(path):\(index + 1)", isOpen: isOpen)
      }
    }
  }

  /// The name of the machine that is declared in this line.
  private static func machine(in line: Substring) -> Substring? {
    guard line.hasSuffix("{"), line.holds("Machine") else { return nil }
    let words = line.split { " :{<".contains($0) }
    guard let keyword = words.firstIndex(where: types.contains), keyword + 1 < words.count,
      words[..<keyword].allSatisfy(modifiers.contains), words[keyword + 1].hasSuffix("Machine"),
      // A computer that something is measured on is none.
      words[keyword + 1] != "Machine"
    else { return nil }
    return words[keyword + 1]
  }

  /// The property that is declared in this line, unless it is computed, and whether it lies open.
  private static func storedProperty(
    in line: Substring, _ next: Substring
  ) -> (name: Substring, isOpen: Bool)? {
    let words = line.split { " :".contains($0) }
    guard let keyword = words.firstIndex(where: { $0 == "var" || $0 == "let" }), keyword + 1 < words.count
    else { return nil }
    let access = words[..<keyword]
    guard access.allSatisfy(modifiers.contains), !access.contains("static") else { return nil }
    if let brace = line.firstIndex(of: "{") {
      let isObserved = [line, next].contains { $0.holds("didSet") || $0.holds("willSet") }
      guard isObserved || line[..<brace].holds(" = ") else { return nil }
    }
    let isOwn = access.contains { $0.hasPrefix("private") || $0.hasPrefix("fileprivate") }
    let isInterface = words[keyword] == "let" && access.contains { $0 == "public" || $0 == "package" }
    return (words[keyword + 1], !isOwn && !isInterface)
  }
}
