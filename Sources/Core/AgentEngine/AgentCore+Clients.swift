// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
package import ActivityWire
import SyncedFolders
import Trust

extension AgentCore {
  /// A client has connected: it is heard from now on.
  package func accept(_ connection: any ClientChannel) {
    clients.add(connection)
  }

  /// A connection has ended, whichever side ended it. Nothing is sent on it any more.
  package func ended(_ connection: any ClientChannel) {
    guard let kind = clients.remove(connection.number) else { return }
    pairing.clientEnded(connection.number)
    opened.clientEnded(connection.number)
    deliveries.clientEnded(connection.number)
    copies.clientEnded(connection.number, isApp: kind == .app)
    documents.clientEnded(connection.number)
    drafts.clientEnded(connection.number)
    linkedDocuments.clientEnded(connection.number)
    streams.clientEnded(connection.number)
    saves.clientEnded(connection.number)
    documentPresence.clientEnded(connection.number)
    tracker.isWatched = clients.isWatchingOffers
    guard kind == .app else { return }
    let client = ClientNumber(rawValue: connection.number)
    let left = exchange.machine.documents(of: client)
    exchange.feed(.disconnected(client))
    for (activity, document) in left.sorted(by: { $0.key < $1.key }) { lookAtLeftOpen(activity, document) }
  }

  /// An app that was killed after a save has told nobody of it: its document is looked at once more.
  private func lookAtLeftOpen(_ activity: ActivityID, _ document: DocumentReference) {
    let place = folders.place(of: document)
    documents.version(at: place, in: copies.file(of: place), VersionQuery(), as: .onDisk) {
      [weak self] version in
      guard let self, let version, version.digest != document.version.digest else { return }
      self.exchange.feed(.foundLeftOpen(activity, version))
    }
  }

  /// A client said this, and handed `file` over beside it.
  package func receive(
    _ message: ClientMessage, file: (any OpenFile)?, from connection: any ClientChannel
  ) {
    switch message {
    case .version(let version):
      if version != ClientMessage.currentVersion {
        ports.log("client \(connection.number) speaks version \(version)")
        connection.disconnect()
      }
      clients.notedVersion(connection.number)
      deliveries.drafts.noted(connection.number)
    case .request(let request): handle(request, file, from: connection)
    case .command(let number, let command): perform(command, number, for: connection)
    }
  }

  private func handle(_ request: AgentRequest, _ file: (any OpenFile)?, from connection: any ClientChannel) {
    let client = ClientNumber(rawValue: connection.number)
    if case .hello(let manifest) = request { return greet(manifest, connection) }
    guard clients.manifest(of: connection.number) != nil else {
      ports.log("client \(connection.number) did not say hello first")
      return connection.disconnect()
    }
    switch request {
    case .hello: break
    case .update(let snapshot, let saved):
      // A file that comes with a draft is none that a document was saved to.
      let isDraft = snapshot.flags.contains(.withDraft)
      drafts.attach(snapshot, file: isDraft ? file : nil, of: connection.number) { [weak self] snapshot in
        self?.update(snapshot, isDraft ? nil : saved, isDraft ? nil : file, from: connection)
      }
    case .withdraw(let activity):
      if exchange.machine.holder(of: activity).map({ $0 == client }) ?? true {
        doubtUnansweredSave(of: activity, by: client.rawValue)
        documents.forget(activity)
        drafts.forget(activity)
      }
      exchange.feed(.withdrew(client, activity))
    case .withheld(let activity): exchange.feed(.withheld(client, activity))
    case .opened(let path, let file):
      presence.noticeReturn(ofFolderAround: path)
      opened.open(path, file, by: connection.number)
      copies.used(path, by: connection.number)
      notifier.update()
    case .closed(let path):
      opened.close(path, by: connection.number)
      copies.used(path, by: connection.number)
      notifier.update()
    case .accept(let offer, let request):
      ports.observer.reached(.accepted)
      exchange.feed(.accepted(client, offer, request))
    case .extend(let request, let seconds): exchange.feed(.extended(request, seconds: seconds))
    case .cancel(let request): exchange.feed(.cancelled(request))
    case .choose(let request, let choice): exchange.feed(.chose(request, choice))
    case .explain(let request, let message): exchange.feed(.explained(client, request, message))
    case .outcome(let request, let outcome):
      ports.observer.reached(.ended)
      deliveries.ended(request, with: outcome)
      // Who takes an activity without a document's opening may still have the file.
      if outcome != .handled { copies.answered(request) }
      exchange.feed(.outcome(client, request, outcome))
    case .save(let request, let snapshot): saved.save(snapshot, request, from: connection)
    case .deleteSaved(let request, let identifiers): saved.delete(identifiers, request, from: connection)
    case .askContentType(let request, let name, let beginning):
      tellContentType(request, name: name, beginning: beginning, to: connection)
    case .usedRecently(let path, let program): noteUse(of: path, program: program, by: connection)
    // Of a saved activity of this device nobody else is told.
    case .concluded(_, let ended) where ended.offer.device == store.identity.id: break
    case .concluded(let request, let ended): exchange.feed(.concluded(client, request, ended))
    case .openStreams(let request, let delivery):
      streams.open(request, to: delivery, for: connection.number)
    case .answerSave(let request, let answer): saves.take(answer, to: request, from: connection.number)
    case .cursorMoved(let activity, let line):
      documentPresence.move(activity, to: line, by: connection.number)
    }
  }

