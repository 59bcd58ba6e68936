// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import FoundationEssentials

struct OffersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offers", abstract: "List what other devices offer to continue, newest first.")

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(
    help:
      "Print the list again whenever it changes, until Ctrl-C or SIGTERM; with --json, one array per line.")
  var watch = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      guard watch else {
        guard case .offers(let offers) = try AgentSession().ask(.offers) else { return }
        return json ? Terminal.say(OfferRow.json(offers)) : show(offers)
      }
      let signals = try EndSignals()
      let watch = OfferWatch(session: try AgentSession())
      var isFirst = true
      while let offers = try watch.next(or: signals) {
        if json {
          Terminal.say(OfferRow.json(offers, pretty: false))
        } else {
          if !isFirst { Terminal.say("") }
          show(offers)
        }
        isFirst = false
      }
    }
  }

  private func show(_ offers: [Offer]) {
    if offers.isEmpty { Terminal.hint("No other device offers anything now.") }
    for offer in offers {
      let place = offer.path.map { "\(offer.folderName)/\($0)" } ?? offer.type
      Terminal.say(
        "\(offer.id.description.prefix(8))  \(offer.deviceName)  \(offer.displayTitle)  \(place)  "
          + offer.status.arrival.name)
      if !offer.status.reason.isEmpty { Terminal.say("          \(offer.status.reason)") }
    }
  }
}

/// One offer as `offers --json` prints it.
struct OfferRow: Codable {
  var id: String
  var device: String
  var type: String
  var title: String
  var folder: String?
  var path: String?
  var version: String?
  var arrival: String
  var changedAt: String
  var reason: String
  var hasUnsavedChanges: Bool
  var leftOpen: Bool

  init(_ offer: Offer) {
    id = offer.id.description
    device = offer.deviceName
    type = offer.type
    title = offer.displayTitle
    folder = offer.path == nil ? nil : offer.folderName
    path = offer.path?.description
    version = offer.version?.digest.description
    arrival = offer.status.arrival.name
    changedAt = Date(timeIntervalSince1970: Double(offer.changedAt.milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    reason = offer.status.reason
    hasUnsavedChanges = offer.flags.contains(.unsavedChanges)
    leftOpen = offer.flags.contains(.leftOpen)
  }

  static func json(_ offers: [Offer], pretty: Bool = true) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Strings and Booleans always encode.
    guard let data = try? encoder.encode(offers.map(OfferRow.init)) else { return "[]" }
    return String(decoding: data, as: UTF8.self)
  }
}

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Continue an offer here: the newest, or the one whose ID begins so.",
    discussion: """
      Hands it to a connected app that declares its type, else starts the sample editor on this terminal, \
      else       prints the document's path and version and exits with 3.
      """)

  @Argument(help: "The ID, or its beginning, as `continuo offers` prints it.")
  var id: String?

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      switch try AgentSession().ask(.resume(id)) {
      case .handedOver(let appName): Terminal.say("Handed over to \(appName).")
      case .noApp(let offer, let path): try SampleEditor.continueOrPrint(offer, path)
      default: break
      }
    }
  }
}
