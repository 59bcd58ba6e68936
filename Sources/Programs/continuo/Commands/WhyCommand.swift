// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import SyncedFolders

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why something is offered, shown or continued, or why not.",
    discussion: CommandEnd.help(
      """
      Without an argument: each activity of this device, each one that another device offers, shown here or \
      not, and what keeps others from being heard. With one: a document by its path, an offer or an activity \
      by its ID or the beginning of it, as `continuo offers` prints it, or an app by its ID. What looks like \
      a path, or is the name of a file here, is a path.
      """,
      ends: [
        .done: "it was answered, whatever the answer is",
        .failed: "there is nothing of that name, and the sentence says so",
      ]))

  @Argument(help: "A path, the beginning of an ID, or an app's ID.")
  var subject: String?

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      guard let subject else { return show([], try WhyRows.all(session)) }
      if Self.isPath(subject) { return try answer(file: subject, session) }
      let rows = try WhyRows.all(session)
      let named = try Self.rows(of: subject, among: rows)
      show([], named.isEmpty ? try WhyRows.all(session, for: subject) : named)
    }
  }

  /// Everything else is an ID, which has no slash; but a file of that name is meant where one is there.
  private static func isPath(_ subject: String) -> Bool {
    if subject.contains("/") { return true }
    return (try? FilePath(bytes: Terminal.absolutePath(subject)).status(followingLinks: false)) != nil
  }

  /// The activities whose ID begins so. Throws a sentence where there are several, or where it looks like
  /// nothing but an ID and there is none.
  private static func rows(
    of subject: String, among rows: [Explanation]
  ) throws(ContinuityError) -> [Explanation] {
    let found = rows.filter { $0.subject != .folder && $0.subject != .device }
      .filter { !$0.id.isEmpty && $0.id.hasPrefix(subject.lowercased()) }
    let count = Set(found.map(\.id)).count
    guard count < 2 else {
      throw ContinuityError(
        .invalidRequest, subject: subject,
        description: "\(count) activities have IDs that begin with \(subject): give more of the ID.")
    }
    guard found.isEmpty, subject.allSatisfy(\.isHexDigit) else { return found }
    throw ContinuityError(.invalidRequest, subject: subject, because: .offerGone)
  }

  private func answer(file typed: String, _ session: AgentSession) throws(ContinuityError) {
    let (path, finding) = Self.look(typed)
    guard case .folders(let roots) = try session.ask(.listFolders) else { return }
    let answer = NamedFileAnswer(
      path: path, finding: finding, roots: roots, among: try WhyRows.all(session),
      isKeptBack: DocumentResolver.isKeptBack)
    show(answer.statements, answer.rows, about: Terminal.shown(path))
  }

  /// Where it lies, and what lies there.
  private static func look(_ typed: String) -> (path: [UInt8], NamedFileAnswer.Finding) {
    do throws(ContinuityError) {
      return (try NamedFile(typed: typed).path, .file)
    } catch {
      // Also one that is not here may be offered, or on its way.
      let path = (try? DocumentPath.resolve(typed)) ?? Terminal.absolutePath(typed)
      return (path, .none(Explanation.Statement(name: "no-document", sentence: error.description)))
    }
  }

  private func show(
    _ statements: [Explanation.Statement], _ rows: [Explanation], about path: String? = nil
  ) {
    if json {
      return JSONOutput.say(
        WhyAnswer(path: path, reasons: statements.map(WhyReason.init), rows: rows.map(WhyRow.init)))
    }
    if rows.isEmpty, statements.isEmpty {
      Terminal.hint("No app of this device has an activity now, and no other device offers anything.")
    }
    if let path, !statements.isEmpty { Terminal.say(path) }
    for statement in statements { Terminal.say("          \(statement.sentence)") }
    for row in rows {
      Terminal.say(WhyRows.title(of: row))
      for sentence in WhyRows.sentences(of: row) { Terminal.say("          \(sentence)") }
    }
  }
}

/// What the agent says of everything.
enum WhyRows {
  /// All rows, however many messages they take; for one app, or for all.
  static func all(_ session: AgentSession, for app: String? = nil) throws(ContinuityError) -> [Explanation] {
    var rows: [Explanation] = []
    while true {
      let command = AgentCommand.explain(app: app, skipping: UInt64(rows.count))
      guard case .explained(let more, let total) = try session.ask(command) else { return rows }
      rows += more
      if more.isEmpty || rows.count >= total { return rows }
    }
  }

  /// One row of text that says what it is about.
  static func title(of row: Explanation) -> String {
    let state =
      switch row.subject {
      case .own, .document: row.isWell ? "offered" : "not offered"
      case .offer: row.isWell ? "can be continued here" : "cannot be continued here now"
      case .device: "device"
      case .folder: "folder"
      }
    let id = String(row.id.prefix(8))
    let parts =
      switch row.subject {
      case .own: [id, row.title, row.appID, state]
      case .document: ["open    ", row.title, row.appID, state]
      case .offer: [id, row.deviceName, row.title, row.appID, state]
      case .device, .folder: [state, row.title]
      }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Its reasons; the first that tells how a document stands says since when.
  static func sentences(of row: Explanation) -> [String] {
    var sentences = row.statements.map(\.sentence)
    guard let since = row.since, let time = LocalTime.shown(since)?.text else { return sentences }
    let place = row.statements.firstIndex { Self.standings.contains($0.name) }
    if let place { sentences[place] = Reason.since(Reason(sentences[place]), time: time).sentence }
    return sentences
  }

  /// How a document may stand for a while.
  private static let standings: Set<String> = Set(
    [
      Reason.Kind.behind, .missing, .ahead, .diverged, .unreadable, .replaced, .written, .otherSize, .reading,
      .moved, .folderUnknown, .folderAway, .folderReplaced, .folderShared, .absent,
    ].map(\.rawValue))
}

/// What `why --json` prints.
struct WhyAnswer: Encodable {
  /// The file that was asked about.
  var path: String?
  /// What is said of that file itself.
  var reasons: [WhyReason]
  var rows: [WhyRow]
}

/// One thing, and why it stands so.
struct WhyRow: Encodable {
  /// `own`, `document`, `offer`, `device` or `folder`.
  var kind: String
  var id: String
  var title: String
  var device: String?
  var app: String?
  var type: String?
  /// The document's, whether it is there or not.
  var url: String?
  /// Whether it is offered, or can be continued here.
  var isWell: Bool
  var since: String?
  var reasons: [WhyReason]

  init(_ row: Explanation) {
    func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
    kind = "\(row.subject)"
    (id, title, isWell) = (row.id, row.title, row.isWell)
    (device, app, type) = (filled(row.deviceName), filled(row.appID), filled(row.type))
    url = row.path.map { FileURL.text(of: $0) }
    since = row.since.map { JSONOutput.date($0) }
    reasons = zip(row.statements, WhyRows.sentences(of: row)).map {
      WhyReason(reason: $0.name, sentence: $1)
    }
  }
}

/// A reason by the name of its case, and in its words.
struct WhyReason: Encodable {
  var reason: String
  var sentence: String

  init(reason: String, sentence: String) { (self.reason, self.sentence) = (reason, sentence) }

  init(_ statement: Explanation.Statement) { self.init(reason: statement.name, sentence: statement.sentence) }
}
