// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
import CLinux
import Foundation
import Glibc
package import UserActivities

extension Application: SessionHost {
  package func prepareRound(of activity: UserActivity, isLast: Bool) -> Instant? {
    documents(of: activity).compactMap { $0.autosaveInPlace(isLast: isLast) }.min()
  }

  package func didUpdate(_ activity: UserActivity) { delegate?.application(self, didUpdate: activity) }

  package func hasUnsavedChanges(in activity: UserActivity) -> Bool {
    documents(of: activity).contains(where: \.isDocumentEdited)
  }

  package func takeDescriptor(of activity: UserActivity) -> Int32? {
    guard let document = documents(of: activity).first(where: { $0.savedDescriptor != nil }) else {
      return nil
    }
    defer { document.savedDescriptor = nil }
    return document.savedDescriptor?.take()
  }

  package func perform(_ action: SessionMachine.Action, descriptor: Int32?) {
    switch action {
    case .willContinue(let request, let offer):
      continuation = request
      _ = delegate?.application(self, willContinueUserActivityWithType: offer.type)
    case .waiting(_, let offer, let status): delegate?.application(self, isWaitingFor: offer, status: status)
    case .deliver(let request, let delivery):
      deliver(request, delivery, descriptor.map { OwnedDescriptor($0) })
    case .didFail(let request, let type, let error):
      if continuation == request { continuation = nil }
      delegate?.application(self, didFailToContinueUserActivityWithType: type, error: error)
    case .couldNotShow(_, let type, let error):
      delegate?.application(self, didFailToContinueUserActivityWithType: type, error: error)
    case .offersChanged: delegate?.applicationOffersDidChange(self)
    case .rootsChanged:
      for document in DocumentController.shared.documents { document.updateActivity() }
      delegate?.applicationRootsDidChange(self)
    case .connectionChanged: delegate?.applicationConnectionDidChange(self)
    case .documentChanged(let path, let change): fileDidChange(FilePath(bytes: path), change)
    case .send, .publish, .wasContinued: break  // done by the session
    }
  }

  private func documents(of activity: UserActivity) -> [Document] {
    activity.liveOwners.compactMap { $0 as? Document }
  }

  private func fileDidChange(_ path: FilePath, _ change: DocumentChange) {
    for document in DocumentController.shared.documents where document.path == path {
      fileDidChange(path, change, of: document)
    }
  }

  /// A document's own save comes back as a change too; its stamp tells, once the save has ended.
  func fileDidChange(_ path: FilePath, _ change: DocumentChange, of document: Document) {
    if let save = document.currentSave { return save.news.append(change) }
    if case .changed = change, DocumentFile.stamp(path) == document.known?.stamp { return }
    document.fileDidChange(change)
  }

  // MARK: Continuing

  /// The app first, then the framework (semantics 39-41). A file that is not what was verified reaches
  /// neither.
  private func deliver(_ request: RequestID, _ delivery: Delivery, _ descriptor: OwnedDescriptor?) {
    defer { if continuation == request { continuation = nil } }
    let path = delivery.path.map { FilePath(bytes: $0) }
    do {
      if let path, let descriptor { try DocumentFile.checkNamed(descriptor.value, path) }
      let activity = UserActivity(continuing: delivery.activity, documentURL: path?.url)
      if offerToDelegate(activity) { return session.handle(.finished(request, .handled)) }
      guard let path else { return session.handle(.finished(request, .declined)) }
      try open(path, descriptor, activity, delivery)
      session.handle(.finished(request, .opened))
    } catch {
      session.handle(.failed(request, Self.continuityError(error)))
    }
  }

  private func offerToDelegate(_ activity: UserActivity) -> Bool {
    let restoration = Restoration(activity: activity)
    return delegate?.application(self, continue: activity) { restoration.restore($0) } ?? false
  }

  private func open(
    _ path: FilePath, _ descriptor: OwnedDescriptor?, _ activity: UserActivity, _ delivery: Delivery
  ) throws {
    guard let descriptor else { throw DocumentFault.error(path, ENOENT, "opened") }
    let file = try DocumentFile.read(delivered: descriptor.value, at: path)
    // The agent hashed these bytes; a size that differs from the version meant says that they are not those.
    if delivery.status.arrival == .current, let version = delivery.activity.document?.version {
      guard version.size == UInt64(file.data.count) else { throw DocumentFile.changing(path) }
    }
    continuo_pause_point(12)
    let (document, wasAlreadyOpen) = try DocumentController.shared.openDocument(
      delivered: file, at: path, readOnly: Self.isForReadingOnly(delivery.status.arrival))
    document.restoreUserActivityState(activity)
    delegate?.application(self, didOpen: document, wasAlreadyOpen: wasAlreadyOpen)
  }

  /// What the person chose to look at although it is not the version meant.
  private static func isForReadingOnly(_ arrival: Arrival) -> Bool {
    switch arrival {
    case .current, .ahead: false
    case .behind, .diverged, .missing, .unreadable, .folderUnknown: true
    }
  }

  private static func continuityError(_ error: any Error) -> ContinuityError {
    error as? ContinuityError
      ?? ContinuityError(.handoffFailed, subject: "document", "The document could not be shown: \(error)")
  }
}

/// The handler given to the delegate: each object is asked once, and a second call restores nothing
/// (semantics 42).
@MainActor
private final class Restoration {
  private let activity: UserActivity
  private var isDone = false

  init(activity: UserActivity) { self.activity = activity }

  func restore(_ objects: [any UserActivityRestoring]) {
    guard !isDone else { return }
    isDone = true
    var seen: Set<ObjectIdentifier> = []
    for object in objects where seen.insert(ObjectIdentifier(object)).inserted {
      object.restoreUserActivityState(activity)
    }
  }
}
