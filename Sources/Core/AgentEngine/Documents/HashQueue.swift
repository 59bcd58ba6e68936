// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
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
    var folder: any SyncedFolder
    /// As it was last seen.
    var stamp: FileStamp
    /// Leads to it, where somebody handed it over.
    var file: (any OpenFile)?
    /// Whether what `file` leads to is read although it may be known: it is handed on.
    var mustBeRead = true
    var isAwaited = false
  }

  private typealias Answer = FolderReading.Answer

  private struct Asked {
    let reading: FolderReading
    let progress: (UInt64) -> Void
    let done: (Answer) -> Void
    /// What to say when the folder goes away.
    let nothing: Answer
  }

  private struct Running {
    let reading: any RunningReading
    var answer: Answer?
  }

  let known = KnownDigests()
  private let ports: AgentPorts
  private var machine: HashingMachine
  private var asked: [HashingMachine.Ticket: Asked] = [:]
  private var running: [HashingMachine.Job: Running] = [:]
  /// Whether a file is being read now.
  var isReading: Bool { !running.isEmpty }
  private var timer: TimerNumber?
  private let events = EventLine<HashingMachine.Event>()
  private var next: UInt64 = 0
  private var turn: UInt64 = 0
  private var spent = Duration.zero

  init(ports: AgentPorts, timing: HashingMachine.Timing = HashingMachine.Timing()) {
    self.ports = ports
    machine = HashingMachine(limit: ports.readers.limit, timing: timing)
  }

  /// Hashes a document; `done` is called perhaps before this returns, and then the ticket is nil. While it
  /// takes long, `progress` tells the bytes read so far.
  func hash(
    _ document: Document, progress: @escaping (UInt64) -> Void = { _ in },
    done: @escaping (HashOutcome) -> Void
  ) -> HashTicket? {
    let (path, folder, stamp, file) = (document.path, document.folder, document.stamp, document.file)
    let isKnownFile =
      file.map { !document.mustBeRead && folder.stampTrust == .always && !$0.isOther(than: stamp) } ?? true
    if isKnownFile, let outcome = known.outcome(of: path, in: folder, stamp) {
      done(outcome)
      return nil
    }
    if stamp.size <= Self.inlineSize, let outcome = inline({ known.hash(path, file, in: folder, nil) }) {
      done(outcome)
      return nil
    }
    let subject = HashingMachine.Subject(root: folder.path, path: path, stamp: stamp)
    return ask(
      .init(subject: subject, size: stamp.size, isAwaited: document.isAwaited, isFresh: file != nil),
      Asked(
        reading: FolderReading(.inFolder(.hash(path, file), folder), size: stamp.size, known: known),
        progress: progress, done: { if case .outcome(let outcome) = $0 { done(outcome) } },
        nothing: .outcome(.unstable)))
  }

  /// Conflict copies of the document at `path`; those of the awaited size are hashed.
  func conflictCopies(
    of path: RelativePath, in folder: any SyncedFolder, awaitedSize: UInt64,
    done: @escaping ([ConflictCopy]) -> Void
  ) -> HashTicket {
    search(
      .conflictCopies(path, awaitedSize: awaitedSize), in: folder, size: awaitedSize, nothing: .copies([])
    ) { if case .copies(let copies) = $0 { done(copies) } }
  }

  /// Looks for a document under other names, which may take a walk through the folder.
  func find(
    _ search: DocumentSearch, in folder: any SyncedFolder, done: @escaping (RelativePath?) -> Void
  ) -> HashTicket {
    self.search(.find(search), in: folder, size: search.version.size, nothing: .found(nil)) {
      if case .found(let path) = $0 { done(path) }
    }
  }

  /// How much an engine's unfinished copy of the document at `path` holds.
  func partialSize(
    of path: RelativePath, in folder: any SyncedFolder, done: @escaping (UInt64?) -> Void
  ) -> HashTicket {
    search(.partialSize(path), in: folder, size: 0, nothing: .partial(nil)) {
      if case .partial(let bytes) = $0 { done(bytes) }
    }
  }

  /// Lays what `file` holds into a folder as `document` says, once `kept` has what it replaces.
  func lay(
    _ document: LaidDocument, from file: any OpenFile, in folder: any SyncedFolder,
    keeping kept: any ReplacedFiles, done: @escaping (LayingOutcome) -> Void
  ) {
    _ = search(
      .lay(document, from: file, keeping: kept), in: folder, size: document.version.size,
      nothing: .laid(.cancelled)
    ) { if case .laid(let outcome) = $0 { done(outcome) } }
  }

  /// Keeps what `file` holds, of so many bytes, as a draft.
  func keep(
    _ file: any OpenFile, size: UInt64, in drafts: any DraftFiles,
    done: @escaping (Result<FolderReading.KeptDraft, ContinuityError>) -> Void
  ) {
    let request = HashingMachine.Request(subject: nil, size: size, isAwaited: true)
    _ = ask(request, .keep(file, drafts), nothing: .kept(.failure(Self.cancelled))) {
      if case .kept(let result) = $0 { done(result) }
    }
  }

  private static var cancelled: ContinuityError {
    ContinuityError(.folderUnavailable, description: "The text of a draft could not be read now.")
  }

  /// Only these folders are there: what was asked about others is answered, and nothing more is read there.
  func keep(_ folders: [any SyncedFolder]) {
    // The numbers of a file system may belong to another one by now.
    known.removeAll()
    let lost = asked.filter { each in
      each.value.reading.folder.map { folder in !folders.contains { $0 === folder } } ?? false
    }
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
    if turn != ports.scheduler.turns {
      turn = ports.scheduler.turns
      spent = .zero
    }
    guard spent < Self.inlineTime else { return nil }
    let start = ports.now
    defer { spent += ports.now - start }
    return read()
  }

  private func search(
    _ task: FolderReading.Task, in folder: any SyncedFolder, size: UInt64, nothing: Answer,
    done: @escaping (Answer) -> Void
  ) -> HashTicket {
    ask(.init(subject: nil, size: size), .inFolder(task, folder), nothing: nothing, done: done)
  }

  private func ask(
    _ request: HashingMachine.Request, _ work: FolderReading.Work, nothing: Answer,
    done: @escaping (Answer) -> Void
  ) -> HashTicket {
    let reading = FolderReading(work, size: request.size, known: known)
    return ask(request, Asked(reading: reading, progress: { _ in }, done: done, nothing: nothing))
  }

  private func ask(_ request: HashingMachine.Request, _ question: Asked) -> HashTicket {
    next += 1
    let ticket = HashingMachine.Ticket(rawValue: next)
    asked[ticket] = question
    feed(.asked(ticket, request))
    return HashTicket(ticket, of: self)
  }

  private func feed(_ event: HashingMachine.Event) {
    events.feed(event) { event in
      var answer: Answer?
      if case .finished(let job, _) = event { answer = running.removeValue(forKey: job)?.answer }
      for action in machine.handle(event, at: ports.now) { perform(action, answer) }
    }
  }

  private func perform(_ action: HashingMachine.Action, _ answer: Answer?) {
    switch action {
    case .start(let job, let ticket): start(job, for: ticket)
    case .pause(let job): running[job]?.reading.pause()
    case .resume(let job): running[job]?.reading.resume()
    case .stop(let job): running[job]?.reading.stop()
    case .answer(let tickets):
      for ticket in tickets {
        guard let question = asked.removeValue(forKey: ticket) else { continue }
        question.done(answer ?? question.nothing)
      }
    case .measure(let job): if let reading = running[job]?.reading { feed(.read(job, reading.bytes)) }
    case .progress(let ticket, let bytes): asked[ticket]?.progress(bytes)
    case .wake(let moment):
      ports.scheduler.cancel(timer)
      timer = moment.map { ports.scheduler.schedule(at: $0) { [weak self] in self?.feed(.timer) } }
    }
  }

  private func start(_ job: HashingMachine.Job, for ticket: HashingMachine.Ticket) {
    guard let reading = asked[ticket]?.reading,
      let begun = ports.readers.start(reading, done: { [weak self] in self?.finish(job, $0) })
    else { return feed(.finished(job, nil)) }
    running[job] = Running(reading: begun)
  }

  private func finish(_ job: HashingMachine.Job, _ answer: Answer) {
    running[job]?.answer = answer
    if case .outcome(let outcome) = answer {
      feed(.finished(job, outcome))
    } else {
      feed(.finished(job, nil))
    }
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
