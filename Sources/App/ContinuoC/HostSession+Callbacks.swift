// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import Embedding
import LinuxSystem

// What the session tells, as calls into the host. Texts live until the callback returns.
extension HostSession {
  func report(_ event: EmbeddedSession.Event) {
    switch event {
    case .connectionChanged(let isConnected, let error):
      callbacks.connection_changed?(
        context, handle, isConnected ? 1 : 0, borrowed.text(error?.description ?? ""))
    case .rootsChanged: callbacks.folders_changed?(context, handle)
    case .offersChanged: callbacks.offers_changed?(context, handle)
    case .needsUpdate(let activity, let document, let device): askForUpdate(activity, document, device)
    case .withheld(let activity, let document, let error):
      callbacks.withheld?(
        context, handle, activities.handle(of: .own(activity)), self.handle(of: document),
        borrowed.text(error.description))
    case .willContinue(let request, let offer):
      report(callbacks.will_continue, request, offer, offer.status)
    case .progress(let request, let offer, let status): report(callbacks.progress, request, offer, status)
    case .continueActivity(let handover): deliver(handover, isRestoring: false)
    case .restoreDocument(let handover): deliver(handover, isRestoring: true)
    case .didFail(let request, let type, let error): tellFailure(request, type, error)
    case .documentChanged(let document, let change): report(document, change)
    case .presenceChanged(let document, let others):
      let told = others.map { borrowed.value(presence($0)) }
      callbacks.presence_changed?(
        context, handle, self.handle(of: document), borrowed.values(told), others.count)
    case .wasContinued(let activity, let document, let receipt, let isGivenUp):
      tell(activity, document, receipt, isGivenUp)
    case .openedStreams(let request, let socket):
      hand(socket, of: request, to: callbacks.streams_opened) { _ in }
    case .receivedStreams(let request, let activity, let document, let device, let socket):
      hand(socket, of: request, to: callbacks.streams_received) { told in
        told.activity = activities.handle(of: .own(activity))
        told.document = self.handle(of: document)
        told.device = borrowed.text(device)
      }
    case .deletedSaved(let request, let error):
      guard let deletion = deletions.known(request) else { return }
      deletions.drop(request)
      callbacks.saved_deleted?(context, handle, deletion, borrowed.text(error?.description ?? ""))
    case .endedStreams(let request, let error, _):
      guard let ended = streams.known(request) else { return }
      callbacks.streams_ended?(context, handle, ended, borrowed.text(error?.description ?? ""))
      streams.drop(request)
    }
  }

  private typealias StreamsCallback =
    @convention(c) (
      UnsafeMutableRawPointer?, continuo_session, UnsafePointer<continuo_stream_pair>?
    ) -> Void

  /// The socket is the host's from now on; one that does not listen has none, and the other device hears of
  /// the end.
  private func hand(
    _ socket: Descriptor, of request: RequestID, to callback: StreamsCallback?,
    describe: (inout continuo_stream_pair) -> Void
  ) {
    guard let callback else { return }
    var told = continuo_stream_pair()
    told.size = MemoryLayout<continuo_stream_pair>.size
    told.streams = streams.handle(of: request)
    told.device = HostAllocations.empty
    describe(&told)
    told.descriptor = socket.release()
    withUnsafePointer(to: told) { callback(context, handle, $0) }
  }

  private func tell(
    _ activity: ActivityID, _ document: DocumentHandle?, _ receipt: ContinuationReceipt, _ isGivenUp: Bool
  ) {
    var told = continuo_receipt()
    told.size = MemoryLayout<continuo_receipt>.size
    told.activity = activities.handle(of: .own(activity))
    told.document = self.handle(of: document)
    told.device = borrowed.text(receipt.device)
    told.time = receipt.at.map { Int64(clamping: $0.milliseconds) } ?? 0
    told.is_given_up = isGivenUp ? 1 : 0
    callbacks.was_continued?(context, handle, told.activity, told.document, told.device)
    guard !isEnding, let callback = callbacks.continued_elsewhere else { return }
    withUnsafePointer(to: told) { callback(context, handle, $0) }
  }

  private func presence(_ other: DocumentPresence) -> continuo_presence {
    var told = continuo_presence()
    told.size = MemoryLayout<continuo_presence>.size
    told.device = borrowed.text(other.deviceName)
    told.line = other.line.map { Int64($0) } ?? -1
    return told
  }

  private var context: UnsafeMutableRawPointer? { callbacks.context }

  private func askForUpdate(_ activity: ActivityID, _ document: DocumentHandle?, _ device: String?) {
    let named = activities.handle(of: .own(activity))
    if let device {
      callbacks.save_requested?(
        context, handle, named, self.handle(of: document), borrowed.text(device))
      guard !isEnding else { return }
    }
    let asked = callbacks.needs_update?(context, handle, named, self.handle(of: document))
    guard !isEnding, Int(asked ?? 0) != CONTINUO_LATER else { return }
    if let embedded { update(activity, in: embedded) }
  }

