// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Foundation
import Synchronization

/// One save of a document: the bytes as they were when it began, and who waits for its end.
///
/// Only the writing itself leaves the main actor. A document has at most one at a time.
@MainActor
final class DocumentSave {
  /// Up to here an autosave writes at once, so that state and version are published together.
  static let smallSize = 1024 * 1024

  /// Where, what, and over what.
  struct Order {
    var writer: DocumentWriter
    /// Before the document was asked for its bytes: making them counts for the pace of saving.
    var started: Instant
    var type: String
    /// The document's place from now on, for a save under another name.
    var url: URL?
    /// The document was not at that place before.
    var isElsewhere = false
    var isAutosave = false
  }

  /// Saves in the background, also of documents that were closed since: the process must not end before them.
  private static var running: [DocumentSave] = []

  let order: Order
  /// What the person changed since the bytes were taken.
  private(set) var changes = ChangeCount()
  /// What was told of the file meanwhile; looked at when the save has ended.
  var news: [DocumentChange] = []
  /// Why it failed.
  private(set) var failure: ContinuityError?

  private let document: Document
  private var isEnded = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private let queue = DispatchQueue(label: "org.continuo.documents.save")
  private nonisolated let outcome = Mutex<Result<DocumentWriter.Saved, ContinuityError>?>(nil)

  init(_ order: Order, of document: Document) {
    (self.order, self.document) = (order, document)
  }

  /// Content that is the old file's again is not that of the file to come.
  func note(_ change: Document.ChangeType) {
    if change == .changeCleared { changes.lose() } else { changes.note(change) }
  }

  /// Writes while the main actor goes on.
  func runInBackground() {
    Self.running.append(self)
    queue.async {
      self.write()
      DispatchQueue.main.async { MainActor.assumeIsolated { self.end() } }
    }
  }

  /// Writes here and now.
  func runNow() {
    write()
    end()
  }

  /// Does not return before it has ended.
  func finish() {
    queue.sync {}
    end()
  }

  /// Returns when it has ended.
  func ended() async {
    guard !isEnded else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Waits for every save that still runs: the last thing before the process ends.
  static func finishAll() { for save in running { save.finish() } }

  /// Returns when nothing writes to `path`.
  static func ended(at path: FilePath) async {
    for save in running where save.order.writer.path == path { await save.ended() }
  }

  private nonisolated func write() {
    let result = Result { () throws(ContinuityError) in try order.writer.write() }
    outcome.withLock { $0 = result }
  }

  private func end() {
    guard !isEnded, let result = outcome.withLock({ $0 }) else { return }
    isEnded = true
    Self.running.removeAll { $0 === self }
    if case .failure(let error) = result { failure = error }
    document.saveDidEnd(self, try? result.get())
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}
