// SPDX-License-Identifier: MIT

import ActivityModel
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
    guard (timeout ?? 0) >= 0 else { throw ValidationError("A time-out is not negative.") }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      guard case .offers(let offers) = try session.ask(.offers) else { return }
      let offer = try OfferChoice.of(id, among: offers)
      if fork { return try openCopy(of: offer, session) }
      if print { return try printPlace(of: offer, session) }
      let places = OfferPlaces(of: [offer])
      switch try session.ask(.resume(offer.id.description)) {
      case .handedOver(let appName): handedOver(offer, to: appName, places)
      case .noApp(let offer, let path):
        if !json { SampleEditor.continueHere(offer) }
        try openOnDesktop(offer, path, places, session)
      default: break
      }
    }
  }

  /// With the desktop's default app, or the browser; an older agent knows neither.
  private func openOnDesktop(
    _ offer: Offer, _ path: [UInt8]?, _ places: OfferPlaces, _ session: AgentSession
  ) throws(ContinuityError) {
    var answer = try? session.ask(.openOffer(offer.id, agreed: false))
    if case .asksFirst(let address)? = answer {
      guard isAgreed(address) else {
        if json { JSONOutput.say(ResumedRow(OfferRow(offer, places), message: "Nothing was opened.")) }
        return Terminal.hint("Nothing was opened.")
      }
      answer = try session.ask(.openOffer(offer.id, agreed: true))
    }
    switch answer {
    case .handedOver(let appName)?: handedOver(offer, to: appName, places)
    case .done(let sentence)? where json:
      JSONOutput.say(ResumedRow(OfferRow(offer, places), message: DisplayText.shown(sentence)))
    case .done(let sentence)?: Terminal.say(sentence)
    default:
      guard json else { return places.printOnly(offer, path) }
      let message = "No app here continues \(DisplayText.shown(offer.type))."
      JSONOutput.say(ResumedRow(OfferRow(offer, places), message: message))
      CurrentProcess.exitAtOnce(CommandEnd.printedOnly.rawValue)
    }
  }

  private func handedOver(_ offer: Offer, to app: String, _ places: OfferPlaces) {
    let sentence = "Handed over to \(DisplayText.shown(app)): \(places.shown(offer))."
    guard json else { return Terminal.say(sentence) }
    JSONOutput.say(ResumedRow(OfferRow(offer, places), app: DisplayText.shown(app), message: sentence))
  }

  /// Whether the person wants this page, which anybody on the way may read and change.
  private func isAgreed(_ address: String) -> Bool {
    Terminal.hint(DisplayText.shown(address))
    guard BorrowedDescriptor.standardInput.isTerminal else {
      Terminal.hint(
        "This page is not encrypted; run the command on a terminal to be asked whether to open it.")
      return false
    }
    Terminal.hint("This page is not encrypted: others on the way can read and change what it shows.")
    Terminal.hint("Type yes to open it:")
    return readLine() == "yes"
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

/// What became of an offer, as `resume --json` prints it.
struct ResumedRow: Encodable {
  var offer: OfferRow
  /// What took it; nil where nothing did, or the browser.
  var app: String?
  var message: String

  init(_ offer: OfferRow, app: String? = nil, message: String) {
    self.offer = offer
    self.app = app
    self.message = message
  }
}

/// Which offer a person means.
enum OfferChoice {
  /// The newest, or the one whose ID begins with `prefix`. Throws a sentence when there is none, or more than
  /// one.
  static func of(_ prefix: String?, among offers: [Offer]) throws(ContinuityError) -> Offer {
    guard let prefix else {
      guard let newest = offers.first else {
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
