// SPDX-License-Identifier: MIT

import ActivityModel
import FolderAccess
import Glibc
import SyncedFolders

/// Hashes documents and searches folders: small files at once, the rest beside the loop in the turns that
/// `HashingMachine` gives, so that none holds up anything else. Loop thread only; so are all callbacks.
final class HashQueue {
  /// Reading this many bytes takes less time than handing them to another thread and back.
  static let inlineSize: UInt64 = 1 << 20
  /// The most time that one turn of the loop spends on reading small files; the rest goes beside the loop.
  static let inlineTime = Duration.milliseconds(4)

  /// A file that is to be hashed.
  struct Document {
    var path: RelativePath
    var directory: SyncedDirectory
    /// As it was last seen.
    var stamp: FileStamp
    /// Leads to it, where somebody handed it over. What it leads to is read in any case.
    var descriptor: Descriptor?
    var isAwaited = false
  }

  private enum Answer {
    case outcome(HashOutcome)
    case copies([ConflictCopy])
    case found(RelativePath?)
    case partial(UInt64?)
  }

  private struct Asked {
    let directory: SyncedDirectory
    let progress: (UInt64) -> Void
    let done: (Answer) -> Void
    /// What to say when the folder goes away.
    let nothing: Answer
    let work: @Sendable (HashWorker) -> Answer
  }

  private struct Running {
    let worker: HashWorker
    var answer: Answer?
  }

  let known = KnownDigests()
  private let loop: EventLoop
  private var machine: HashingMachine
  private var asked: [HashingMachine.Ticket: Asked] = [:]
  private var running: [HashingMachine.Job: Running] = [:]
  /// Whether a file is being read now.
  var isReading: Bool { !running.isEmpty }
  private var timer: EventLoop.TimerNumber?
  private var events: [HashingMachine.Event] = []
  private var isFeeding = false
  private var next: UInt64 = 0
  private var turn: UInt64 = 0
  private var spent = Duration.zero

  init(
    loop: EventLoop, limit: Int = sysconf(CInt(_SC_NPROCESSORS_ONLN)) - 1,
    timing: HashingMachine.Timing = HashingMachine.Timing()
  ) {
    self.loop = loop
    machine = HashingMachine(limit: limit, timing: timing)
  }

  /// Hashes a document; `done` is called perhaps before this returns, and then the ticket is nil. While it
  /// takes long, `progress` tells the bytes read so far.
  func hash(
    _ document: Document, progress: @escaping (UInt64) -> Void = { _ in },
    done: @escaping (HashOutcome) -> Void
  ) -> HashTicket? {
    let (path, directory, stamp) = (document.path, document.directory, document.stamp)
    let descriptor = document.descriptor
    if descriptor == nil, let outcome = known.outcome(of: path, in: directory, stamp) {
      done(outcome)
      return nil
    }
    let known = known
    let read: @Sendable (HashWorker?) -> HashOutcome = { worker in
      known.reading(in: directory, worker) {
        guard let descriptor else { return directory.hash(path, isCancelled: $0, progress: $1) }
        return directory.hash(descriptor, at: path, isCancelled: $0, progress: $1)
      }
    }
    if stamp.size <= Self.inlineSize, let outcome = inline({ read(nil) }) {
      done(outcome)
      return nil
    }
    let subject = HashingMachine.Subject(root: directory.path, path: path, stamp: stamp)
    return ask(
      .init(
        subject: subject, size: stamp.size, isAwaited: document.isAwaited, isFresh: descriptor != nil),
      Asked(
        directory: directory, progress: progress,
        done: { if case .outcome(let outcome) = $0 { done(outcome) } },
        nothing: .outcome(.unstable), work: { .outcome(read($0)) }))
  }

  /// Conflict copies of the document at `path`; those of the awaited size are hashed.
  func conflictCopies(
    of path: RelativePath, in directory: SyncedDirectory, awaitedSize: UInt64,
    done: @escaping ([ConflictCopy]) -> Void
  ) -> HashTicket {
    search(
      directory, size: awaitedSize, nothing: .copies([]),
      done: { if case .copies(let copies) = $0 { done(copies) } },
      work: { .copies($0.conflictCopies(of: path, awaitedSize: awaitedSize)) })
  }

  /// Looks for a document under other names, which may take a walk through the folder.
  func find(
    _ search: DocumentSearch, in directory: SyncedDirectory, done: @escaping (RelativePath?) -> Void
  ) -> HashTicket {
    self.search(
      directory, size: search.version.size, nothing: .found(nil),
      done: { if case .found(let path) = $0 { done(path) } }, work: { .found($0.find(search)) })
  }

  /// How much an engine's unfinished copy of the document at `path` holds.
  func partialSize(
    of path: RelativePath, in directory: SyncedDirectory, done: @escaping (UInt64?) -> Void
  ) -> HashTicket {
    search(
      directory, size: 0, nothing: .partial(nil),
      done: { if case .partial(let bytes) = $0 { done(bytes) } },
      work: { .partial($0.partialSize(of: path)) })
  }

