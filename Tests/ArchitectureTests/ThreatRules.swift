// SPDX-License-Identifier: MIT

/// What is wrong with the table of threats, one sentence each: rows that are missing, rows without a proof,
/// and tests that answer a threat by their own words and are not in its row. That a test which a row names
/// exists is one of `PageRules`.
struct ThreatRules {
  let tree: SourceTree

  /// What stands in place of a proof, with what is missing behind it.
  private static let reasons = ["Not yet: ", Self.network]
  private static let network = "comes with the LAN"
  /// So many threats may wait for the transport that does not exist yet.
  static let networkLimit = 10

  /// The number of a threat, and what its last cell says.
  private var rows: [(threat: String, proof: String)] {
    tree.lines(of: "docs/security.md").compactMap { line in
      guard let threat = line.firstMatch(of: /^\| (T\d\d) \|/)?.1 else { return nil }
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      return (String(threat), cells.count == 4 ? String(cells[3]) : "")
    }
  }

  /// Each threat of `T01` to `T58` has one row, and there are no others.
  func faultsOfRows() -> [String] {
    let wanted = (1...58).map { "T" + ($0 < 10 ? "0" : "") + "\($0)" }
    let counts = rows.reduce(into: [String: Int]()) { $0[$1.threat, default: 0] += 1 }
    return wanted.filter { counts[$0] != 1 }.map { "\($0) has \(counts[$0] ?? 0) rows" }
      + counts.keys.filter { !wanted.contains($0) }.sorted().map { "\($0) is no threat" }
  }

  /// The last cell names tests, and nothing else, or begins with one of the reasons.
  func faultsOfProofs() -> [String] {
    var faults: [String] = []
    for row in rows where !Self.reasons.contains(where: row.proof.hasPrefix) {
      let parts = row.proof.split(separator: ",").map { $0.filter { $0 != " " } }
      if parts.isEmpty || !parts.allSatisfy(Self.isProof) { faults.append("\(row.threat) has no proof") }
    }
    let waiting = rows.count { $0.proof.hasPrefix(Self.network) }
    if waiting > Self.networkLimit { faults.append("\(waiting) rows wait for the LAN") }
    return faults
  }

  private static func isProof(_ text: String) -> Bool {
    text.wholeMatch(of: /`\w+Tests\.\w+`|`(Tests|Fixtures)\/[\w.\/\-]+`/) != nil
  }

  /// Tests say in a comment which threat they answer: the row names one of the same suite.
  func faultsOfTests() -> [String] {
    let proofs = Dictionary(rows.map { ($0.threat, $0.proof) }) { first, _ in first }
    return tree.swiftFiles(below: "Tests").flatMap { path, text -> [String] in
      let suite = path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
      guard suite.hasSuffix("Tests"), !path.hasPrefix("Tests/ArchitectureTests/") else { return [] }
      let threats = SourceTree.lines(text).compactMap { ReferenceRules.comment(of: $0) }
        .flatMap { $0.matches(of: /\bT\d\d\b/).map { String($0.0) } }
      return Set(threats).sorted().filter { proofs[$0]?.holds("`\(suite).") != true }
        .map { "\($0) does not name a test of \(suite), which answers it" }
    }
  }
}
