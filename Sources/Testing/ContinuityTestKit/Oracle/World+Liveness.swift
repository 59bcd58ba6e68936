// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AgentEngine
import AppSession

// What has to hold some time after all faults ended.
extension World {
  /// L1: what a device offers is offered on every other one, in its newest state.
  func checkOffers() {
    for device in devices { checkApp(device) }
    checkCircle()
    let faithful = faithful
    for device in faithful {
      guard let agent = device.agent, !oracle.cloned.contains(device.id) else {
        continue
      }
      let offered = agent.core.exchange.machine.ownActivities(wall: device.wall).filter(\.isOffered)
      let own = offered.filter { agent.core.exchange.machine.holder(of: $0.id) != nil }
      for other in faithful where other.id != device.id && !oracle.cloned.contains(other.id) {
        for activity in own { checkOffer(activity, of: device, on: other) }
        checkEnded(device, except: Set(offered.map(\.id)), on: other)
      }
    }
  }

  private func checkOffer(_ activity: OwnActivity, of device: Device, on other: Device) {
    let id = OfferID(device: device.id, activity: activity.id)
    guard let agent = other.agent, let app = other.app, app.connection != nil else { return }
    if let continued = agent.core.exchange.machine.continued[id], continued >= activity.changedAt { return }
    if let shown = app.session.offers.first(where: { $0.id == id && $0.changedAt >= activity.changedAt }) {
      return checkArrived(shown, on: other)
    }
    // Two engines in one folder may undo each other's work without end.
    guard !isRestless else { return }
    violate(
      .offeredInTime,
      "device \(device.number) offers an activity that device \(other.number) does not show after 120 s")
  }

  /// The version that lies there is called current.
  private func checkArrived(_ offer: Offer, on device: Device) {
    guard let path = offer.path, let version = offer.version, offer.status.arrival != .current,
      let content = device.folder.content(at: path.components),
      contents.digest(of: content) == version.digest, !simulation.faults.contains(.twoEngines)
    else { return }
    violate(
      .offeredInTime,
      "device \(device.number) calls \(offer.status.arrival.name) what has been the version for a while")
  }

  /// What ended on its source is offered nowhere.
  private func checkEnded(_ device: Device, except offered: Set<ActivityID>, on other: Device) {
    for offer in other.agent?.core.exchange.machine.offers(wall: other.wall, folderName: { _ in nil }) ?? []
    where offer.id.device == device.id && !offered.contains(offer.id.activity) {
      violate(.offeredInTime, "device \(other.number) still shows an activity that ended 120 s ago")
    }
  }

  /// A window without changes shows what the disk holds; one whose document is gone was told so.
  private func checkWindow(_ document: EditorApp.Opened, on device: Device) {
    guard !document.isDirty, !simulation.faults.contains(.twoEngines) else { return }
    let content = document.place.content(on: device)
    if content != document.base, content != nil || !document.isGone {
      violate(.offeredInTime, "a window on device \(device.number) shows what was in the file 120 s ago")
    }
  }

  /// An app and its agent agree on what is offered; what was continued is claimed.
  private func checkApp(_ device: Device) {
    guard let app = device.app, let agent = device.agent, app.session.isConnected else { return }
    for document in app.documents {
      checkWindow(document, on: device)
      let isHeld = agent.core.exchange.machine.holder(of: document.activity) != nil
      let isCurrent = app.session.current == document.activity
      if isHeld, !isCurrent || app.resigned.contains(document.activity) {
        violate(.offeredInTime, "device \(device.number) offers what is not current in its app")
      }
      let isOnDisk = document.place.content(on: device) == document.base
      let isSettled = !document.isDirty && !document.isGone && isOnDisk && document.saved == nil
      if isCurrent, isSettled, !app.resigned.contains(document.activity), !isHeld,
        !simulation.faults.contains(.twoEngines),
        agent.core.exchange.machine.ownActivities(wall: device.wall).isEmpty
      {
        violate(.offeredInTime, "device \(device.number) does not offer what is current in its app")
      }
    }
    let claimed = oracle.claims.requests
    if let lost = app.continued.suffix(4).first(where: { !claimed.contains($0) }),
      !oracle.cloned.contains(device.id), isFaithful(device),
      device.heard.subtracting([device.id]).count == Set(devices.map(\.id)).count - 1
    {
      record(lost.bytes)
      violate(.offeredInTime, "a continuation on device \(device.number) was told to nobody")
    }
  }

  /// L2 and L3: nothing is tried again and again, and what is watched is what is there.
  func checkIdle() {
    for device in devices {
      let efforts = device.agent?.efforts ?? 0
      // Two engines in one folder may undo each other's work without end.
      if !simulation.faults.contains(.twoEngines), efforts - (effortsBefore[device.number] ?? efforts) > 200 {
        violate(.boundedRetries, "device \(device.number) read and wrote \(efforts) files in 40 s of rest")
      }
      if device.folder.events.watched.count > 4 + device.folder.filePaths().count {
        violate(.idle, "device \(device.number) holds watches of folders that are gone")
      }
      guard let agent = device.agent else { continue }
      let exchange = agent.core.exchange.machine
      let lost = agent.core.followedOffers.filter { exchange.snapshot(of: $0)?.document == nil }
      if !lost.isEmpty { violate(.idle, "device \(device.number) follows documents of offers that ended") }
      checkAwaited(device)
    }
  }

  private func checkAwaited(_ device: Device) {
    for (request, awaited) in device.app?.awaited ?? [:] where !awaited.mayTakeLong {
      guard device.app?.session.isConnected == true, device.now - awaited.since > .seconds(200) else {
        continue
      }
      record(request.bytes)
      violate(.idle, "a continuation on device \(device.number) has not ended after 200 s")
    }
  }
}
