// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AppSession
import LinuxSystem

// Activities: which is current, and what they carry.
extension EmbeddedSession {
  /// Makes an activity without a document. Throws `invalidRequest` for a type that the app does not declare.
  public func makeActivity(type: String) throws(ContinuityError) -> ActivityID {
    guard manifest.continues(type) else {
      throw ContinuityError(
        .invalidRequest, subject: type,
        description:
          "\(manifest.name) does not declare the activity type \(type); name it among its activity types.")
    }
    let activity = HeldActivity(type: type)
    activities[activity.id] = activity
    return activity.id
  }

  /// What the host said of an activity; nil for one that ended.
  public func activity(_ id: ActivityID) -> HeldActivity? { activities[id] }

  /// Changes what an activity carries; a round follows, unless the change is part of one. One that
  /// ended stays so.
  public func change(_ id: ActivityID, by body: (inout HeldActivity) -> Void) {
    guard var activity = activities[id] else { return }
    body(&activity)
    guard activity != activities[id] else { return }
    activities[id] = activity
    if !app.isInRound(id) { noteChange(id) }
  }

  func noteChange(_ activity: ActivityID) {
    changes.insert(activity)
    handle(.needsSave(activity))
  }

  /// The file was changed or moved by others, and the state with it: who goes on with it elsewhere keeps it.
  func noteFileChange(_ activity: ActivityID) {
    changes.insert(activity)
    handle(.followedFile(activity))
  }

  /// Nothing is kept of an activity that ended.
  func forget(_ activity: ActivityID) {
    if let document = activities[activity]?.document, !app.presence(of: activity).isEmpty {
      queue(.presenceChanged(document, []))
    }
    activities[activity] = nil
    changes.remove(activity)
    requester[activity] = nil
    withheld[activity] = nil
    handle(.invalidated(activity))
  }

  /// The document is in front of the person: its activity, now or when it gets one, is the one offered
  /// (semantics 14).
  public func becomeCurrent(_ document: DocumentHandle) {
    guard let entry = documents[document] else { return }
    front = .document(document)
    if let activity = entry.activity {
      handle(.becameCurrent(activity))
    } else if let former = app.current {
      handle(.resigned(former))
    }
  }

  /// Only if it is the one in front (semantics 15).
  public func resignCurrent(_ document: DocumentHandle) {
    guard front == .document(document) else { return }
    front = nil
    if let activity = documents[document]?.activity { handle(.resigned(activity)) }
  }

  /// This activity is what the person is doing.
  public func becomeCurrent(_ activity: ActivityID) {
    guard let held = activities[activity] else { return }
    front = held.document.map { .document($0) } ?? .activity(activity)
    handle(.becameCurrent(activity))
  }

  /// Only if it is the current one (semantics 15).
  public func resignCurrent(_ activity: ActivityID) {
    guard app.current == activity else { return }
    front = nil
    handle(.resigned(activity))
  }

  /// Ends an activity for good (semantics 16); a document's own ends with the document, not by this.
  public func invalidate(_ activity: ActivityID) {
    guard let held = activities[activity], held.document == nil else { return }
    if front == .activity(activity) { front = nil }
    forget(activity)
  }

  // MARK: Rounds

  func askForUpdate(_ activity: ActivityID) {
    guard let held = activities[activity] else { return }
    let device = requester.removeValue(forKey: activity)
    queue(.needsUpdate(activity, held.document, requestedBy: device))
  }

  /// A person goes on with it on that device: a round says what comes of it.
  func save(_ activity: ActivityID, _ request: RequestID, for device: String) {
    requester[activity] = device
    handle(.agreesToSave(request, isSaved: false))
    // What is not offered any more has no round.
    if !app.isInRound(activity) { requester[activity] = nil }
  }

  /// The host does not save what another device asked for, and why: one sentence, which is shown there.
  /// Whether any device waits for that.
  @discardableResult
  public func refuseToSave(_ activity: ActivityID, because reason: String) -> Bool {
    let requests = app.requestedSaves(of: activity)
    for request in requests { handle(.refusesToSave(request, reason)) }
    return !requests.isEmpty
  }

  /// Whether a device waits for its text.
  public func isSaveRequested(of activity: ActivityID) -> Bool {
    !app.requestedSaves(of: activity).isEmpty
  }

  /// Deletes what the app had kept for search under these identifiers, all of it for nil; `deletedSaved`
  /// tells that it is gone. Throws `invalidRequest` for more than 1,024 of them, or 32 KiB.
  public func deleteSaved(_ identifiers: [String]?) throws(ContinuityError) -> RequestID {
    let request = RequestID.random()
    deletions.insert(request)
    do throws(ContinuityError) { try deleteSaved(identifiers, as: request) } catch {
      deletions.remove(request)
      throw error
    }
    return request
  }

  /// Text that no file has, and where the person is in it.
  public struct DraftText {
    /// The text: at most `Draft.byteLimit` bytes.
    public var bytes: [UInt8]
    /// Where the person is; nil where the host does not say.
    public var place: TextPlace?

    /// A text and a place in it.
    public init(bytes: [UInt8], place: TextPlace?) { (self.bytes, self.place) = (bytes, place) }
  }

  /// Ends a round: what the activity carries now is offered. `isEdited` as in `changed`. Without a round
  /// asked for it is one of the host's own. `refusal` says why the host did not save for another device: one
  /// sentence, which is shown there. `draft` is the text as of now, for a device that asked, where no file
  /// has it; none is handed over beside a file that was just saved.
  public func update(
    _ id: ActivityID, isEdited: Bool? = nil, refusal: String? = nil, draft: DraftText? = nil
  ) {
    guard let held = activities[id] else { return }
    if let refusal { refuseToSave(id, because: refusal) }
    changes.remove(id)
    if let document = held.document, let isEdited { documents[document]?.isEdited = isEdited }
    let entry = held.document.flatMap { documents[$0] }
    var snapshot = held.snapshot(
      appID: manifest.appID, path: entry?.path, isEdited: entry?.isEdited ?? (isEdited ?? held.isDraft),
      at: .now)
    if let others = held.document.flatMap({ openDocuments(beside: $0) }) {
      snapshot.userInfo[.text(ContinuoOpenDocumentURLsKey)] = others
    }
    let handedOver = entry?.saved == nil ? draft.flatMap { handOver($0, of: id, in: &snapshot) } : nil
    if let entry, handedOver == nil { snapshot.userInfo.merge(textEditing(entry)) { _, place in place } }
    if let document = held.document { documents[document]?.saved = nil }
    let obstacle = offer(snapshot, saved: entry?.saved ?? handedOver)
    if obstacle == nil { keep(snapshot) }
    guard withheld[id] != obstacle else { return }
    withheld[id] = obstacle
    if let obstacle { queue(.withheld(id, held.document, obstacle)) }
  }

  private func handOver(
    _ draft: DraftText, of id: ActivityID, in snapshot: inout ActivitySnapshot
  ) -> OpenedFile? {
    do throws(ContinuityError) {
      try Draft.check(size: draft.bytes.count)
    } catch {
      refuseToSave(id, because: error.description)
      return nil
    }
    guard let file = try? Descriptor.memory(holding: draft.bytes),
      let opened = OpenedFile(adopting: file.release())
    else { return nil }
    if let place = draft.place {
      snapshot.userInfo.merge(textEditing(place, in: draft.bytes)) { _, new in new }
    }
    snapshot.flags.insert(.withDraft)
    return opened
  }
}
