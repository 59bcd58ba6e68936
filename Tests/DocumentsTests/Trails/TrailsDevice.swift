// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AppKitNames
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

/// The app of `TrailsApp.swift` on a device: an agent in memory, a clock that the test advances, and a synced
/// folder on disk.
@MainActor
final class TrailsDevice {
  let delegate = TrailsDelegate()
  let application: NSApplication
  private let window = NSWindow()
  let agent = MemoryAgent()
  let folder = SampleFolder()
  private let session: Session
  private let time = Moment()

  init() throws {
    let time = time
    let manifest = try ManifestReader.manifest(
      from: PackageResources.Trails_Info_plist, file: "Trails.Info.plist")
    session = Session(
      manifest: manifest,
      clock: SessionClock(
        now: { time.now }, wallTime: { WallTime(milliseconds: time.now.nanoseconds / 1_000_000) },
        isLive: false))
    session.link = agent
    NSDocumentController.shared = NSDocumentController()
    NSDocumentController.registerTrails()
    application = NSApplication(session: session)
    application.delegate = delegate
    session.linkDidChange(isUp: true)
    report(.roots([folder.root]))
  }

  /// The person's input goes to `responder`, in the main window, from now on.
  func focus(_ responder: NSResponder) {
    window.makeFirstResponder(responder)
    window.makeMain()
  }

  func report(_ report: AgentReport, descriptor: Int32? = nil) {
    session.receive(report, descriptor: descriptor)
  }

  /// Long enough for a pending round.
  func pass(_ pause: Duration = .seconds(3)) {
    time.now = time.now + pause
    session.tick()
  }

  func write(_ name: String, _ text: String) -> URL {
    folder.write(name, text)
    return folder.url(name)
  }

  /// What another device offers.
  func offer(_ type: String, _ info: UserInfo, id: OfferID? = nil) -> Offer {
    var snapshot = ActivitySnapshot(
      id: .random(), type: type, appID: "org.example.trails", changedAt: WallTime(milliseconds: 1))
    snapshot.title = "From the desktop"
    snapshot.userInfo = info
    return Offer(
      id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
      folderName: "trips", status: ArrivalStatus(.current))
  }

  /// The person accepts `offer`, and the agent has `document` verified.
  func `continue`(_ offer: Offer, info: UserInfo, document: URL? = nil) {
    report(.offers([offer]))
    let request = application.continueOffer(offer.id)
    var snapshot = ActivitySnapshot(
      id: offer.id.activity, type: offer.type, appID: "org.example.trails",
      changedAt: WallTime(milliseconds: 1))
    snapshot.userInfo = info
    let delivery = Delivery(
      activity: snapshot, path: document.map { Array($0.path.utf8) }, status: ArrivalStatus(.current),
      deviceName: "desktop")
    report(
      .deliver(request, delivery), descriptor: document.map { Glibc.open($0.path, O_RDONLY | O_CLOEXEC) })
  }
}

private final class Moment {
  var now = Instant(nanoseconds: 3_600_000_000_000)
}

extension MemoryAgent {
  /// What the app said last about an activity of this type; nil when nothing, or when it was withdrawn since.
  func offered(_ type: String) -> ActivitySnapshot? {
    var last: ActivitySnapshot?
    for request in requests {
      switch request {
      case .update(let snapshot, _) where snapshot.type == type: last = snapshot
      case .withdraw(let id) where id == last?.id: last = nil
      default: break
      }
    }
    return last
  }
}
