// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import Embedding
import Glibc
import LinuxSystem
import TextAnchors

/// What one `continuo_session` stands for: the embedded session, its handles, and what the host borrowed.
// Guarded by `isOnItsThread`, which `Sessions` asks before it gives one out.
final class HostSession: @unchecked Sendable {
  let handle = Handles.next(.session)
  let callbacks: continuo_callbacks
  let unit: ColumnUnit
  /// What is declared so far; fixed by `connect`.
  var manifest: AppManifest
  /// Whether other devices are offered what else is open; fixed by `connect`.
  var offersOpenDocuments = false
  let program: String?
  var embedded: EmbeddedSession?
  var borrowed = HostAllocations()
  var documents = HandleTable<DocumentHandle>(.document)
  var activities = HandleTable<ActivityKey>(.activity)
  var offers = HandleTable<OfferID>(.offer)
  var continuations = HandleTable<RequestID>(.continuation)
  var versions = HandleTable<HostVersion>(.fileVersion)
  var streams = HandleTable<RequestID>(.streams)
  /// What the host asked to be deleted of what is kept for search, until that is answered.
  var deletions = HandleTable<RequestID>(.deletion)
  /// Deliveries that wait for the host's answer.
  var deliveries: [RequestID: HostDelivery] = [:]
  /// Texts that the host handed over in rounds that go on.
  var drafts: [ActivityID: EmbeddedSession.DraftText] = [:]
  /// Answered for good: their handles live until nothing can be told of them any more.
  var answered: Set<RequestID> = []
  /// The lists that the host took last.
  var takenOffers: [Offer] = []
  var takenFolders: [SyncedRoot] = []
  var takenVersions: [HostVersion] = []
  /// What was put aside when a version was kept last.
  var takenAside: [EmbeddedSession.AsideVersion] = []
  private let thread = pthread_self()
  private(set) var isDispatching = false
  /// The host destroyed it in a callback, and grants its end so much.
  private var endLimit: Duration?

  var isOnItsThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
  var isEnding: Bool { endLimit != nil }

  init(manifest: AppManifest, program: String?, unit: ColumnUnit, callbacks: continuo_callbacks) {
    (self.manifest, self.program, self.unit, self.callbacks) = (manifest, program, unit, callbacks)
  }

  deinit { borrowed.release() }

  // MARK: Its life

  /// The session, once it is connected.
  func connected() throws(Refusal) -> EmbeddedSession {
    guard let embedded else { throw .order("The session is not connected; call continuo_connect() before.") }
    return embedded
  }

  /// Throws when it is too late to declare anything.
  func checkUnconnected() throws(Refusal) {
    guard embedded == nil else {
      throw .order("The session is connected; declare what the app takes before continuo_connect().")
    }
  }

  func connect() throws(Refusal) {
    guard embedded == nil else { throw .order("The session is connected; once is enough.") }
    if let program {
      do throws(Errno) { try FilePath(program).check(.execute) } catch {
        throw Refusal(
          CONTINUO_ERROR_FILE,
          "\(program) cannot be run (\(error.text)); give the path of `continuo`, or none.")
      }
    }
    let made: EmbeddedSession
    do throws(ContinuityError) {
      made = try EmbeddedSession(
        manifest: try Declarations.complete(manifest),
        places: try AgentPlaces(environment: Declarations.environment), program: program)
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_SYSTEM)
    }
    made.asksToContinue = callbacks.continue_activity != nil
    made.takesDrafts = callbacks.restore_draft != nil
    made.offersOpenDocuments = offersOpenDocuments
    made.onEvent = { [unowned self] in hear($0) }
    embedded = made
    made.connect()
  }

  func dispatch() throws(Refusal) {
    let embedded = try connected()
    guard !isDispatching else { throw .order("continuo_dispatch() is called in a callback; return from it.") }
    isDispatching = true
    borrowed.release()
    embedded.dispatch()
    isDispatching = false
    sweep()
    if let endLimit { close(within: endLimit) }
  }

  /// The handle names nothing from now on.
  func destroy(within limit: Duration) {
    Sessions.remove(self)
    if isDispatching { endLimit = limit } else { close(within: limit) }
  }

  private func close(within limit: Duration) {
    embedded?.close(within: limit)
    borrowed.release()
  }

  /// Handles of what ended meanwhile.
  private func sweep() {
    for request in answered { continuations.drop(request) }
    answered = []
    for case .own(let activity) in activities.all where embedded?.activity(activity) == nil {
      activities.drop(.own(activity))
      drafts[activity] = nil
    }
  }

  // MARK: Telling

  private func hear(_ event: EmbeddedSession.Event) {
    guard !isEnding else { return }
    let mark = borrowed.mark
    report(event)
    borrowed.release(to: mark)
  }

  // MARK: Handles

  func document(_ handle: continuo_document) throws(Refusal) -> DocumentHandle {
    guard let document = documents[handle] else {
      throw .handle("\(handle) names no open document of this session; open it first.")
    }
    return document
  }

  /// An activity that the host describes: its own, and its documents'.
  func ownActivity(_ handle: continuo_activity) throws(Refusal) -> HeldActivity {
    guard let key = activities[handle] else {
      throw .handle("\(handle) names no activity of this session; it ended, or is something else.")
    }
    guard case .own(let id) = key, let held = embedded?.activity(id) else {
      throw .handle("The activity came from another device, or ended, and cannot be changed.")
    }
    return held
  }

  func continuation(_ handle: continuo_continuation) throws(Refusal) -> RequestID {
    guard let request = continuations[handle], !answered.contains(request) else {
      throw .handle("\(handle) names no continuation that goes on; it ended, or is something else.")
    }
    return request
  }

  /// A continuation whose delivery waits for the host's answer.
  func delivery(_ handle: continuo_continuation) throws(Refusal) -> RequestID {
    let request = try continuation(handle)
    guard deliveries[request] != nil else {
      throw .order("Nothing of this continuation waits for an answer; a callback asks for it.")
    }
    return request
  }

  func handle(of document: DocumentHandle?) -> continuo_document {
    document.map { documents.handle(of: $0) } ?? 0
  }
}

/// What an activity's handle stands for.
enum ActivityKey: Hashable {
  /// The host's, or one of its documents'.
  case own(ActivityID)
  /// One that another device delivered.
  case delivered(RequestID)
}

/// A delivery that the host was shown.
struct HostDelivery {
  var handover: Handover
  /// The host is asked to show the document; else whether it takes the activity.
  var isRestoring: Bool
}
