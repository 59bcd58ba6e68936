// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import Trust

extension AgentCore {
  /// In which version an app offers the document of that state, without its ancestors; nil where it offers
  /// none, or another one, or that is still being found out.
  func offeredDocument(of snapshot: ActivitySnapshot) -> DocumentReference? {
    guard !documents.isBeingTranslated(snapshot.id), let place = documents.place(of: snapshot),
      var offered = exchange.machine.ownSnapshot(of: snapshot.id)?.document,
      folders.place(of: offered) == place
    else { return nil }
    offered.version.lineage = []
    return offered
  }

  /// Another device went on with this activity of an app here. What the app had kept for search, or deleted
  /// there, is not kept once more.
  func keepHandedOver(own activity: ActivityID) {
    guard let own = exchange.machine.ownSnapshot(of: activity), own.flags.contains(.handoff), !own.isToBeKept
    else { return }
    keepHandedOver(own)
  }

  /// The activity, as records have it, was handed over (semantics 11h). A document whose folder is not here
  /// is none that could be opened again.
  func keepHandedOver(_ snapshot: ActivitySnapshot) {
    let path = snapshot.document.flatMap { documents.expectedPath(of: $0, at: $0.path) }
    guard snapshot.document == nil || path != nil else { return }
    saved.keepHandedOver(documents.localised(snapshot).activity, at: path)
  }

  /// What apps keep that has these words, or was saved last without any; here, and on other devices as they
  /// say. Throws as `ActivityIndexing.search`.
  func found(_ words: String?, atMost limit: Int) throws(ContinuityError) -> [FoundActivity] {
    try saved.find(words, atMost: limit).map { saved in
      FoundActivity(
        saved, at: saved.snapshot.document.flatMap { documents.expectedPath(of: $0, at: $0.path) },
        on: saved.device.map { FoundActivity.Device(id: $0, name: circle.name(of: $0)) })
    }
  }

  /// Goes on with the activity that an app saved under an identifier, as with an offer: in the app that made
  /// it or another one that takes it, which is started where it does not run. `client` is the command line
  /// that asked, and gets under `number` what `resume` is answered, once. Throws `invalidRequest` for one
  /// that is not there, `folderUnavailable` when the disk refuses.
  func restore(
    _ key: SavedActivity.Key, as number: UInt64, for client: UInt64, onTerminal: Bool
  ) throws(ContinuityError) {
    let answer = { [clients] (answer: AgentAnswer) in clients.send(.answer(number, answer), to: client) }
    var activity = try saved.activity(key)
    if key.device != nil {
      activity = documents.localised(activity).activity
      activity.translatedDocuments = []
    }
    let device = store.identity.id
    restorations.find(
      activity, key,
      isStanding: { exchange.machine.restoredOffer(OfferID(device: device, activity: $0)) != nil }
    ) { [weak self] found in
      guard let self else { return }
      switch found {
      case .failure(let error): answer(.failed(error))
      case .success((let snapshot, let remark)):
        let id = OfferID(device: device, activity: snapshot.id)
        // Asked for twice: it is on its way.
        if let name = exchange.machine.appName(continuing: id) { return answer(.handedOver(appName: name)) }
        exchange.feed(.restores(id, deviceName: circle.name(of: device), snapshot, remark: remark))
        guard let offer = exchange.machine.restoredOffer(id) else { return answer(.failed(offerGone(id))) }
        answer(resumed(offer, for: client, onTerminal: onTerminal))
      }
    }
  }
}
