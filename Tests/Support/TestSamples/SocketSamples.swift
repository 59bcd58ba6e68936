// SPDX-License-Identifier: MIT

package import ActivityModel
package import ActivityWire

/// Each message that the socket carries, in every form.
package enum SocketSamples {
  package static let offerID = OfferID(device: sample(1), activity: sample(2))
  package static let error = ContinuityError(
    .documentMissing, subject: "plan.md", description: "It is not here.")
  package static let status = ArrivalStatus(.behind, reason: "on its way", received: 3, expected: 9)
  package static let root = SyncedRoot(id: sample(3), name: "Notes", path: Array("/home/me/Notes".utf8))

  package static var snapshot: ActivitySnapshot {
    var snapshot = ActivitySnapshot(
      id: sample(2), type: "public.text-editing", appID: "org.continuo.edit",
      changedAt: WallTime(milliseconds: 5))
    snapshot.title = "plan"
    snapshot.userInfo = [.text("line"): .int(3), .text("z"): .array([.null, .double(0.5), .bool(true)])]
    return snapshot
  }

  package static var offer: Offer {
    var offer = Offer(
      id: offerID, deviceName: "desktop", snapshot: snapshot, folderName: "Notes", status: status)
    offer.path = RelativePath("plan.md")
    offer.team = [UInt8](repeating: 9, count: 32)
    offer.notes = [.declined(app: "Editor")]
    return offer
  }

  package static var manifest: AppManifest {
    var type = AppManifest.DocumentType(name: "Text", role: .viewer)
    type.extensions = ["md"]
    type.activityType = "public.text-editing"
    var manifest = AppManifest(appID: "a.b", name: "B", activityTypes: ["x.y"], documentTypes: [type])
    manifest.team = [UInt8](repeating: 9, count: 32)
    return manifest
  }

  package static let own = OwnActivity(
    snapshot, reason: "Its isEligibleForHandoff is false.", remarks: ["No app on laptop took it."])

  package static let client: [ClientMessage] = [
    .version(1), .request(.hello(manifest)),
    .command(1, .explain(app: nil, skipping: 0)), .command(2, .explain(app: "org.app", skipping: 7)),
    .command(3, .examine), .command(4, .apps),
    .request(.update(snapshot, saved: FileMark(inode: 7, size: 3, modified: -1))),
    .request(.withdraw(sample(2))), .request(.opened(path: [47, 97])),
    .request(.opened(path: [47, 98], file: FileMark(inode: 7, size: .max, modified: -5))),
    .request(.closed(path: [47])),
    .request(.accept(offerID, sample(4))), .request(.extend(sample(4), seconds: 30)),
    .request(.cancel(sample(4))), .request(.choose(sample(4), .openHere)),
    .request(.outcome(sample(4), .declined)), .request(.explain(sample(4), "There are changes.")),
    .request(
      .concluded(
        sample(4),
        ConcludedContinuation(offer: offerID, changedAt: WallTime(milliseconds: 9), outcome: .opened))),
    .request(.save(sample(4), snapshot)), .request(.deleteSaved(sample(4), identifiers: nil)),
    .request(.deleteSaved(sample(4), identifiers: ["a", ""])),
    .request(.askContentType(sample(4), name: [0xff, 46, 99], beginning: [0, 1])),
    .request(.openStreams(sample(4), to: sample(5))),
    .request(.answerSave(sample(4), .saved(changedAt: WallTime(milliseconds: 1_000)))),
    .request(.answerSave(sample(4), .refused("It is being printed."))),
    .request(.cursorMoved(sample(2), line: 0)), .request(.cursorMoved(sample(2), line: .max)),
    .command(57, .setPresence("Notes", isShared: true)),
    .request(
      .askContentType(
        sample(4), name: [], beginning: [UInt8](repeating: 7, count: AgentRequest.contentSampleLimit))),
    .request(.usedRecently(path: [47, 0xff], program: [47, 97])),
    .command(1, .addFolder(path: [47], name: nil)),
    .command(2, .listFolders), .command(3, .removeFolder("Notes")), .command(4, .pair(deviceName: "desk")),
    .command(5, .cancelPairing), .command(6, .join(words: "a b", deviceName: nil)), .command(7, .offers),
    .command(8, .resume("ab")), .command(9, .status), .command(10, .stop),
    .command(11, .watchOffers), .request(.withheld(own)), .command(12, .ownActivities),
    .command(13, .devices),
    .command(14, .revoke("laptop")), .command(15, .reset),
    .command(16, .lan(.on(port: nil))), .command(17, .lan(.on(port: 47_000))), .command(18, .lan(.off)),
    .command(19, .lan(.status)), .command(20, .lan(.connect(host))),
    .command(21, .lan(.forget("desktop.local"))), .command(22, .lan(.network("wlan0", isOn: false))),
    .command(23, .fetch(OfferID(device: sample(1), activity: sample(2)))),
    .command(24, .setFolder("Notes", .always)), .command(25, .copies), .command(26, .placeCopy([47, 0xff])),
    .command(27, .find(words: "soup", atMost: 20)), .command(28, .find(words: nil, atMost: 5)),
    .command(
      29,
      .restoreSaved(
        SavedActivity.Key(appID: "org.example.recipes", identifier: "soup"), onTerminal: true)),
  ]

  private static let host = TypedHost(
    name: "desktop.local", port: 47_000, addresses: [[192, 168, 1, 20], [UInt8](repeating: 0xfd, count: 16)])

  private static var lan: LanStatus {
    var status = LanStatus()
    (status.isOn, status.port, status.process) = (true, 47_000, 7)
    (status.addresses, status.typed, status.offNetworks) = ([[10, 0, 0, 2]], [host], ["wlan0"])
    status.links = [
      LanStatus.Link(DeviceLink(device: sample(5), name: "laptop", state: .linked)),
      LanStatus.Link(
        DeviceLink(device: sample(6), name: "phone", state: .refused),
        because: .linkRefused(device: "phone")),
    ]
    (status.isConfined, status.problem) = (false, "continuo-lan keeps ending.")
    return status
  }

  private static let explanations = [
    Explanation(
      .offer, id: "ac", title: "plan.md", deviceName: "desktop", appID: "org.app", type: "public.text",
      path: [47, 255], isWell: true, since: WallTime(milliseconds: 5),
      statements: [.init(.looking), .init(.told("The disk says no."))]),
    Explanation(.folder, id: "Notes", title: "Notes", statements: [.init(.recordsLeftOut(folder: "Notes"))]),
  ]

  private static let apps = [
    ClientApp(manifest, program: nil),
    ClientApp(
      appID: "a.c", name: "C", team: nil,
      program: ClientProgram(process: 7, executable: [47, 0xff], sandbox: nil)),
    ClientApp(
      appID: "a.d", name: "D", team: nil,
      program: ClientProgram(process: 8, executable: [47], sandbox: .flatpak("org.example.App"))),
    ClientApp(
      appID: "a.d", name: "D", team: nil,
      program: ClientProgram(process: 9, executable: [47], sandbox: .flatpak(nil))),
    ClientApp(
      appID: "a.e", name: "E", team: nil,
      program: ClientProgram(process: 10, executable: [47], sandbox: .snap("code"))),
  ]

  private static var health: HealthFacts {
    var facts = HealthFacts()
    var peer = HealthFacts.Peer(name: "laptop")
    (peer.saidAt, peer.heardAt) = (WallTime(milliseconds: 1), WallTime(milliseconds: 2))
    (peer.acknowledged, peer.isCopied) = (3, true)
    facts.peers = [peer, HealthFacts.Peer(name: "phone")]
    facts.folders = [HealthFacts.Folder(name: "n", path: [47], isUsed: true, polling: "NFS.", heard: 2)]
    facts.said = (sequence: 4, at: WallTime(milliseconds: 5))
    (facts.isCopied, facts.hasDesktop, facts.problems) = (true, true, ["The disk is full."])
    return facts
  }

  package static let agent: [AgentMessage] = [
    .version(1), .report(.offers([offer])), .report(.roots([root])),
    .answer(3, .explained(explanations, total: 9)), .answer(4, .examined(HealthFacts())),
    .answer(5, .examined(health)),
    .report(.documentChanged(path: [47], .moved(to: [47, 98]))),
    .report(.documentChanged(path: [47], .changed(nil))), .report(.documentChanged(path: [47], .deleted)),
    .report(.documentChanged(path: [47], .conflict(copies: [[47, 99]]))),
    .report(.willContinue(sample(4), offer: offer)), .report(.progress(sample(4), status)),
    .report(
      .deliver(
        sample(4), Delivery(activity: snapshot, path: [47], status: status, deviceName: "desktop"))),
    .report(.kept(sample(4), nil)), .report(.kept(sample(4), error)),
    .report(.contentType(sample(4), ["text/x-csrc", "text/plain"], nil)),
    .report(.contentType(sample(4), [], error)),
    .report(.streams(sample(4), .opened)), .report(.streams(sample(4), .ended)),
    .report(.streams(sample(4), .prepared)),
    .report(.streams(sample(4), .offered(sample(2), device: "laptop"))),
    .report(.streams(sample(4), .failed(error))),
    .report(.saveNow(sample(4), sample(2), device: "laptop")), .report(.presence(sample(2), [])),
    .report(
      .presence(
        sample(2),
        [
          DocumentPresence(offer: offerID, deviceName: "desktop", line: 39),
          DocumentPresence(offer: offerID, deviceName: "phone", line: nil),
        ])),
    .report(.fail(sample(4), error)), .report(.continued(sample(2), ContinuationReceipt(device: "laptop"))),
    .report(
      .continued(sample(2), ContinuationReceipt(device: "laptop", at: WallTime(milliseconds: 5)))),
    .report(
      .continued(
        sample(2),
        ContinuationReceipt(
          device: "laptop", at: WallTime(milliseconds: 5), changedAt: WallTime(milliseconds: 4)))),
    .answer(1, .done("yes")),
    .answer(2, .failed(error)), .answer(3, .folders([root])), .answer(4, .words(["a", "b"])),
    .answer(
      13,
      .devices([
        CircleDevice(name: "desk", shownID: "4K7Q", isThisDevice: true),
        CircleDevice(
          name: "lap", shownID: "9XTM", isThisDevice: false,
          removal: .init(at: WallTime(milliseconds: 5), remover: "desk")),
      ])),
    .answer(5, .joined(inviter: "desk", devices: ["desk", "lap"])), .answer(6, .offers([offer])),
    .answer(7, .handedOver(appName: "Editor")), .answer(8, .noApp(offer, path: nil)),
    .answer(9, .status(AgentStatus(process: 7, deviceName: "desk", deviceID: "4K7Q"))),
    .answer(10, .activities([own])), .answer(11, .apps(apps)), .answer(12, .lan(LanStatus())),
    .answer(13, .lan(lan)), .answer(14, .fetched(size: 1 << 30)),
    .answer(
      15,
      .copies([
        DocumentCopy(path: [47, 0xff], document: nil, folderName: "", isChanged: false, isOpen: true),
        DocumentCopy(
          path: [47], document: [47, 97], folderName: "Notes", isChanged: true, isOpen: false,
          problem: "no space"),
      ])),
    .answer(
      16,
      .found([
        FoundActivity(
          appID: "org.a", identifier: "soup", title: "Soup", type: "org.a.reading",
          changedAt: WallTime(milliseconds: 5), summary: "Of lentils", path: [47, 0xff],
          webpageURL: "https://example.org/"),
        FoundActivity(
          appID: "org.a", identifier: "", title: "", type: "", changedAt: WallTime(milliseconds: 0),
          summary: "",
          path: nil, webpageURL: nil),
      ])),
  ]

  package static func sample<Kind>(_ byte: UInt8) -> Identifier<Kind> {
    guard let id = Identifier<Kind>(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure() }
    return id
  }
}
