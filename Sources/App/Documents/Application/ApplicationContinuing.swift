// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
package import AppSession
import LinuxSystem
import Foundation
package import UserActivities

extension Application: SessionHost {
  package func save(_ activity: UserActivity, isLast: Bool) -> SaveRound {
    var round = SaveRound()
    if activity.needsSave {
      round.again = documents(of: activity).compactMap { $0.autosaveInPlace(isLast: isLast) }.min()
      activity.runRound()
      DocumentController.shared.listOpenDocuments(in: activity, of: documents(of: activity))
      if activity.isManaged { activity.withinRound { delegate?.application(self, didUpdate: activity) } }
    }
    guard activity.isValid else { return round }
    let documents = documents(of: activity)
    round.saved = documents.first { $0.savedFile != nil }?.takeSavedFile()
    if round.saved == nil, let draft = documents.first(where: \.isDraftWanted)?.takeDraft() {
      (round.saved, round.isDraft) = (draft, true)
    }
    round.isInNoFile = documents.contains(where: \.isHandedOverAsDraft)
    round.hasUnsavedChanges = documents.contains(where: \.isDocumentEdited)
    return round
  }

  /// Throws why a document is not saved.
  package func save(_ activity: UserActivity, requestedBy device: String) async throws {
    for document in documents(of: activity) where document.isDocumentEdited {
      try await delegate?.application(self, shouldSave: document, requestedBy: device)
      try await document.saveForHandingOver()
    }
  }

  package func wake() {
    let next = DocumentController.shared.documents.compactMap { $0.autosaveElsewhere(isLast: false) }.min()
    if let next { session.wakeHost(at: next) }
  }

  package func receive(_ report: AppSession.Report) {
    switch report {
    case .willContinue(let request, let offer):
      continuations.append((request, offer.id))
      begun[request] = Responder.useCount
      if delegate?.application(self, willContinueUserActivityWithType: offer.type) != true {
        beginFeedback(request, type: offer.type)
      }
    case .waiting(_, let offer, let status): delegate?.application(self, isWaitingFor: offer, status: status)
    case .deliver(let request, let delivery, let descriptor):
      endFeedback(request)
      deliver(request, delivery, descriptor.map { Descriptor(owning: $0) })
    case .didFail(let request, let type, let error):
      forget(request)
      begun[request] = nil
      endFeedback(request)
      tellFailure(type, error)
    case .couldNotShow(let request, let type, let error):
      // An app that was asked had its answer; another one hears of it as of any failure.
      if asked.remove(request) != nil { presentError(error) } else { tellFailure(type, error) }
    case .offersChanged:
      delegate?.applicationOffersDidChange(self)
      tellOtherEditors()
    case .presence: tellOtherEditors()
    case .rootsChanged:
      for document in DocumentController.shared.documents { document.updateActivity() }
      delegate?.applicationRootsDidChange(self)
    case .connectionChanged: delegate?.applicationConnectionDidChange(self)
    case .documentChanged(let path, let change): fileDidChange(FilePath(bytes: path), change)
    case .wasContinued(let activity, _), .tookBack(let activity): tellContinuation(of: activity)
    case .round, .answered, .streams, .asksToSave: break  // done by the session
    case .couldNotConnect: break  // told by `connectionError`
    }
  }

  private func documents(of activity: UserActivity) -> [Document] {
    activity.liveOwners.compactMap { $0 as? Document }
  }

  private func fileDidChange(_ path: FilePath, _ change: DocumentChange) {
    for document in DocumentController.shared.documents where document.path == path {
      fileDidChange(change, of: document)
    }
  }

  /// A document's own save comes back as a change too; its stamp tells, once the save has ended.
  func fileDidChange(_ change: DocumentChange, of document: Document) {
    if let save = document.currentSave { return save.news.append(change) }
    let change = document.understood(change)
    guard document.isNews(change) else { return }
    if case .changed = change, let path = document.path, document.readsAhead(of: change, at: path) { return }
    document.fileDidChange(change)
  }

  // MARK: Continuing

  /// The app first, then the framework (semantics 39-41). A file that is not what was verified reaches
  /// neither.
  private func deliver(_ request: RequestID, _ delivery: Delivery, _ descriptor: Descriptor?) {
    let path = delivery.path.map { FilePath(bytes: $0) }
    do {
      if let path, let descriptor { try DocumentFile.checkNamed(descriptor, path) }
      let activity = UserActivity(
        continuing: delivery.activity, documentURL: path?.url, delivery: request)
      SecurityScope.shared.admit(
        activity, foreign: [activity.webpageURL, activity.referrerURL].compactMap { $0 }, path: path,
        descriptor: descriptor)
      let restoration = Restoration(activity, in: self, begun: begun.removeValue(forKey: request) ?? 0)
      let draft = try draftContents(of: delivery, descriptor)
      activity.draftContents = draft
      if offerToDelegate(request, activity, restoration) { return end(.finished(request, .handled), request) }
      if let draft {
        Task.immediate { await open(request, draft, delivery, restoration) }
        return
      }
      guard let path else {
        return end(.finished(request, showInWindow(activity, restoration) ? .opened : .declined), request)
      }
      let file = try verified(path, descriptor, delivery)
      // Done when this returns, unless a controller of the app's own waits for something.
      Task.immediate { await open(request, file, restoration) }
    } catch {
      end(.failed(request, Self.continuityError(error)), request)
    }
  }

