// SPDX-License-Identifier: MIT

/// What in the tables of docs/authors/porting-from-appkit.md is not so, one sentence each; empty when all is.
struct PortingRules {
  let rows: [Row]
  private let tree: SourceTree

  /// One row, below a heading that names the type: "## `NSDocument` → `Document`".
  struct Row: Equatable {
    /// The line that begins with "## ", whole.
    var heading: String
    var type: String?
    var apples: [String]
    var here: [String]
    var verdict: String
    var remark: String
  }

  init(_ tree: SourceTree) {
    self.tree = tree
    var rows: [Row] = []
    var type: String?
    var heading = ""
    for line in tree.lines(of: "docs/authors/porting-from-appkit.md") {
      if line.hasPrefix("## ") {
        (heading, type) = (String(line), Self.names(in: line).dropFirst().first)
      }
      let cells = line.split(separator: "|").map { Self.trimmed($0) }
      guard line.hasPrefix("| "), cells.count >= 3, cells[0] != "Apple's", cells[0] != "---" else { continue }
      rows.append(
        Row(
          heading: heading, type: type, apples: Self.names(in: cells[0]), here: Self.names(in: cells[1]),
          verdict: cells[2],
          remark: cells.count > 3 ? cells[3] : ""))
    }
    self.rows = rows
  }

  /// Names of the second column that no source declares: members in the files that declare or extend their
  /// type, others anywhere in the libraries; keys of `Info.plist` stand there as text.
  func strangers() -> [String] {
    rows.flatMap { row in
      let files = row.type.map(files) ?? libraries
      return row.here.filter { name in
        // A type that a member's row names may stand anywhere.
        let place = name.first?.isUppercase == true ? libraries : files
        return !Self.declares(name, in: place) && !Self.isKey(name, in: libraries)
      }
      .map { "\($0) is not declared in the files of \(row.type ?? "any library")" }
    }
  }

  /// Rows whose parts contradict each other.
  func unclear() -> [String] {
    rows.filter { row in
      switch row.verdict {
      case "same": row.here.isEmpty
      case "kept", "different": row.here.isEmpty || row.remark.isEmpty
      case "absent": !row.here.isEmpty || row.remark.isEmpty
      default: true
      }
    }
    .map { "\($0.apples.joined(separator: ", ")) is \($0.verdict): \($0.here), \($0.remark)" }
  }

  /// What compiles as the page says.
  private static let source = "Tests/DocumentsTests/PortingSource.swift"
  /// Its rows are compared with a property list in place of source.
  private static let keys = ("## Keys of `Info.plist`", "Tests/DocumentsTests/Trails/Trails.Info.plist")

  /// Apple's names in rows *same* and *kept* that the compiled source does not use below its row's heading.
  func unused() -> [String] {
    var parts: [String: String] = [Self.keys.0: tree.files[Self.keys.1] ?? ""]
    var heading = ""
    for line in tree.lines(of: Self.source) {
      if line.hasPrefix("// ## ") {
        heading = String(line.dropFirst(3))
      } else if !line.drop(while: { $0 == " " }).hasPrefix("//") {
        parts[heading, default: ""] += line + "\n"
      }
    }
    return rows.filter { ["same", "kept"].contains($0.verdict) }.flatMap { row in
      let type = Self.names(in: row.heading).first ?? ""
      return row.apples.filter { !PortingSource(text: parts[row.heading] ?? "", type: type).uses($0) }
        .map { "\(row.heading.dropFirst(3)): nothing compiled uses \($0)" }
    }
  }

  /// Names of Apple's guides that no row has in its first column.
  func forgotten() -> [String] {
    let told = Set(rows.flatMap(\.apples))
    return Self.guides.filter { !told.contains($0) }
  }

