// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// The language of the scripts.
@Suite(.waiting) struct ScriptTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path

  @Test func everySentenceIsExplainedOnceAndEveryExplanationIsASentence() throws {
    #expect(try Self.explained().map(\.pattern) == SentenceForm.all.map(\.pattern))
  }

  /// Each row of the table of sentences: how it is written, and where it is played.
  private static func explained() throws -> [(pattern: String, place: String)] {
    let page = try #require(Files.text(root + "/docs/authors/scripts.md"))
    let chapter = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Sentences") })
    return chapter.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      let pattern = String(row.dropFirst(3).prefix { $0 != "`" })
      return (pattern, String(row.dropFirst(pattern.count + 4).prefix(7).filter(\.isLetter)))
    }
  }

  @Test func everyReasonIsExplainedOnceAndEveryExplanationIsAReason() throws {
    let page = try #require(Files.text(Self.root + "/docs/authors/scripts.md"))
    let chapter = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Reasons") })
    let names = chapter.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { row in String(row.dropFirst(3).prefix { $0 != "`" }) }
    #expect(names.sorted() == ExpectedReason.names.sorted())
  }

  @Test func aReasonThatIsUnknownIsNamed() throws {
    let line = "devices a b\na waits for b.md because behind \"b.md\"\na waits for b.md because late\n"
    let failure = #expect(throws: Failure.self) { _ = try Script.lines(of: line, path: "s") }
    #expect(failure?.description.contains("s:3: one of absent, ") == true)
    #expect(failure?.description.contains("late") == true)
  }

  @Test func aReasonIsMatchedByNameByWhatItIsAboutAndByWhatItIsToldWith() {
    let copy = Reason.diverged(document: "a.md", device: "desktop", .version(copy: "a~1.md"))
    func isMatched(_ name: String, _ text: String? = nil, by reason: Reason?) -> Bool {
      ExpectedReason(name: name, text: text).matches(reason)
    }
    for reason in [copy, .overdue(copy)] {
      #expect(
        isMatched("diverged", by: reason) && isMatched("arrived-as-conflict-copy", "a~1.md", by: reason))
      #expect(!isMatched("behind", by: reason) && !isMatched("diverged", "a", by: reason))
    }
    #expect(isMatched("overdue", by: .overdue(copy)) && !isMatched("overdue", by: copy))
    #expect(isMatched("told", "No.", by: .told("No.")) && !isMatched("told", "No", by: .told("No.")))
    #expect(!isMatched("behind", by: nil))
  }

  @Test func thePageSaysWhereEachSentenceIsPlayed() throws {
    let forms = Dictionary(uniqueKeysWithValues: SentenceForm.all.map { ($0.pattern, $0) })
    for (pattern, place) in try Self.explained() {
      let words = pattern.split(separator: " ").filter { $0 != "…" }.map { word -> Word in
        word == "<text>" || word == "[<text>]"
          ? .quoted("x") : .plain(word == "<number>" ? "1" : String(word))
      }
      let sentence = try #require(forms[pattern]?.sentence(of: words))
      #expect(place == (sentence.whyNotSimulated == nil ? "both" : "real"), "\(pattern)")
    }
  }

  private static let directories = [
    "handoff", "circle", "engines", "editors", "embedded", "checklist", "day", "desktop",
  ].map { root + "/Fixtures/" + $0 }

  @Test func everyScriptOfThisPackageCanBeRead() throws {
    let paths = try Script.discover(Self.directories)
    #expect(paths.count >= 30)
    for path in paths { #expect(try Script(path: path).lines.count > 3) }
  }

  @Test func everySentenceIsSaidByAScript() throws {
    let text = try Script.discover(Self.directories)
      .map { try #require(Files.text($0)) }.joined(separator: "\n")
    let lines = try text.split(separator: "\n").map { try Word.words(of: String($0)) }
    for form in SentenceForm.all {
      #expect(lines.contains { form.sentence(of: $0) != nil }, "no script says: \(form.pattern)")
    }
  }

  @Test func textsMayHoldLinesQuotesAndRemarks() throws {
    let words = try Word.words(of: #"desktop writes a.md "x\n\"y\" # z\\" # a remark"#)
    #expect(words == [.plain("desktop"), .plain("writes"), .plain("a.md"), .quoted("x\n\"y\" # z\\")])
  }

  @Test func sentencesAreRecognised() throws {
    let lines = try Script.lines(
      of:
        "devices a b c\n\na publishes x/y.md line 2 column 3\nthe record is delivered\nx/y.md is delivered\n",
      path: "s")
    #expect(
      lines.map(\.sentence) == [
        .devices(["a", "b", "c"]), .publishes(device: "a", path: "x/y.md", line: 2, column: 3),
        .recordIsDelivered(damaged: false), .isDelivered(path: "x/y.md"),
      ])
    #expect(lines.map(\.number) == [1, 3, 4, 5])
  }

  @Test func aScriptIsPlayedWithEachEngineAndEachEditorThatItNames() throws {
    let lines = try Script.lines(
      of: "engine rsync --inplace\nengine git\neditor vim --cmd \"set bkc=yes\"\neditor nano\n", path: "s")
    let vim = ["vim", "--cmd", "set bkc=yes"]
    #expect(
      Casting.all(lines.map(\.sentence)) == [
        Casting(engine: ["rsync", "--inplace"], editor: vim),
        Casting(engine: ["rsync", "--inplace"], editor: ["nano"]),
        Casting(engine: ["git"], editor: vim), Casting(engine: ["git"], editor: ["nano"]),
      ])
    #expect(Casting.all([]) == [Casting()])
  }

  @Test func anyEditorIsEachThatIsAskedForButSomeOrOfSome() {
    func played(_ words: String...) -> [String?] {
      Casting(editor: words).with(["vim", "kate", "writer"]).map { $0.editor?.first }
    }
    #expect(played("any") == ["vim", "kate", "writer"])
    #expect(played("any", "but", "kate") == ["vim", "writer"])
    #expect(played("any", "of", "kate", "emacs") == ["kate"])
    #expect(played("nano") == ["nano"])
  }

  @Test func anEngineOrEditorThatIsUnknownIsNamed() throws {
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    let device = try sandbox.add("desktop")
    let engine = #expect(throws: Failure.self) { _ = try RealEngine(["pigeon"], [device]) }
    #expect(engine?.description.contains("rsync, syncthing") == true)
    let editor = #expect(throws: Failure.self) { _ = try Editor(["chisel"]) }
    #expect(editor?.description.contains("emacs, nano") == true)
  }

  @Test func everyEngineAndEditorOfTheQuickChoiceIsNamed() throws {
    let quick = try Self.quickScripts().map { try Script(path: $0) }
    let engines = Set(quick.flatMap { $0.castings.compactMap { $0.engine?.joined(separator: " ") } })
    let editors = Set(quick.flatMap { $0.castings.compactMap { $0.editor?.first } })
    #expect(
      engines == [
        "syncthing", "unison", "rclone", "git", "rsync", "rsync --inplace", "rsync --delay-updates",
      ])
    #expect(editors == ["vim", "nvim", "emacs", "nano"])
  }

  /// What `make test` plays of the engines and editors.
  private static func quickScripts() throws -> [String] {
    let makefile = try #require(Files.text(root + "/Makefile"))
    let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("quick ") })
    return line.split(separator: " ").dropFirst(2).map { root + "/" + $0 }
  }

  @Test(arguments: [
    "desktop flies", "desktop writes plan.md alpha", "desktop writes plan.md \"alpha",
    "desktop publishes plan.md line two column 3",
    "laptop continues plan.md with \"a\" line 1 column 1 today",
  ])
  func aLineThatSaysNothingKnownIsNamed(line: String) {
    #expect {
      _ = try Script.lines(of: "devices a b\n" + line, path: "some.script")
    } throws: { error in
      "\(error)".hasPrefix("expected some.script:2: ")
    }
  }

  @Test func runningAScriptThatFailsNamesTheLineAndEndsWithOne() throws {
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    let script = sandbox.directory + "/broken.script"
    try Files.replace(script, with: Array("devices desktop laptop\ndesktop flies\n".utf8))
    let child = try ChildProcess(
      sandbox.programs["fixtures"], ["run", script], environment: ["PATH": "/usr/bin:/bin"])
    #expect(try child.waitForExit() == .code(1))
    #expect(child.outputText.contains("broken.script:2: "))
    #expect(child.outputText.hasSuffix("0 passed, 1 failed\n"))
  }
}