  private typealias ProgressCallback =
    @convention(c) (
      UnsafeMutableRawPointer?, continuo_session, UnsafePointer<continuo_progress>?
    ) -> Void

  private func report(
    _ callback: ProgressCallback?, _ request: RequestID, _ offer: Offer, _ status: ArrivalStatus
  ) {
    let continuation = continuations.handle(of: request)
    guard let callback else { return }
    var progress = continuo_progress()
    progress.size = MemoryLayout<continuo_progress>.size
    progress.continuation = continuation
    progress.offer = borrowed.value(info(of: offer))
    progress.arrival = borrowed.value(arrival(status))
    withUnsafePointer(to: progress) { callback(context, handle, $0) }
  }

  private func tellFailure(_ request: RequestID, _ type: String, _ error: ContinuityError) {
    endDelivery(request)
    var failure = continuo_failure()
    failure.size = MemoryLayout<continuo_failure>.size
    failure.continuation = continuations.handle(of: request)
    failure.activity_type = borrowed.text(type)
    failure.code = Int64(clamping: error.code.rawValue)
    failure.sentence = borrowed.text(error.description)
    failure.is_to_be_shown = error.code == .userCancelled ? 0 : 1
    answered.insert(request)
    if let callback = callbacks.failed { withUnsafePointer(to: failure) { callback(context, handle, $0) } }
    continuations.drop(request)
    answered.remove(request)
  }

  private func report(_ document: DocumentHandle, _ change: DocumentChange) {
    guard let callback = callbacks.file_changed else { return }
    var told = continuo_file_change()
    told.size = MemoryLayout<continuo_file_change>.size
    told.document = self.handle(of: document)
    told.path = HostAllocations.empty
    switch change {
    case .changed: told.change = continuo_change(CONTINUO_CHANGE_CONTENT)
    case .deleted: told.change = continuo_change(CONTINUO_CHANGE_DELETED)
    case .moved(let path):
      told.change = continuo_change(CONTINUO_CHANGE_MOVED)
      told.path = borrowed.text(path)
    case .conflict(let copies):
      told.change = continuo_change(CONTINUO_CHANGE_CONFLICT)
      told.copies = borrowed.values(copies.map { borrowed.text($0) })
      told.copy_count = copies.count
    }
    withUnsafePointer(to: told) { callback(context, handle, $0) }
  }

  // MARK: Deliveries

  private func deliver(_ handover: Handover, isRestoring: Bool) {
    let request = handover.request
    let restore = handover.isDraft ? callbacks.restore_draft : callbacks.restore_document
    let callback = isRestoring ? restore : callbacks.continue_activity
    deliveries[request] = HostDelivery(handover: handover, isRestoring: isRestoring)
    var answer = continuo_answer(CONTINUO_DECLINED)
    if let callback {
      answer = withUnsafePointer(to: delivery(handover)) { callback(context, handle, $0) }
    }
    guard !isEnding, deliveries[request] != nil, Int(answer) != CONTINUO_LATER else { return }
    finish(request, isDone: Int(answer) == CONTINUO_DONE)
  }

  /// The host's answer; the delivered activity and the descriptor are gone afterwards.
  func finish(_ request: RequestID, isDone: Bool) {
    guard let delivery = deliveries[request] else { return }
    endDelivery(request)
    if delivery.isRestoring {
      answered.insert(request)
      embedded?.answer(request, opened: isDone)
    } else {
      if isDone || !delivery.handover.hasDocument { answered.insert(request) }
      embedded?.answer(request, handled: isDone)
    }
  }

  private func endDelivery(_ request: RequestID) {
    deliveries[request] = nil
    activities.drop(.delivered(request))
  }

  private func delivery(_ handover: Handover) -> continuo_delivery {
    let delivery = handover.delivery
    var told = continuo_delivery()
    told.size = MemoryLayout<continuo_delivery>.size
    told.continuation = continuations.handle(of: handover.request)
    told.activity = activities.handle(of: .delivered(handover.request))
    told.device = borrowed.text(delivery.deviceName)
    told.path = borrowed.text(delivery.path ?? [])
    told.document = self.handle(of: delivery.path.flatMap { embedded?.document(at: $0) })
    told.descriptor = handover.descriptor ?? -1
    told.is_read_only = handover.isReadOnly ? 1 : 0
    told.arrival = borrowed.value(arrival(delivery.status))
    if let found = embedded?.place(of: handover, unit: unit) {
      told.place = borrowed.value(place(found.place, found.certainty))
    }
    return told
  }
}
