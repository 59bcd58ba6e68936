// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentClient
import ArgumentParser
import LinuxSystem

struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Offer a document without an editor, until Ctrl-C or SIGTERM.",
    discussion: CommandEnd.help(
      """
      For scripts, and for editors that have no plug-in yet. The document is offered in the version that is \
      saved, again each time it changes; ending the command withdraws the offer. A link is followed.
      """,
      ends: [
        .done: "it was offered until the end", .failed: "it cannot be offered, and the sentence says why",
      ]))

  @Argument(help: "A document in a registered folder.", completion: .file())
  var file: String

  @Option(help: "The line to continue at, from 1.")
  var line: Int?

  @Option(help: "The column to continue at, from 1, in Unicode scalars.")
  var column: Int?

  @Option(help: "The activity type.", completion: Completions.activityTypes)
  var type = "public.text-editing"

  @Option(help: "What is being done; by default the document's name.")
  var title: String?

  @Flag(help: "Print a JSON object once it is offered.")
  var json = false

  func validate() throws {
    guard (line ?? 1) >= 1, (column ?? 1) >= 1 else {
      throw ValidationError("Lines and columns count from 1.")
    }
    guard !type.isEmpty else { throw ValidationError("The activity type is empty.") }
    let limit = ActivitySnapshot.Limits.name
    guard RecordText.isClean(type, byteLimit: limit) else {
      throw ValidationError("An activity type has at most \(limit) bytes, and no control characters.")
    }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let path = try published()
      let signals = try SignalPipe.ofEnding()
      let session = try AgentSession()
      let snapshot = snapshot(of: path)
      let publication = Publication(session: session, path: path, snapshot: snapshot)
      guard try publication.begin(until: signals) else { return }
      if json {
        JSONOutput.say(PublicationRow(snapshot, path), isPretty: false)
      } else {
        Terminal.say("\(file) is offered; Ctrl-C withdraws it.")
      }
      publication.hold(until: signals)
    }
  }

  /// What is published in the end. A folder is named as such even where no agent runs.
  private func published() throws(ContinuityError) -> [UInt8] {
    let typed = try DocumentPath.resolve(file)
    let path = try NamedFile(typed: file).path
    if path != typed { Terminal.hint("\(file) is a link to \(Terminal.shown(path)).") }
    return path
  }

  private func snapshot(of path: [UInt8]) -> ActivitySnapshot {
    var snapshot = ActivitySnapshot(
      id: .random(), type: type, appID: Publication.appID, changedAt: .now)
    snapshot.title =
      title ?? Terminal.shown(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(FileURL.text(of: path))
    if let line { snapshot.userInfo[.text("line")] = .int(Int64(line)) }
    if let column { snapshot.userInfo[.text("column")] = .int(Int64(column)) }
    return snapshot
  }
}

/// What is offered, as `publish --json` prints it.
struct PublicationRow: Encodable {
  /// As `offers --own` lists it.
  var id: String
  var type: String
  var title: String
  var path: String
  /// The path, every byte of it.
  var url: String

  init(_ snapshot: ActivitySnapshot, _ path: [UInt8]) {
    id = snapshot.id.description
    type = DisplayText.shown(snapshot.type)
    title = DisplayText.shown(snapshot.title)
    self.path = Terminal.shown(path)
    url = FileURL.text(of: path)
  }
}