  private func end(_ event: SessionMachine.Event, _ request: RequestID) {
    session.handle(event)
    if case .finished = event { asked.remove(request) }
    forget(request)
  }

  private func forget(_ request: RequestID) { continuations.removeAll { $0.request == request } }

  private func offerToDelegate(
    _ request: RequestID, _ activity: UserActivity, _ restoration: Restoration
  ) -> Bool {
    isContinuingLeftToFramework = delegate == nil
    let isTaken =
      delegate?.application(self, continue: activity, restorationHandler: restoration.handler) ?? false
    if !isContinuingLeftToFramework { asked.insert(request) }
    return isTaken
  }

  private func verified(
    _ path: FilePath, _ descriptor: Descriptor?, _ delivery: Delivery
  ) throws -> DeliveredFile {
    guard let descriptor, let url = path.url else { throw DocumentFault.error(path, .noSuchFile, "opened") }
    let file = try DocumentFile.read(delivered: descriptor, at: path)
    // The agent hashed these bytes; a size that differs from the version meant says that they are not those.
    if delivery.status.arrival == .current, let version = delivery.activity.document?.version {
      guard version.size == UInt64(file.data.count) else { throw DocumentFile.changing(path) }
    }
    let isReadOnly = delivery.status.arrival.isForReadingOnly
    return DeliveredFile(file: file, path: path, url: url, isReadOnly: isReadOnly)
  }

  /// The framework's try, through the method that an app may have overridden (semantics 40).
  private func open(_ request: RequestID, _ file: DeliveredFile, _ restoration: Restoration) async {
    PausePoint.reach(12)
    do {
      let controller = DocumentController.shared
      let (document, wasAlreadyOpen) = try await DeliveredFile.$current.withValue(file) {
        try await controller.openDocument(withContentsOf: file.url, display: true)
      }
      restoration.restore(document)
      // The person is here again.
      if let activity = document.userActivity, activity.continuedOn != nil { activity.needsSave = true }
      delegate?.application(self, didOpen: document, wasAlreadyOpen: wasAlreadyOpen)
      // Of several windows of the document, the one that is for this content.
      if let window = window(for: restoration.activity), window.windowController?.document === document {
        window.makeKeyAndOrderFront(nil)
      }
      end(.finished(request, .opened), request)
    } catch {
      end(.failed(request, Self.continuityError(error)), request)
    }
  }

  /// An activity without a document, in the window that is for its content; false where there is none.
  private func showInWindow(_ activity: UserActivity, _ restoration: Restoration) -> Bool {
    guard let window = window(for: activity) else { return false }
    restoration.restore(window)
    window.makeKeyAndOrderFront(nil)
    return true
  }

  private func window(for activity: UserActivity) -> Window? {
    activity.targetContentIdentifier.flatMap(window(forTargetContentIdentifier:))
  }

  private func draftContents(of delivery: Delivery, _ descriptor: Descriptor?) throws -> Data? {
    guard delivery.activity.flags.contains(.withDraft), delivery.path == nil, let descriptor else {
      return nil
    }
    do throws(Errno) {
      return Data(try descriptor.readToEnd(limit: Int(Draft.byteLimit)))
    } catch {
      throw ContinuityError(
        .documentUnreadable, subject: "draft",
        description: "The text of a draft could not be read: \(error.clause).")
    }
  }

  /// The framework's try with a draft: an untitled document, kept where a crash leaves it before that is
  /// answered.
  private func open(
    _ request: RequestID, _ draft: Data, _ delivery: Delivery, _ restoration: Restoration
  ) async {
    do {
      let document = try DocumentController.shared.openDraft(draft, of: delivery.activity)
      restoration.restore(document)
      // No file has it. This counts as a use of the document, so it comes after its restoration.
      document.updateChangeCount(.changeDone)
      // Where it cannot be kept, the agent has it.
      try? await document.autosave(withImplicitCancellability: false)
      delegate?.application(self, didOpen: document, wasAlreadyOpen: false)
      end(.finished(request, .opened), request)
    } catch {
      end(.failed(request, Self.continuityError(error)), request)
    }
  }

  private static func continuityError(_ error: any Error) -> ContinuityError {
    error as? ContinuityError
      ?? ContinuityError(
        .handoffFailed, subject: "document", description: "The document could not be shown: \(error)")
  }
}
