// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find what apps kept for search: what you read, wrote or looked at.",
    discussion: CommandEnd.help(
      """
      Every word has to be there, in the title, the keywords, the description, the document's name or \
      the page's address; the beginning of a word is enough. Quotes make a phrase. What has all words \
      in its title comes first, then the newest.

      With --open it goes on with the first of them, where it was left: in its app, which is started \
      where it does not run, with its document in the newest version here.
      """,
      ends: [
        .done: "what was found was listed, if anything was, or the first was opened",
        .failed: "no agent looked, it could not, or there was nothing to open",
        .printedOnly: "with --open, nothing here takes it, and where it is was printed",
      ]))

  @Argument(help: "What to look for.")
  var words: [String]

  @OptionGroup var listing: FoundListing

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      try listing.show(words.joined(separator: " "), orHint: "Nothing was found.")
    }
  }
}

struct RecentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recent", abstract: "List what apps kept for search, the newest first.",
    discussion: CommandEnd.help(
      """
      With --open it goes on with the newest, where it was left, or with the one of --id: for programs \
      that show what search or recent told them, and let a person choose.
      """,
      ends: [
        .done: "it was listed, if there was any, or the newest was opened",
        .failed: "no agent told it, or there was nothing to open",
        .printedOnly: "with --open, nothing here takes it, and where it is was printed",
      ]))

  @Option(help: "With --open: the one that has this id in what --json prints, however old.")
  var id: String?

  @OptionGroup var listing: FoundListing

  func validate() throws {
    guard let id else { return }
    guard listing.open else { throw ValidationError("--id says what --open goes on with: give both.") }
    guard SavedActivity.Key(named: id) != nil else {
      throw ValidationError("--id is an id that search --json printed, and not \(DisplayText.shown(id)).")
    }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      if let key = id.flatMap(SavedActivity.Key.init(named:)) { return try listing.goOn(with: key) }
      try listing.show(nil, orHint: "No app has kept anything for search.")
    }
  }
}

/// How what was found is listed.
struct FoundListing: ParsableArguments {
  @Option(help: "How many to list: 1 to 100.")
  var count = 20

  @Flag(help: "Go on with the first, in its app.")
  var open = false

  @Flag(help: "Print a JSON array; with --open, an object.")
  var json = false

  func validate() throws {
    guard (1...100).contains(count) else {
      throw ValidationError("--count is 1 to 100, and not \(count).")
    }
  }

  fileprivate func show(_ words: String?, orHint hint: String) throws(ContinuityError) {
    let session = try AgentSession()
    guard case .found(let activities) = try session.ask(.find(words: words, atMost: UInt64(count)))
    else { return }
    if open { return try goOn(with: activities.first, session, orHint: hint) }
    if json { return JSONOutput.say(activities.map(FoundRow.init)) }
    if activities.isEmpty { Terminal.hint(hint) }
    for activity in activities {
      let row = FoundRow(activity)
      let device = row.device.map { "  (on \($0))" } ?? ""
      let place = row.path ?? row.webpageURL ?? row.app
      Terminal.say("\(row.changedAt.prefix(10))  \(row.title)  \(place)\(device)")
    }
  }
}

extension FoundListing {
  /// Goes on with one of them, whether or not it would be listed.
  fileprivate func goOn(with key: SavedActivity.Key) throws(ContinuityError) {
    try goOn(with: key, nil, AgentSession())
  }

  private func goOn(
    with found: FoundActivity?, _ session: AgentSession, orHint hint: String
  ) throws(ContinuityError) {
    guard let found else { throw ContinuityError(.invalidRequest, subject: "words", description: hint) }
    try goOn(with: found.key, found, session)
  }

  /// `found` is what is known of it.
  private func goOn(
    with key: SavedActivity.Key, _ found: FoundActivity?, _ session: AgentSession
  ) throws(ContinuityError) {
    // Who wants JSON is a program, and becomes no app on this terminal.
    let answer = try session.ask(.restoreSaved(key, onTerminal: !json))
    switch answer {
    case .noApp(let offer, let path):
      // The sample editor knows an offer by its ID, and this is none.
      if !json, let path { SampleEditor.open(FilePath(bytes: path), type: offer.type) }
      try Resumption(of: offer, json: json).finish(answer, session)
    case .handedOver(let app):
      let title = found.map { ": " + DisplayText.shown($0.title) } ?? ""
      let sentence = "Handed over to \(DisplayText.shown(app))\(title)."
      guard json else { return Terminal.say(sentence) }
      JSONOutput.say(
        OpenedRow(activity: found.map(FoundRow.init), app: DisplayText.shown(app), message: sentence))
    default: break
    }
  }
}

/// What became of a saved activity, as `search --open --json` prints it.
struct OpenedRow: Encodable {
  /// Nil where it was opened by its ID.
  var activity: FoundRow?
  /// What took it.
  var app: String
  var message: String
}

/// One activity as `continuo search --json` prints it.
struct FoundRow: Encodable {
  var title: String
  /// The app's identifier.
  var app: String
  /// The activity type.
  var type: String
  /// Under which the app kept it.
  var identifier: String
  /// Which one it is, for `recent --open --id`.
  var id: String
  /// In ISO 8601, UTC.
  var changedAt: String
  var description: String?
  /// The document; a path as it can be shown.
  var path: String?
  /// The path, every byte of it.
  var url: String?
  var webpageURL: String?
  /// What the other device is called that has it; nil where this one has.
  var device: String?

  init(_ found: FoundActivity) {
    (title, app) = (DisplayText.shown(found.title), DisplayText.shown(found.appID))
    (type, identifier) = (DisplayText.shown(found.type), DisplayText.shown(found.identifier))
    (id, changedAt) = (found.key.name, JSONOutput.date(found.changedAt))
    description = found.summary.isEmpty ? nil : DisplayText.shown(found.summary)
    path = found.path.map { Terminal.shown($0) }
    url = found.path.map { FileURL.text(of: $0) }
    webpageURL = found.webpageURL.map { DisplayText.shown($0) }
    device = found.device.map { DisplayText.shown($0.name) }
  }
}
