// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import FolderAccess
import SyncedFolders
import Synchronization

/// Hashes documents: small ones at once, large ones beside the loop, so that none holds up anything else.
final class HashQueue {
  /// Reading this many bytes takes less time than handing them to another thread and back.
  static let inlineSize: UInt64 = 1 << 20

  private let mailbox: Mailbox
  private let queue = DispatchQueue(label: "continuo.hashing", attributes: .concurrent)
  private var pending: [UInt64: (HashOutcome) -> Void] = [:]
  private var listings: [UInt64: ([ConflictCopy]) -> Void] = [:]
  private var searches: [UInt64: (RelativePath?) -> Void] = [:]
  private var next: UInt64 = 0

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  /// Hashes the file at `path`; `done` is called on the loop's thread, perhaps before this returns.
  func hash(
    _ path: RelativePath, in directory: SyncedDirectory, size: UInt64, done: @escaping (HashOutcome) -> Void
  ) -> HashTicket? {
    run(size: size, done: done) { directory.hash(path, isCancelled: $0) }
  }

  /// Hashes what `descriptor` leads to, which must be the file at `path`.
  func hash(
    _ descriptor: Descriptor, at path: RelativePath, in directory: SyncedDirectory, size: UInt64,
    done: @escaping (HashOutcome) -> Void
  ) -> HashTicket? {
    run(size: size, done: done) { directory.hash(descriptor, at: path, isCancelled: $0) }
  }

  /// Conflict copies of the document at `path`; those of the awaited size are hashed.
  func conflictCopies(
    of path: RelativePath, in directory: SyncedDirectory, awaitedSize: UInt64,
    done: @escaping ([ConflictCopy]) -> Void
  ) {
    guard awaitedSize > Self.inlineSize else {
      return done(directory.conflictCopies(of: path, awaitedSize: awaitedSize))
    }
    next += 1
    let number = next
    listings[number] = done
    let deliver = LoopDelivery(queue: self)
    queue.async { [mailbox] in
      let copies = directory.conflictCopies(of: path, awaitedSize: awaitedSize)
      mailbox.post { deliver.finish(number, copies) }
    }
  }

  /// Looks for a document under other names, which may take a walk through the folder.
  func find(
    _ search: DocumentSearch, in directory: SyncedDirectory, done: @escaping (RelativePath?) -> Void
  ) {
    next += 1
    let number = next
    searches[number] = done
    let deliver = LoopDelivery(queue: self)
    queue.async { [mailbox] in
      let path = directory.find(search)
      mailbox.post { deliver.finish(number, found: path) }
    }
  }

  private func run(
    size: UInt64, done: @escaping (HashOutcome) -> Void,
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> HashOutcome
  ) -> HashTicket? {
    if size <= Self.inlineSize {
      done(work { false })
      return nil
    }
    next += 1
    let number = next
    let ticket = HashTicket()
    pending[number] = done
    let deliver = LoopDelivery(queue: self)
    queue.async { [mailbox] in
      let outcome = work { ticket.isCancelled }
      mailbox.post { deliver.finish(number, outcome) }
    }
    return ticket
  }

  fileprivate func finish(_ number: UInt64, _ outcome: HashOutcome) {
    pending.removeValue(forKey: number)?(outcome)
  }

  fileprivate func finish(_ number: UInt64, _ copies: [ConflictCopy]) {
    listings.removeValue(forKey: number)?(copies)
  }

  fileprivate func finish(_ number: UInt64, found path: RelativePath?) {
    searches.removeValue(forKey: number)?(path)
  }
}

/// Lets the one who asked for a hash stop it; the outcome is then `cancelled`.
final class HashTicket: Sendable {
  private let cancelled = Mutex(false)
  var isCancelled: Bool { cancelled.withLock { $0 } }
  func cancel() { cancelled.withLock { $0 = true } }
}

/// Carries a reference to the queue to another thread and back, without touching it there.
private struct LoopDelivery: @unchecked Sendable {  // guarded by the mailbox: used on the loop's thread only
  weak var queue: HashQueue?
  func finish(_ number: UInt64, _ outcome: HashOutcome) { queue?.finish(number, outcome) }
  func finish(_ number: UInt64, _ copies: [ConflictCopy]) { queue?.finish(number, copies) }
  func finish(_ number: UInt64, found path: RelativePath?) { queue?.finish(number, found: path) }
}
