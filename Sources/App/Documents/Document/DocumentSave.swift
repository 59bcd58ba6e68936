// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Foundation
import LinuxSystem
import Synchronization

/// One thing that is done to a document's file: saved, copied or moved, with the bytes as they were when it
/// began, and who waits for its end.
///
/// Only the work itself leaves the main actor. A document has at most one at a time.
@MainActor
final class DocumentSave {
  /// Up to here an autosave writes at once, so that state and version are published together; and up to here
  /// a file is read at once.
  static let smallSize = 1024 * 1024

  /// What is done away from the main actor.
  enum Work: Sendable {
    case write(DocumentWriter)
    case move(FileMove)
    case keep(AutosaveWriting)

    /// The places that nobody should read meanwhile.
    var paths: [FilePath] {
      switch self {
      case .write(let writer): [writer.path]
      case .move(let move): [move.source, move.target]
      case .keep: []
      }
    }

    /// How many bytes are written, as far as that is known before.
    var size: Int {
      if case .write(let writer) = self { return writer.data.count }
      return 0
    }

    /// On any thread; blocks until the disk has it.
    func perform() throws(ContinuityError) -> Outcome {
      switch self {
      case .write(let writer): return .saved(try writer.write(), writer.data)
      case .move(let move): return .moved(try move.perform())
      case .keep(let writing):
        try writing.perform()
        return .kept
      }
    }
  }

  /// What came of it.
  enum Outcome: Sendable {
    case saved(DocumentWriter.Saved, Data)
    case moved(FileMove.Moved)
    case kept
  }

  /// What to do, and what it means for the document.
  struct Order {
    var work: Work
    var operation: Document.SaveOperationType
    /// Before the document was asked for its bytes: making them counts for the pace of saving.
    var started: Instant
    var type: String
    /// The document's place from now on, for a save under another name and for a move.
    var url: URL?
    /// The document was not at that place before.
    var isElsewhere = false

    /// What is written becomes the document's own version.
    var isOwn: Bool {
      if case .move = work { return false }
      return operation != .saveToOperation && operation != .autosaveElsewhereOperation
    }
  }

  /// What runs in the background, also of documents that were closed since: the process must not end before.
  private static var running: [DocumentSave] = []

  let order: Order
  /// Names the content that the bytes were taken from.
  let moment: UInt64
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
  private nonisolated let outcome = Mutex<Result<Outcome, ContinuityError>?>(nil)

  init(_ order: Order, of document: Document) {
    (self.order, self.document) = (order, document)
    moment = document.unkept.now
  }

  /// Content that is the old file's again is not that of the file to come.
  func record(_ change: Document.ChangeType) {
    if change == .changeCleared { changes.lose() } else { changes.record(change) }
  }

  /// Works while the main actor goes on.
  func runInBackground() {
    Self.running.append(self)
    queue.async {
      self.perform()
      DispatchQueue.main.async { MainActor.assumeIsolated { self.end() } }
    }
  }

  /// Works here and now.
  func runNow() {
    perform()
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

  /// Waits for everything that still runs: the last thing before the process ends.
  static func finishAll() { for save in running { save.finish() } }

  /// Returns when nothing writes to `path`, or moves what is there.
  static func ended(at path: FilePath) async {
    for save in running where save.order.work.paths.contains(path) { await save.ended() }
  }

  private nonisolated func perform() {
    let result = Result { () throws(ContinuityError) in try order.work.perform() }
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
