// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem

/// Goes on with what a person wants here, an offer or a saved activity, as far as the agent leaves that to
/// the command line; and says what became of it.
struct Resumption {
  private let offer: Offer
  private let role: Role
  private let json: Bool
  private let places: OfferPlaces

  /// What else a person wants with it.
  enum Role {
    /// Nothing.
    case alone
    /// Others that are open there; more follow, the one in front last.
    case beside
    /// The same, and it is the one in front.
    case inFront
  }

  /// `json` prints an object, and starts no editor on this terminal.
  init(of offer: Offer, as role: Role = .alone, json: Bool) {
    (self.offer, self.role, self.json) = (offer, role, json)
    places = OfferPlaces(of: [offer])
  }

  /// Goes on with the agent's answer to `resume`. Throws when the agent cannot be asked.
  func finish(_ answer: AgentAnswer, _ session: AgentSession) throws(ContinuityError) {
    switch answer {
    case .handedOver(let appName): handedOver(to: appName)
    case .noApp(let offer, let path):
      if !json, role != .beside { SampleEditor.continueHere(offer, withAll: role == .inFront) }
      try openOnDesktop(path, session)
    default: break
    }
  }

  /// With the desktop's default app, or the browser; an older agent knows neither.
  private func openOnDesktop(_ path: [UInt8]?, _ session: AgentSession) throws(ContinuityError) {
    var answer = try? session.ask(.openOffer(offer.id, agreed: false))
    if case .asksFirst(let address)? = answer {
      guard isAgreed(address) else {
        if json { tell(ResumedRow(OfferRow(offer, places), message: "Nothing was opened.")) }
        return Terminal.hint("Nothing was opened.")
      }
      answer = try session.ask(.openOffer(offer.id, agreed: true))
    }
    switch answer {
    case .handedOver(let appName)?: handedOver(to: appName)
    case .done(let sentence)? where json:
      tell(ResumedRow(OfferRow(offer, places), message: DisplayText.shown(sentence)))
    case .done(let sentence)?: Terminal.say(sentence)
    default:
      guard json else { return places.print(offer, path, exiting: role != .beside) }
      let message = "No app here continues \(DisplayText.shown(offer.type))."
      tell(ResumedRow(OfferRow(offer, places), message: message))
      if role != .beside { CurrentProcess.exitAtOnce(CommandEnd.printedOnly.rawValue) }
    }
  }

  /// One object of several stands on one row.
  private func tell(_ row: ResumedRow) { JSONOutput.say(row, isPretty: role == .alone) }

  private func handedOver(to app: String) {
    let sentence = "Handed over to \(DisplayText.shown(app)): \(places.shown(offer))."
    guard json else { return Terminal.say(sentence) }
    tell(ResumedRow(OfferRow(offer, places), app: DisplayText.shown(app), message: sentence))
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
