// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AppSession
import FolderWatch
import SyncedFolders

// What people do with an app, and with files.
extension World {
  /// False when the command is none of the app's.
  func perform(_ action: Command.Action, in app: EditorApp) throws -> Bool {
    switch action {
    case .open: try app.open(Self.documents[random.below(Self.documents.count)])
    case .edit: try edit(app)
    case .undo: try undo(app)
    case .save:
      guard let index = current(of: app) else { return true }
      try app.save(index)
      try app.handle(.saved(app.documents[index].activity))
    case .close: if let index = current(of: app) { try app.close(index) }
    case .switchDocument:
      guard let document = random.pick(app.documents) else { return true }
      if random.chance(20) {
        app.resigned.insert(document.activity)
        try app.handle(.resigned(document.activity))
        if random.chance(50) { try app.handle(.needsSave(document.activity)) }
        return true
      }
      app.resigned.remove(document.activity)
      try app.handle(.becameCurrent(document.activity))
      try app.handle(.needsSave(document.activity))
    case .accept:
      guard let offer = random.pick(app.session.offers) else { return true }
      let request = RequestID(using: &random)
      try app.handle(.accept(offer.id, request))
    case .cancel: if let request = awaited(by: app) { try app.handle(.cancel(request)) }
    case .openHere:
      guard let request = awaited(by: app) else { return true }
      app.chosen.insert(request)
      try app.handle(.choose(request, .openHere))
    case .keepWaiting:
      guard let request = awaited(by: app) else { return true }
      app.awaited[request]?.mayTakeLong = true
      try app.handle(.choose(request, .keepWaiting))
    case .giveUp: if let request = awaited(by: app) { try app.handle(.choose(request, .giveUp)) }
    case .extend:
      guard let request = awaited(by: app) else { return true }
      app.awaited[request]?.mayTakeLong = true
      try app.handle(.extend(request, seconds: 60))
    default: return false
    }
    return true
  }

  /// Offers come over links before their documents; now and then somebody continues one at once.
  func noticed(_ app: EditorApp) throws {
    guard let wires, !isHealing, wires.random.chance(3),
      let offer = wires.random.pick(
        app.session.offers.filter { $0.status.arrival == .behind || $0.status.arrival == .missing })
    else { return }
    try app.handle(.accept(offer.id, RequestID(using: &wires.random)))
  }

  private func current(of app: EditorApp) -> Int? {
    app.session.current.flatMap { current in app.documents.firstIndex { $0.activity == current } }
  }

  private func awaited(by app: EditorApp) -> RequestID? { random.pick(app.awaited.keys.sorted()) }

  private func edit(_ app: EditorApp) throws {
    if current(of: app) == nil {
      let path = Self.documents[random.below(Self.documents.count)]
      guard try app.open(path) else { return }
    }
    guard let index = current(of: app) else { return }
    let document = app.documents[index]
    // Often of the same size, for sizes must not stand for versions.
    let old = contents.size(of: document.text)
    let size = random.chance(40) ? old : UInt32(max(1, Int(old) + random.below(200) - 90))
    app.past.append(document.text)
    app.documents[index].text = contents.text(size: size, parents: [document.text])
    app.documents[index].isDirty = true
    try app.handle(.needsSave(document.activity))
  }

  private func undo(_ app: EditorApp) throws {
    guard let index = current(of: app), let text = app.past.popLast() else { return }
    judge { (oracle) -> Oracle.Verdict in
      oracle.wentBack(from: app.documents[index].text, to: text)
      return nil
    }
    app.documents[index].text = text
    app.documents[index].isDirty = true
    try app.handle(.needsSave(app.documents[index].activity))
  }

  /// By hand, beside all programs; the person puts the name back now and then.
  func move(_ action: Command.Action, _ device: Device) {
    let path = Self.documents[random.below(Self.documents.count)].components
    let other = path.dropLast() + [Array("renamed.txt".utf8)]
    if action == .delete {
      try? device.folder.unlink(path)
      if path.count > 1, random.chance(30) {
        device.folder.events.losesSelf = random.chance(50)
        try? device.folder.unlink(Array(path.dropLast()))
        device.folder.events.losesSelf = false
      }
    } else if device.folder.find(path) != nil {
      try? device.folder.rename(path, Array(other))
    } else {
      try? device.folder.rename(Array(other), path)
    }
    for engine in engines { engine.noticed(device.number) }
  }
}

/// Events that the kernel makes by itself.
enum KernelOverflow {
  static let event = KernelEvent(descriptor: -1, mask: .overflow)
  static func ignored(_ watch: Int32) -> KernelEvent { KernelEvent(descriptor: watch, mask: .ignored) }
}