  private func greet(_ manifest: AppManifest, _ connection: any ClientChannel) {
    var manifest = manifest
    manifest.associatedDomains = ports.desktop.associatedDomains(of: manifest)
    clients.greeted(connection.number, with: manifest)
    // Said again, once for each: what this agent takes.
    for _ in AgentAbility.allCases { connection.send(.version(ClientMessage.currentVersion)) }
    connection.send(.report(.roots(rootsForApps)))
    exchange.feed(.connected(ClientNumber(rawValue: connection.number), manifest))
  }

  private func update(
    _ snapshot: ActivitySnapshot, _ saved: FileMark?, _ file: (any OpenFile)?,
    from connection: any ClientChannel
  ) {
    let number = connection.number
    guard clients.contains(number) else { return }
    if let path = snapshot.documentPath { presence.noticeReturn(ofFolderAround: path) }
    let word = opened.nextWord()
    let savedPlace = saved == nil ? nil : documents.place(of: snapshot)
    doubtUnansweredSave(of: snapshot.id, by: number, savedNow: savedPlace)
    if let savedPlace { opened.noteSave(at: savedPlace, by: number, word: word) }
    documents.translate(
      snapshot, saved: saved, at: savedPlace, file: file, client: number
    ) { [weak self] translated in
      guard let self, self.clients.contains(number) else { return }
      guard let (translated, remarks) = translated else {
        // Another program was faster: the app has to see what lies there, and say how things stand then.
        if let place = self.documents.place(of: snapshot) { self.opened.doubt(place, of: number, word: word) }
        return
      }
      if saved != nil, let path = snapshot.documentPath { self.copies.used(path, by: number) }
      // A state without a file that was saved says nothing of what its app shows.
      if savedPlace != nil, let document = translated.document {
        let place = DocumentPlace(folder: document.folder, path: document.path)
        self.opened.noteSaved(document.version, at: place, by: number, word: word)
      }
      self.ports.observer.translated(translated, withFile: saved != nil)
      self.exchange.feed(.updated(ClientNumber(rawValue: number), translated, remarks: remarks))
    }
  }

  /// What the client saved and nobody will have found out: it does not show any more what it showed before.
  /// Where it saved the same document now, that is found out.
  private func doubtUnansweredSave(
    of activity: ActivityID, by client: UInt64, savedNow: DocumentPlace? = nil
  ) {
    guard let place = documents.unansweredSave(of: activity), place != savedNow else { return }
    opened.doubt(place, of: client, word: opened.nextWord())
  }
}