  /// What the guides to Handoff and the reference of the class name.
  private static let guides = """
    NSUserActivity init(activityType:) init() activityType title userInfo addUserInfoEntries(from:)
    addUserInfoEntriesFromDictionary(_:) requiredUserInfoKeys needsSave delegate webpageURL
    expirationDate keywords contentAttributeSet CSSearchableItemAttributeSet eligibleForHandoff
    isEligibleForHandoff eligibleForSearch eligibleForPublicIndexing supportsContinuationStreams
    getContinuationStreams(completionHandler:) becomeCurrent() resignCurrent() invalidate()
    NSUserActivityDelegate userActivityWillSave(_:) userActivityWasContinued(_:)
    userActivity(_:didReceive:outputStream:) NSResponder UIResponder NSViewController UIViewController
    userActivity updateUserActivityState(_:) restoreUserActivityState(_:) NSApplicationDelegate
    UIApplicationDelegate application(_:willContinueUserActivityWithType:)
    application(_:continue:restorationHandler:)
    application(_:didFailToContinueUserActivityWithType:error:) application(_:didUpdate:) NSDocument
    UIDocument fileURL NSDocumentController openDocument(withContentsOf:display:completionHandler:)
    NSUserActivityDocumentURLKey NSUserActivityTypes CFBundleDocumentTypes
    NSUbiquitousDocumentUserActivityType startAccessingSecurityScopedResource()
    stopAccessingSecurityScopedResource()
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  // MARK: Sources

  private var libraries: [String] {
    tree.swiftFiles(below: "Sources").filter { SourceTree.isLibrary($0.path) }.map(\.text)
  }

  private func files(of type: String) -> [String] {
    libraries.filter { text in
      ["class", "struct", "enum", "protocol", "extension", "typealias"].contains { kind in
        text.holds("\(kind) \(type)")
          && text.ranges(of: "\(kind) \(type)").contains { Self.endsWord(text, at: $0.upperBound) }
      }
    }
  }

  private static func declares(_ name: String, in files: [String]) -> Bool {
    guard let bracket = name.firstIndex(of: "(") else {
      return files.contains { hasDeclaration(name, in: $0) }
    }
    let base = name[..<bracket]
    let labels = name[bracket...].dropFirst().dropLast().split(separator: ":").map(String.init)
    let beginning = base == "init" ? "init(" : "func \(base)"
    return files.lazy.filter { $0.holds(beginning) }.contains { text in
      text.ranges(of: beginning).contains { range in
        let rest = text[(base == "init" ? text.index(before: range.upperBound) : range.upperBound)...]
        guard let open = rest.first, open == "(" || open == "<" else { return false }
        return parameterLabels(rest.drop { $0 != "(" }.dropFirst()) == labels
      }
    }
  }

  private static func hasDeclaration(_ name: String, in text: String) -> Bool {
    ["class", "struct", "enum", "protocol", "typealias", "var", "let", "case", ","].contains { kind in
      text.holds("\(kind) \(name)")
        && text.ranges(of: "\(kind) \(name)").contains { endsWord(text, at: $0.upperBound) }
    }
  }

  private static func isKey(_ name: String, in files: [String]) -> Bool {
    name.first?.isUppercase == true && files.contains { $0.holds("\"\(name)\"") }
  }

  /// The labels of a parameter clause that begins behind its bracket.
  private static func parameterLabels(_ clause: Substring) -> [String] {
    var labels: [String] = []
    var depth = 0
    var word = ""
    var isAtLabel = true
    for character in clause {
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if character == ">", !word.hasSuffix("-") { depth -= 1 }
      if depth < 0 { return labels }
      if depth == 0, character == "," {
        isAtLabel = true
        word = ""
      } else if isAtLabel, character == " " || character == ":" || character == "\n", !word.isEmpty {
        labels.append(word)
        isAtLabel = false
        word = ""
      } else if character != " ", character != "\n" {
        word = isAtLabel ? word + String(character) : String(character)
      }
    }
    return labels
  }

  private static func endsWord(_ text: String, at index: String.Index) -> Bool {
    guard index < text.endIndex else { return true }
    return !(text[index].isLetter || text[index].isNumber || text[index] == "_")
  }

  // MARK: Text

  private static func names(in cell: some StringProtocol) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  private static func trimmed(_ cell: Substring) -> String {
    let head = cell.drop { $0 == " " }
    return String(String(head.reversed().drop { $0 == " " }.reversed()))
  }
}
