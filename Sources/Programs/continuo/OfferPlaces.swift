// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import TextAnchors

/// What offers say beside what a list of them holds, for those who go on with it: where the document lies on
/// this device, and where in it the other device was.
struct OfferPlaces {
  private var roots: [SyncedRoot] = []
  private var places: [OfferID: LineColumn] = [:]

  /// Asks the agent on a connection of its own. What it does not tell is left out: the offer may be gone, or
  /// the agent may be of an older release.
  init(of offers: [Offer]) {
    guard !offers.isEmpty, let session = try? AgentSession(),
      case .folders(let roots)? = try? session.ask(.listFolders)
    else { return }
    self.roots = roots
    for offer in offers {
      let answer = try? session.ask(.describe(offer.id), limit: .seconds(5))
      guard case .offered(let snapshot)? = answer else {
        if session.client.isConnected { continue }
        return
      }
      places[offer.id] = TextEditingState(userInfo: snapshot.userInfo)?.cursor
    }
  }

  /// The line and column, from 1, columns in Unicode scalars; nil for an activity that tells of none.
  func place(in offer: Offer) -> LineColumn? { places[offer.id] }

  /// The document's absolute path on this device, whether it is there or not; nil without a document, or
  /// without its folder.
  func path(of offer: Offer) -> [UInt8]? {
    guard let path = offer.path else { return nil }
    let named = roots.filter { $0.name == offer.folderName }
    return named.count == 1 ? named[0].absolutePath(of: path) : nil
  }

  /// Prints where the document of an offer is that nothing here continues, and exits with 3 when that is all.
  func print(_ offer: Offer, _ path: [UInt8]?, exiting: Bool) {
    Terminal.hint("No app here continues \(DisplayText.shown(offer.type)).")
    Terminal.hint("\(DisplayText.shown(offer.appID)) on \(offer.deviceName) has \(shown(offer)).")
    Terminal.say(path.map(Terminal.shown) ?? offer.displayTitle)
    Terminal.say(offer.version.map { "\($0.digest)" } ?? "no document")
    if exiting { CurrentProcess.exitAtOnce(CommandEnd.printedOnly.rawValue) }
  }

  /// Path, line and column as one row of text.
  func shown(_ offer: Offer) -> String {
    let document = path(of: offer).map(Terminal.shown) ?? offer.displayTitle
    guard let place = place(in: offer) else { return document }
    return "\(document), line \(place.line), column \(place.column)"
  }
}
