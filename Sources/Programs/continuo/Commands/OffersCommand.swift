// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import TextAnchors

struct OffersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offers", abstract: "List what other devices offer to continue, newest first.",
    discussion: CommandEnd.help(
      ends: [.done: "they were listed, if there were any", .failed: "no agent told them"]))

  @Flag(
    help: "List instead what the apps of this device are doing, and why it is not offered, where it is not.")
  var own = false

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(
    help:
      "Print the list again whenever it changes, until Ctrl-C or SIGTERM; with --json, one array per line.")
  var watch = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      if own { return try showOwn() }
      guard watch else {
        guard case .offers(let offers) = try AgentSession().ask(.offers) else { return }
        return json ? JSONOutput.say(OfferRow.rows(offers)) : show(offers)
      }
      let signals = try SignalPipe.ofEnding()
      let watch = OfferWatch(session: try AgentSession())
      var isFirst = true
      while let offers = try watch.next(or: signals) {
        if json {
          JSONOutput.say(OfferRow.rows(offers), isPretty: false)
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
    for offer in offers where offers.listing(offer) == nil {
      let place = offer.path.map { "\(offer.folderName)/\($0)" } ?? offer.type
      Terminal.say(
        "\(offer.id.description.prefix(8))  \(offer.deviceName)  \(offer.displayTitle)  \(place)  "
          + offer.status.arrival.name)
      let page = offer.webpageURL.map { DisplayText.shown($0) } ?? ""
      for sentence in [page, offer.status.reason, offer.remark] where !sentence.isEmpty {
        Terminal.say("          \(sentence)")
      }
      for other in offers where offer.lists(other) {
        Terminal.say(
          "  with \(other.id.description.prefix(8))  \(other.displayTitle)  "
            + "\(other.folderName)/\(other.path.map { "\($0)" } ?? "")  \(other.status.arrival.name)")
      }
    }
  }

  func validate() throws {
    if own, watch { throw ValidationError("--own lists once: leave --watch out.") }
  }

  private func showOwn() throws(ContinuityError) {
    guard case .activities(let activities) = try AgentSession().ask(.ownActivities) else { return }
    if json { return JSONOutput.say(activities.map(OwnActivityRow.init)) }
    if activities.isEmpty { Terminal.hint("No app of this device has an activity now.") }
    for activity in activities {
      Terminal.say(
        "\(activity.id.description.prefix(8))  \(activity.title)  \(activity.type)  "
          + (activity.isOffered ? "offered" : "not offered"))
      for sentence in [activity.reason] + activity.remarks where !sentence.isEmpty {
        Terminal.say("          \(sentence)")
      }
    }
  }
}

/// One offer as `offers --json` prints it. Texts are for people; `id` and `url` are what a program goes on
/// with.
struct OfferRow: Encodable {
  var id: String
  var device: String
  /// The identifier of the app on the other device.
  var app: String
  var type: String
  var title: String
  var folder: String?
  /// In the folder.
  var path: String?
  /// On this device.
  var absolutePath: String?
  /// The same, every byte of it.
  var url: String?
  /// The activity's web page; nil without one, and where it is very long.
  var webpageURL: String?
  /// Where the other device was, from 1, columns in Unicode scalars.
  var line: Int?
  var column: Int?
  var version: String?
  var arrival: String
  var changedAt: String
  var reason: String
  /// Why the last try here came to nothing; empty when there was none.
  var remark: String
  var hasUnsavedChanges: Bool
  var leftOpen: Bool
  /// The ID of the offer beside whose document it is open there; nil for what is offered by itself.
  var openedBeside: String?

  static func rows(_ offers: [Offer]) -> [OfferRow] {
    let places = OfferPlaces(of: offers)
    return offers.map { offer in
      var row = OfferRow(offer, places)
      row.openedBeside = offers.listing(offer)?.id.description
      return row
    }
  }

  init(_ offer: Offer, _ places: OfferPlaces) {
    id = offer.id.description
    device = offer.deviceName
    app = DisplayText.shown(offer.appID)
    let local = places.path(of: offer)
    absolutePath = local.map(Terminal.shown)
    url = local.map { FileURL.text(of: $0) }
    line = places.place(in: offer)?.line
    column = places.place(in: offer)?.column
    type = DisplayText.shown(offer.type)
    webpageURL = offer.webpageURL.map { DisplayText.shown($0) }
    title = offer.displayTitle
    folder = offer.path == nil ? nil : offer.folderName
    path = offer.path?.description
    version = offer.version?.digest.description
    arrival = offer.status.arrival.name
    changedAt = JSONOutput.date(offer.changedAt)
    reason = offer.status.reason
    remark = DisplayText.shown(offer.remark)
    hasUnsavedChanges = offer.flags.contains(.unsavedChanges)
    leftOpen = offer.flags.contains(.leftOpen)
  }
}

/// One activity as `offers --own --json` prints it.
struct OwnActivityRow: Encodable {
  var id: String
  var app: String
  var type: String
  var title: String
  var changedAt: String
  var isOffered: Bool
  var reason: String
  var remarks: [String]

  init(_ activity: OwnActivity) {
    id = activity.id.description
    app = DisplayText.shown(activity.appID)
    type = DisplayText.shown(activity.type)
    title = activity.title
    changedAt = JSONOutput.date(activity.changedAt)
    isOffered = activity.isOffered
    reason = activity.reason
    remarks = activity.remarks
  }
}