  /// Only these folders are there: what was asked about others is answered, and nothing more is read there.
  func keep(_ directories: [SyncedDirectory]) {
    // The numbers of a file system may belong to another one by now.
    known.removeAll()
    let lost = asked.filter { each in !directories.contains { $0 === each.value.directory } }
    for ticket in lost.keys.sorted() {
      guard let each = asked.removeValue(forKey: ticket) else { continue }
      feed(.withdrawn(ticket))
      each.done(each.nothing)
    }
  }

  // MARK: - What tickets do

  fileprivate func withdraw(_ ticket: HashingMachine.Ticket) {
    guard asked.removeValue(forKey: ticket) != nil else { return }
    feed(.withdrawn(ticket))
  }

  fileprivate func setAwaited(_ ticket: HashingMachine.Ticket, _ isAwaited: Bool) {
    if asked[ticket] != nil { feed(.awaited(ticket, isAwaited)) }
  }

  // MARK: - Beside the loop, and on it

  /// Nil when this turn of the loop has read enough.
  private func inline(_ read: () -> HashOutcome) -> HashOutcome? {
    if turn != loop.turns {
      turn = loop.turns
      spent = .zero
    }
    guard spent < Self.inlineTime else { return nil }
    let start = Instant.now
    defer { spent += .now - start }
    return read()
  }

  private func search(
    _ directory: SyncedDirectory, size: UInt64, nothing: Answer, done: @escaping (Answer) -> Void,
    work: @escaping @Sendable (SearchedFolder) -> Answer
  ) -> HashTicket {
    ask(
      .init(subject: nil, size: size),
      Asked(
        directory: directory, progress: { _ in }, done: done, nothing: nothing,
        work: { [known] in work(SearchedFolder(directory: directory, worker: $0, known: known)) }))
  }

  private func ask(_ request: HashingMachine.Request, _ question: Asked) -> HashTicket {
    next += 1
    let ticket = HashingMachine.Ticket(rawValue: next)
    asked[ticket] = question
    feed(.asked(ticket, request))
    return HashTicket(ticket, of: self)
  }

  private func feed(_ event: HashingMachine.Event) {
    events.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    while !events.isEmpty {
      let event = events.removeFirst()
      var answer: Answer?
      if case .finished(let job, _) = event { answer = running.removeValue(forKey: job)?.answer }
      for action in machine.handle(event, at: .now) { perform(action, answer) }
    }
  }

  private func perform(_ action: HashingMachine.Action, _ answer: Answer?) {
    switch action {
    case .start(let job, let ticket): start(job, for: ticket)
    case .pause(let job): running[job]?.worker.pause()
    case .resume(let job): running[job]?.worker.resume()
    case .stop(let job): running[job]?.worker.stop()
    case .answer(let tickets):
      for ticket in tickets {
        guard let question = asked.removeValue(forKey: ticket) else { continue }
        question.done(answer ?? question.nothing)
      }
    case .measure(let job): if let worker = running[job]?.worker { feed(.read(job, worker.bytes)) }
    case .progress(let ticket, let bytes): asked[ticket]?.progress(bytes)
    case .wake(let moment):
      loop.cancel(timer)
      timer = moment.map { loop.schedule(at: $0) { [weak self] in self?.feed(.timer) } }
    }
  }

  private func start(_ job: HashingMachine.Job, for ticket: HashingMachine.Ticket) {
    guard let work = asked[ticket]?.work else { return feed(.finished(job, nil)) }
    let worker = HashWorker()
    running[job] = Running(worker: worker)
    let home = LoopDelivery(queue: self)
    let hasBegun = HashWorker.begin { [mailbox = loop.mailbox] in
      let answer = work(worker)
      mailbox.post { home.finish(job, answer) }
    }
    if !hasBegun { feed(.finished(job, nil)) }
  }

  private func finish(_ job: HashingMachine.Job, _ answer: Answer) {
    running[job]?.answer = answer
    if case .outcome(let outcome) = answer {
      feed(.finished(job, outcome))
    } else {
      feed(.finished(job, nil))
    }
  }

  /// Carries a reference to the queue to another thread and back; it is used on the loop's thread only.
  private struct LoopDelivery: @unchecked Sendable {  // guarded by the mailbox
    weak var queue: HashQueue?
    func finish(_ job: HashingMachine.Job, _ answer: Answer) { queue?.finish(job, answer) }
  }
}

/// One question to the queue. Loop thread only.
final class HashTicket {
  private let number: HashingMachine.Ticket
  private weak var queue: HashQueue?

  fileprivate init(_ number: HashingMachine.Ticket, of queue: HashQueue) {
    self.number = number
    self.queue = queue
  }

  /// The answer is not wanted any more, and does not come. Reading stops after the piece under way.
  func cancel() { queue?.withdraw(number) }

  /// Whether a person waits for the answer.
  func setAwaited(_ isAwaited: Bool) { queue?.setAwaited(number, isAwaited) }
}
