// SPDX-License-Identifier: MIT

import ActivityExchange
import FolderWatch
import ActivityModel
import SyncedFolders

// What lies in the folders at first, and what each command does.
extension World {
  /// The documents of every world: their names must not be found in a sealed record.
  static let documents: [RelativePath] = ["Zugspitze.txt", "plans/Zugspitze.md", "ab.txt"].compactMap {
    RelativePath($0)
  }

  func furnish() {
    var random = Randomness(seed: simulation.seed ^ 0xf0)
    let isAged = random.chance(10)
    var firsts: [(text: UInt32, path: RelativePath)] = []
    for path in Self.documents {
      let size = simulation.faults.contains(.large) && random.chance(50) ? 9 << 20 : 100 + random.below(400)
      firsts.append((contents.text(size: UInt32(size), parents: []), path))
    }
    for device in devices {
      if devices.contains(where: { $0 !== device && $0.id == device.id }) { oracle.knowsClone(device.id) }
      furnish(device, firsts, isAged: isAged)
      schedule(.fault, device.number, after: UInt64(device.number + 1) * 10_000_000) { try device.startAll() }
    }
  }

  private func furnish(_ device: Device, _ firsts: [(text: UInt32, path: RelativePath)], isAged: Bool) {
    let folder = device.folder
    var random = Randomness(seed: simulation.seed ^ 0xd1 &+ UInt64(device.number) << 16)
    for name in [".continuo", "plans"] { _ = try? folder.make([Array(name.utf8)], isFolder: true) }
    for (text, path) in firsts {
      guard let inode = try? folder.make(path.components) else { continue }
      try? folder.write(text, contents.size(of: text), to: inode, from: .empty)
      try? folder.synchronize(inode)
      for engine in engines {
        engine.index[device.number][path.components] = SyncEngine.Version(
          vector: Array(repeating: 0, count: devices.count), content: contents.whole(text), modified: 0,
          author: 0, serial: 0)
      }
      var past = DocumentHistory()
      // A document with a long past: lineages are full, and thinned.
      if isAged { recordLongPast(&past, &random) }
      past.record(contents.digest(of: contents.whole(text)))
      // Some agents were installed after the documents had come.
      if random.chance(25) { continue }
      device.disk.histories[DocumentPlace(folder: Self.folder, path: path)] = past
      oracle.noted(device, path, contents.digest(of: contents.whole(text)))
    }
    device.disk.saveHistories()
    device.install()
    if simulation.faults.contains(.overflow) { folder.events.limit = 4 + random.below(12) }
    if simulation.faults.contains(.watchLimit) { folder.events.watchLimit = 1 + random.below(3) }
    folder.events.isSilent = simulation.faults.contains(.silent) && random.chance(50)
  }

  private func recordLongPast(_ past: inout DocumentHistory, _ random: inout Randomness) {
    var bytes = [UInt8](repeating: 0, count: 32)
    for _ in 0..<400 {
      // A history knows a digest by its first six bytes; the others are drawn, so that what follows stays.
      for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: random.below(256)) }
      for _ in 6..<bytes.count { _ = random.next() }
      past.record(ContentDigest(bytes: bytes) ?? contents.digest(of: .empty))
    }
  }

  func perform(_ command: Command) throws {
    let device = devices[command.device]
    if let fault = command.action.fault, !simulation.faults.contains(fault) { return }
    if try device.app.map({ try perform(command.action, in: $0) }) ?? false { return }
    switch command.action {
    case .rename, .delete: move(command.action, device)
    case .appCrash: try restartApp(device)
    case .flap:
      try device.app?.connectionEnded()
      schedule(.app, device.number, after: random.between(.milliseconds(1), .seconds(8))) {
        try device.app?.connect()
      }
    case .agentKill: if device.agent != nil { try device.killAgent() }
    case .watchKill:
      device.watch?.isDead = true
      device.folder.endAllWatches()
      schedule(.fault, device.number, after: random.between(.milliseconds(100), .seconds(3))) {
        if device.agent != nil { device.startWatch() }
      }
    case .power: device.operationsLeft = random.below(12)
    case .suspend: device.suspend(for: random.between(.seconds(1), .seconds(300)))
    case .clock: device.jump(by: Int64(random.below(600_000)) - 300_000)
    case .full, .readOnly, .failing, .unmount: spoil(command.action, device)
    case .pause:
      for engine in engines {
        engine.pausedUntil[device.number] = time + random.between(.seconds(1), .seconds(200))
      }
    case .partial: for engine in engines { engine.kill(device.number) }
    case .stale: restoreStale(device)
    case .tamper: tamper(device)
    case .thief: layForgery(device)
    case .steal: try steal(device)
    case .revoke: revokeSomebody(device)
    case .retaliate: retaliate()
    case .overflow:
      device.folder.events.queue = [KernelOverflow.event]
      device.folder.events.wake?()
    default: break
    }
  }

  private func restartApp(_ device: Device) throws {
    guard let app = device.app else { return }
    app.crash()
    schedule(.app, device.number, after: random.between(.milliseconds(200), .seconds(90))) {
      try device.startApp()
    }
  }

  private func spoil(_ action: Command.Action, _ device: Device) {
    let folder = device.folder
    let duration = random.between(.milliseconds(100), .seconds(60))
    let storeToo = random.chance(50)
    switch action {
    case .full:
      folder.isFull = true
      device.storeIsFull = storeToo
    case .readOnly: folder.isReadOnly = true
    case .failing: folder.isFailing = true
    default:
      guard folder.isMounted else { return }
      if !folder.events.isSilent { folder.raiseSelf(.unmount, 0) }
      folder.isMounted = false
      let root = folder.inodes[0].watch
      for inode in folder.inodes.indices { folder.inodes[inode].watch = -1 }
      folder.events.watched = [:]
      if root >= 0 { folder.events.add(KernelOverflow.ignored(root)) }
    }
    schedule(.fault, device.number, after: duration) {
      switch action {
      case .full: (folder.isFull, device.storeIsFull) = (false, false)
      case .readOnly: folder.isReadOnly = false
      case .failing: folder.isFailing = false
      default: folder.isMounted = true
      }
    }
  }
}
