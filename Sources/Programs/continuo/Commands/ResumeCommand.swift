// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import TextAnchors

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Continue an offer here: the newest, or the one whose ID begins so.",
    discussion: CommandEnd.help(
      """
      Hands it to the app that fits it best, which is started where it does not run. Where no app takes it: \
      starts the sample editor on this terminal for a text, else opens the document with the desktop's \
      default app, or the web page in the browser (http:// only after a question); else prints the \
      document's path and version.

      With --all it continues everything that is open there beside the document, where the other device \
      lists that: each document by itself, the one that its person was in last. With --json, one object \
      per row.

      With --print it opens nothing: it waits until the version is here, and prints the document's path on \
      one row and, where the activity tells it, LINE:COLUMN on the next, both from 1. What is awaited is \
      told on standard error. The offer stays as it is.

      With --fork it has the version sent over the link to the other device (`continuo lan`), or else waits \
      in the same way. It makes a copy beside the document, such as `plan (copy from desktop).md`, which \
      it opens: a text in the sample editor on this terminal, else with the desktop's default app; the \
      copy's path is printed. The document and the offer stay as they are, also where the document was \
      changed on both devices.
      """,
      ends: [
        .done: "it was handed over or opened, or its place was printed",
        .failed: "it was not, and the sentence says why",
        .late: "with --print or --fork, the version did not come in time",
        .printedOnly: "nothing here takes it, and its path and version were printed",
      ]))

  @Argument(
    help: "The ID, or its beginning, as `continuo offers` prints it.", completion: Completions.offers)
  var id: String?

  @Flag(help: "Continue what is open there beside it, too.")
  var all = false

  @Flag(help: "Open nothing: wait for the version, and print path, line and column.")
  var print = false

  @Flag(help: "Open a copy of the offered version, beside the document.")
  var fork = false

  @Flag(
    help:
      "Print a JSON object, whose `url` holds every byte of the path; no editor is started on this terminal.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "With --print or --fork: how long to wait; without it, as long as it takes.", valueName: "SECONDS"))
  var timeout: Int?

  func validate() throws {
    guard print || fork || timeout == nil else {
      throw ValidationError("--timeout goes with --print or --fork.")
    }
    guard !all || !print && !fork else {
      throw ValidationError("--all goes with neither --print nor --fork.")
    }
    guard (timeout ?? 0) >= 0 else { throw ValidationError("A time-out is not negative.") }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      guard case .offers(let offers) = try session.ask(.offers) else { return }
      let offer = try OfferChoice.of(id, among: offers)
      if fork { return try openCopy(of: offer, session) }
      if print { return try printPlace(of: offer, session) }
      let beside = all ? offers.filter(offer.lists) : []
      for other in beside { resume(other, session) }
      try Resumption(of: offer, as: beside.isEmpty ? .alone : .inFront, json: json)
        .finish(resume(offer.id, session), session)
    }
  }

  /// What is open beside the offer: one that cannot be continued keeps no other back.
  private func resume(_ other: Offer, _ session: AgentSession) {
    do throws(ContinuityError) {
      let answer = try self.resume(other.id, session)
      // The editor that the offer itself starts on this terminal continues all.
      if case .noApp = answer, !json, SampleEditor.runsHere(type: other.type) { return }
      try Resumption(of: other, as: .beside, json: json).finish(answer, session)
    } catch {
      Terminal.hint("\(other.displayTitle): \(error.description)")
    }
  }

  private func resume(_ offer: OfferID, _ session: AgentSession) throws(ContinuityError) -> AgentAnswer {
    try session.ask(.resume(offer.description))
  }

  private func openCopy(of offer: Offer, _ session: AgentSession) throws(ContinuityError) {
    let copy = try ForkedCopy(of: offer, OfferWatch(session: session), timeout: timeout)
    if json { return JSONOutput.say(ForkRow(copy, offer)) }
    Terminal.say(copy.path.shown)
    if !print, !copy.open(offer) { Terminal.hint("No app was found to open it: open it yourself.") }
  }

  private func printPlace(of offer: Offer, _ session: AgentSession) throws(ContinuityError) {
    guard let path = offer.path else {
      throw ContinuityError(
        .invalidRequest, subject: offer.displayTitle,
        description:
          "\(offer.displayTitle) of \(offer.deviceName) has no document: `continuo resume` hands it to "
          + "its app."
      )
    }
    var wait = DocumentWait(folderName: offer.folderName, path: path, offer: offer.id)
    let watch = OfferWatch(session: session)
    _ = try wait.finish(watch, timeout: timeout)
    let places = OfferPlaces(of: [wait.newest ?? offer])
    if json { return JSONOutput.say(OfferRow(wait.newest ?? offer, places)) }
    guard let local = places.path(of: offer) else {
      throw ContinuityError(
        .folderUnavailable, subject: offer.folderName,
        description: "Folder \(offer.folderName) is not registered any more.")
    }
    Terminal.say(Terminal.shown(local))
    if let place = places.place(in: wait.newest ?? offer) { Terminal.say("\(place.line):\(place.column)") }
  }
}

/// Which offer a person means.
enum OfferChoice {
  /// The newest, or the one whose ID begins with `prefix`. Throws a sentence when there is none, or more than
  /// one.
  static func of(_ prefix: String?, among offers: [Offer]) throws(ContinuityError) -> Offer {
    guard let prefix else {
      guard let newest = offers.first(where: { !$0.isOpenedBeside }) else {
        throw ContinuityError(
          .invalidRequest,
          description: "No other device offers anything now: edit a document in a synced folder there.")
      }
      return newest
    }
    let found = offers.filter { $0.id.description.hasPrefix(prefix.lowercased()) }
    guard let offer = found.first else {
      throw ContinuityError(
        .invalidRequest, subject: prefix,
        description: "No offer has an ID that begins with \(prefix): `continuo offers` lists them.")
    }
    guard found.count == 1 else {
      throw ContinuityError(
        .invalidRequest, subject: prefix,
        description: "\(found.count) offers have IDs that begin with \(prefix): give more of the ID.")
    }
    return offer
  }
}
