// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import TestSamples

/// One message of each kind that the socket carries.
enum SampleMessages {
  private static func id<Kind>(_ seed: UInt64) -> Identifier<Kind> {
    var generator = SeededGenerator(seed: seed)
    return Identifier<Kind>(using: &generator)
  }

  private static var snapshot: ActivitySnapshot {
    var generator = SeededGenerator(seed: 2)
    return SampleState.snapshot(&generator)
  }

  private static let offerID = OfferID(device: id(1), activity: id(2))
  private static let error = ContinuityError(.documentMissing, subject: "plan.md", description: "It is gone.")
  private static let status = ArrivalStatus(.behind, reason: "on its way", received: 3, expected: 9)
  private static let root = SyncedRoot(id: id(3), name: "Notes", path: Array("/home/me/Notes".utf8))
  private static let mark = FileMark(inode: 7, size: 3, modified: -1)
  private static let own = OwnActivity(snapshot, reason: "It is not eligible.", remarks: ["No app took it."])
  private static let request: RequestID = id(4)
  private static let time = WallTime(milliseconds: 5)

  private static var offer: Offer {
    var offer = Offer(
      id: offerID, deviceName: "desktop", snapshot: snapshot, folderName: "Notes", status: status)
    offer.path = RelativePath("plan.md")
    offer.team = [UInt8](repeating: 9, count: 32)
    offer.notes = [.declined(app: "Editor")]
    return offer
  }

  private static var manifest: AppManifest {
    var type = AppManifest.DocumentType(name: "Text", role: .viewer)
    type.extensions = ["md"]
    type.activityType = "public.text-editing"
    var manifest = AppManifest(appID: "a.b", name: "B", activityTypes: ["x.y"], documentTypes: [type])
    manifest.team = [UInt8](repeating: 9, count: 32)
    return manifest
  }

  static func offers(titled title: String) -> AgentMessage {
    var offer = offer
    offer.notes = [.declined(app: title)]
    return .report(.offers([offer]))
  }

  static var client: [ClientMessage] {
    let requests: [AgentRequest] = [
      .hello(manifest), .update(snapshot, saved: mark), .withdraw(id(2)), .opened(path: [47, 97]),
      .opened(path: [47, 98], file: mark), .closed(path: [47]), .accept(offerID, request),
      .extend(request, seconds: 30), .cancel(request), .choose(request, .openHere),
      .outcome(request, .declined), .explain(request, "There are changes."),
      .concluded(request, ConcludedContinuation(offer: offerID, changedAt: time, outcome: .opened)),
      .save(request, snapshot), .deleteSaved(request, identifiers: nil),
      .deleteSaved(request, identifiers: ["a", ""]),
      .askContentType(request, name: [0xff, 46, 99], beginning: [0, 1]),
      .usedRecently(path: [47, 0xff], program: [47, 97]), .withheld(own),
    ]
    let commands: [AgentCommand] = [
      .explain(app: nil, skipping: 0), .explain(app: "org.app", skipping: 7), .examine,
      .addFolder(path: [47], name: nil), .listFolders, .removeFolder("Notes"), .pair(deviceName: "desk"),
      .cancelPairing, .join(words: "a b", deviceName: nil), .offers, .resume("ab"), .status, .stop,
      .watchOffers, .ownActivities, .devices, .revoke("laptop"), .reset,
    ]
    return [.version(1)] + requests.map(ClientMessage.request)
      + commands.enumerated().map { .command(UInt64($0.offset), $0.element) }
  }

  private static var health: HealthFacts {
    var facts = HealthFacts()
    var peer = HealthFacts.Peer(name: "laptop")
    (peer.saidAt, peer.heardAt) = (time, time)
    (peer.acknowledged, peer.isCopied) = (3, true)
    facts.peers = [peer, HealthFacts.Peer(name: "phone")]
    facts.folders = [HealthFacts.Folder(name: "n", path: [47], isUsed: true, polling: "NFS.", heard: 2)]
    facts.said = (sequence: 4, at: time)
    (facts.isCopied, facts.hasDesktop, facts.problems) = (true, true, ["The disk is full."])
    return facts
  }

  private static var explanation: Explanation {
    Explanation(
      .offer, id: "ac", title: "plan.md", deviceName: "desktop", appID: "org.app", type: "public.text",
      path: [47, 255], isWell: true, since: time,
      statements: [.init(.looking), .init(.told("The disk says no.")), .init(.recordsLeftOut(folder: "N"))])
  }

  static var agent: [AgentMessage] {
    let reports: [AgentReport] = [
      .offers([offer]), .roots([root]), .documentChanged(path: [47], .moved(to: [47, 98])),
      .documentChanged(path: [47], .changed(nil)), .documentChanged(path: [47], .deleted),
      .documentChanged(path: [47], .conflict(copies: [[47, 99]])), .willContinue(request, offer: offer),
      .progress(request, status),
      .deliver(request, Delivery(activity: snapshot, path: [47], status: status, deviceName: "desktop")),
      .kept(request, nil), .kept(request, error), .contentType(request, ["text/plain"], nil),
      .contentType(request, [], error), .fail(request, error),
      .continued(id(2), ContinuationReceipt(device: "laptop", at: time, changedAt: time)),
    ]
    let removal = CircleDevice.Removal(at: time, remover: "desk")
    let answers: [AgentAnswer] = [
      .explained([explanation], total: 9), .examined(health), .done("yes"), .failed(error), .folders([root]),
      .words(["a", "b"]),
      .devices([
        CircleDevice(name: "desk", shownID: "4K7Q", isThisDevice: true),
        CircleDevice(name: "lap", shownID: "9XTM", isThisDevice: false, removal: removal),
      ]),
      .joined(inviter: "desk", devices: ["desk", "lap"]), .offers([offer]), .handedOver(appName: "Editor"),
      .noApp(offer, path: nil), .status(AgentStatus(process: 7, deviceName: "desk", deviceID: "4K7Q")),
      .activities([own]),
    ]
    return [.version(1)] + reports.map(AgentMessage.report)
      + answers.enumerated().map { .answer(UInt64($0.offset), $0.element) }
  }
}
