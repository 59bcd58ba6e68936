// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// What `continuo why FILE` says of the file itself.
@Suite struct NamedFileAnswerTests {
  private static func root(_ name: String, _ path: String, isPresent: Bool = true, refused: Reason? = nil)
    -> SyncedRoot
  {
    SyncedRoot(id: .random(), name: name, path: Array(path.utf8), isPresent: isPresent, refused: refused)
  }

  private let roots = [
    Self.root("all", "/h/all"), Self.root("notes", "/h/all/notes"), Self.root("music", "/h/music"),
  ]

  private func row(_ subject: Explanation.Subject, _ path: String) -> Explanation {
    Explanation(
      subject, id: "ac", title: "t", path: Array(path.utf8), statements: [.init(.offered(to: []))])
  }

  private func reasons(
    _ path: String, _ finding: NamedFileAnswer.Finding = .file, _ rows: [Explanation] = [],
    roots: [SyncedRoot]? = nil
  ) -> [String] {
    let answer = NamedFileAnswer(
      path: Array(path.utf8), finding: finding, roots: roots ?? self.roots, among: rows,
      isKeptBack: { $0.components.first == Array(".continuo".utf8) })
    #expect(answer.rows == rows.filter { $0.path == Array(path.utf8) && $0.subject != .folder })
    return answer.statements.map(\.name)
  }

  private let gone = NamedFileAnswer.Finding.none(.init(name: "no-document", sentence: "It is not there."))

  @Test func aFileInNoFolderSaysSo() {
    #expect(reasons("/etc/hosts") == ["outside-folders"])
    #expect(reasons("/etc/hosts", gone) == ["no-document", "outside-folders"])
    // The app that has it open says the same.
    #expect(reasons("/etc/hosts", .file, [row(.document, "/etc/hosts")]).isEmpty)
  }

  @Test func aFileThatNobodyHasOpenSaysSo() {
    #expect(reasons("/h/music/a.md") == ["not-open"])
    #expect(reasons("/h/music/a.md", .file, [row(.offer, "/h/music/a.md")]) == ["not-open"])
    #expect(reasons("/h/music/a.md", .file, [row(.own, "/h/music/a.md")]).isEmpty)
    #expect(reasons("/h/music/a.md", .file, [row(.own, "/h/music/b.md")]) == ["not-open"])
  }

  @Test func aFileThatIsNotThereSaysSoUnlessItIsOffered() {
    #expect(reasons("/h/music/a.md", gone) == ["no-document"])
    #expect(reasons("/h/music/a.md", gone, [row(.offer, "/h/music/a.md")]).isEmpty)
  }

  @Test func aFileInTwoFoldersIsTheInnerOnes() throws {
    #expect(reasons("/h/all/notes/a.md") == ["not-open", "nested"])
    #expect(reasons("/h/all/a.md") == ["not-open"])
    let answer = NamedFileAnswer(
      path: Array("/h/all/notes/a.md".utf8), finding: .file, roots: roots, among: [],
      isKeptBack: { _ in false })
    let nested = Reason.nested(document: "a.md", folder: "notes", outer: "all")
    #expect(answer.statements.last == Explanation.Statement(nested))
  }

  @Test func whatBelongsToOthersOrLiesInAFolderThatIsNotUsedSaysSo() {
    #expect(reasons("/h/music/.continuo/a.md") == ["kept-back"])
    #expect(reasons("/m/a.md", gone, roots: [Self.root("m", "/m", isPresent: false)]) == ["folder-away"])
    let refused = Self.root(
      "m", "/m", isPresent: false, refused: .folderReplaced(folder: "m", path: "/m"))
    #expect(reasons("/m/a.md", roots: [refused]) == ["folder-replaced"])
  }

  @Test func aHostileNameMakesOneRow() throws {
    let path = Array("/h/music/a\n\u{1b}[31m\u{202e}gpj.md".utf8)
    let answer = NamedFileAnswer(path: path, finding: .file, roots: roots, among: []) { _ in false }
    let sentence = try #require(answer.statements.first?.sentence)
    #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
  }
}
