// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

// What apps saved, and what is handed to them.
extension Agent {
  func update(
    _ snapshot: ActivitySnapshot, _ saved: FileMark?, _ file: OpenFile?, from connection: Connection
  ) throws {
    let word = nextWord()
    guard let path = snapshot.documentPath.flatMap(EditorApp.relative) else {
      try doubtUnansweredSave(of: snapshot.id, by: connection.number)
      latestUpdates[snapshot.id] = nil
      return try feed(.updated(ClientNumber(rawValue: connection.number), snapshot))
    }
    let savedPath = saved == nil ? nil : path
    try doubtUnansweredSave(of: snapshot.id, by: connection.number, savedNow: savedPath)
    latestUpdates[snapshot.id] = Update(word: word, client: connection.number, saved: savedPath)
    if saved != nil { opened[path]?.readers[connection.number]?.shown.saves(said: word) }
    let pacing = RereadPacing(isLasting: true)
    let isWanted = { [self] in
      latestUpdates[snapshot.id]?.word == word && clients[connection.number] != nil
    }
    try version(at: path, file, saved, pacing, while: isWanted) { [self] version, _ in
      guard latestUpdates[snapshot.id]?.word == word else { return }
      latestUpdates[snapshot.id] = nil
      guard clients[connection.number] != nil else { return }
      guard let version else { return try doubt(path, of: connection.number, word: word) }
      var translated = snapshot
      translated.document = DocumentReference(folder: World.folder, path: path, version: version)
      translated.userInfo[.text(NSUserActivityDocumentURLKey)] = nil
      if saved != nil {
        try noteSaved(version.digest, size: version.size, at: path, by: connection.number, word: word)
      }
      world.judge { $0.translated(device, translated, withFile: saved != nil) }
      try feed(.updated(ClientNumber(rawValue: connection.number), translated))
    }
  }

  /// What the app saved and nobody will have found out: it does not show any more what it showed before.
  func doubtUnansweredSave(
    of activity: ActivityID, by client: UInt64, savedNow: RelativePath? = nil
  ) throws {
    guard let path = latestUpdates[activity]?.saved, path != savedNow else { return }
    try doubt(path, of: client, word: nextWord())
  }

  func version(
    at path: RelativePath, _ file: OpenFile?, _ saved: FileMark?, _ pacing: RereadPacing,
    asked: FileStamp? = nil, while isWanted: @escaping () -> Bool,
    done: @escaping (DocumentVersion?, FileMark?) throws -> Void
  ) throws {
    var asked = asked
    let again = { [self] (obstacle: RereadPacing.Obstacle) in
      var pacing = pacing
      guard let pause = pacing.pause(after: obstacle) else { return try done(nil, nil) }
      device.schedule(.timer, at: device.now + pause) { [self] in
        guard !isDead, isWanted() else { return }
        try version(at: path, file, saved, pacing, asked: asked, while: isWanted, done: done)
      }
    }
    guard presence != nil, case .file(let found) = folder.observe(path) else { return try again(.unreadable) }
    asked = asked ?? found
    let first = asked
    try hash(file?.inode ?? folder.find(path.components), at: path, size: found.size) { [self] outcome in
      switch outcome {
      case .stable(_, let stamp, _) where saved.map { !stamp.mark.isSameContent(as: $0) } ?? false:
        try again(.replaced)
      case .stable(let digest, let stamp, _):
        try done(note(digest, size: stamp.size, at: path), stamp == first ? stamp.mark : nil)
      case .unstable:
        try again(file.map { $0.inode != Int(found.inode) } ?? false ? .replaced : .changing)
      case .failed, .cancelled: try again(.unreadable)
      }
    }
  }

  func note(_ digest: ContentDigest, size: UInt64, at path: RelativePath) throws -> DocumentVersion {
    world.oracle.noted(device, path, digest)
    try changeHistory(of: path) { $0.record(digest) }
    return (histories[path] ?? DocumentHistory()).version(digest, size: size)
  }

  // MARK: Delivering

  func deliver(
    _ request: RequestID, to client: ClientNumber, _ offer: OfferID, _ snapshot: ActivitySnapshot,
    _ status: ArrivalStatus
  ) throws {
    world.count(.deliveries)
    guard let reference = snapshot.document else {
      return try send(snapshot, request, client, offer, status, at: nil, nil)
    }
    let path = trackers[offer]?.machine.location ?? reference.path
    guard presence != nil else { return try postpone(request, offer, ArrivalStatus(.folderUnknown)) }
    guard let inode = folder.find(path.components), !folder.inodes[inode].isFolder else {
      return try postpone(request, offer, ArrivalStatus(.missing))
    }
    try hash(inode, at: path, size: UInt64(folder.inodes[inode].content.size)) { [self] outcome in
      // What nobody waits for any more is not read to its end.
      guard exchange.isOpening(request, for: client) else { return }
      guard case .stable(let digest, _, let quiet) = outcome,
        let found = DeliveryCheck.standing(
          of: digest, quiet: quiet, to: reference.version,
          history: histories[reference.path] ?? DocumentHistory(), isMoved: path != reference.path,
          agreed: status)
      else { return try postpone(request, offer, ArrivalStatus(.behind)) }
      try changeHistory(of: path) {
        if digest == reference.version.digest { $0.adopt(reference.version) } else { $0.record(digest) }
      }
      world.oracle.noted(device, path, digest)
      handedOver[request] = HandedOver(
        path: path, digest: digest, size: UInt64(folder.inodes[inode].content.size), client: client.rawValue,
        word: nextWord())
      try send(snapshot, request, client, offer, found, at: path, OpenFile(inode: inode))
    }
  }

  private func postpone(_ request: RequestID, _ offer: OfferID, _ status: ArrivalStatus) throws {
    world.count(.postponed)
    distrust(offer)
    try feed(.deliveryPostponed(request, status))
  }

  private func send(
    _ snapshot: ActivitySnapshot, _ request: RequestID, _ client: ClientNumber, _ offer: OfferID,
    _ status: ArrivalStatus, at path: RelativePath?, _ file: OpenFile?
  ) throws {
    guard exchange.isOpening(request, for: client), let connection = clients[client.rawValue]?.connection
    else { return }
    guard let latest = exchange.snapshot(of: offer), DeliveryCheck.isSame(latest.document, snapshot.document)
    else { return try postpone(request, offer, ArrivalStatus(.behind)) }
    let delivery = Delivery(
      activity: latest, path: path.map { EditorApp.root + [UInt8(ascii: "/")] + $0.bytes }, status: status,
      deviceName: world.name(of: offer.device))
    let text = file.map { folder.inodes[$0.inode].content }
    connection.tell(.deliver(request, delivery), file, text: text)
    try feed(.delivered(request))
  }
}
