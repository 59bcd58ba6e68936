// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AppSession

/// A continuation whose document is here, on its way into the host. The descriptor is valid while the host
/// answers, and not the host's to close.
public struct Handover: Sendable {
  /// The continuation.
  public let request: RequestID
  /// The activity with this device's own URLs, the path and how its version stands.
  public let delivery: Delivery
  /// The verified bytes, open for reading; nil without a document.
  public var descriptor: Int32? { file?.descriptor }
  /// Whether the person chose to look at something that is not the version meant.
  public var isReadOnly: Bool { delivery.status.arrival.isForReadingOnly }

  /// Whether the text is in no file, here neither: it came from another device, and the host shows it without
  /// one.
  public var isDraft: Bool {
    file != nil && delivery.path == nil && delivery.activity.flags.contains(.withDraft)
  }
  /// Whether there is text to show: a document here, or a draft.
  public var hasDocument: Bool { path != nil || isDraft }
  /// What a draft holds; nil of anything else, and where it cannot be read. Reads it whole.
  public var draft: [UInt8]? { isDraft ? file?.contents() : nil }

  let file: OpenedFile?
  var mark: FileMark? { file?.mark }
  var path: [UInt8]? { delivery.path }

  init(_ request: RequestID, _ delivery: Delivery, _ descriptor: Int32?) {
    self.request = request
    self.delivery = delivery
    file = descriptor.flatMap { OpenedFile(adopting: $0) }
  }

  /// Whether the path still names the bytes that were verified.
  var isAsVerified: Bool {
    if isDraft { return true }
    guard let path, let mark else { return false }
    return FilePaths.mark(path) == mark
  }
}

// Deliveries: the app first, then the document (semantics 39-41).
extension EmbeddedSession {
  func deliver(_ request: RequestID, _ delivery: Delivery, _ descriptor: Int32?) {
    let handover = Handover(request, delivery, descriptor)
    handovers[request] = handover
    guard handover.path == nil || handover.isAsVerified else { return fail(handover) }
    if asksToContinue {
      queue(.continueActivity(handover))
    } else {
      restore(handover)
    }
  }

  /// The host took the activity by itself, or leaves it to its documents.
  public func answer(_ request: RequestID, handled: Bool) {
    guard let handover = handovers[request] else { return }
    if handled { return finish(handover, .handled) }
    restore(handover)
  }

  /// The host shows the document, or could not; `message` says why not, in one sentence for the person here
  /// and at the other device.
  public func answer(_ request: RequestID, opened: Bool, message: String = "") {
    guard let handover = handovers[request] else { return }
    guard opened else {
      handle(.explained(request, message))
      return finish(handover, .failed)
    }
    guard handover.isAsVerified else { return fail(handover) }
    finish(handover, .opened)
    // The person is here again.
    if let activity = handover.path.flatMap(documents.handle(at:)).flatMap({ documents[$0]?.activity }),
      app.receipt(of: activity) != nil
    {
      noteChange(activity)
    }
  }

  private func restore(_ handover: Handover) {
    guard handover.hasDocument else { return finish(handover, .declined) }
    guard handover.isAsVerified else { return fail(handover) }
    queue(.restoreDocument(handover))
  }

  private func finish(_ handover: Handover, _ outcome: ContinuationOutcome) {
    finish(handover)
    handle(.finished(handover.request, outcome))
  }

  private func fail(_ handover: Handover) {
    finish(handover)
    let name = handover.path.map(Self.shown) ?? ""
    handle(
      .failed(
        handover.request,
        ContinuityError(
          .changedWhileOpening, subject: name,
          description: "\(name) was changed while it was opened; continue again when it lies still.")))
  }

  private func finish(_ handover: Handover) {
    handovers[handover.request] = nil
  }
}
