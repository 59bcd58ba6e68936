// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which of the files that somebody wants hashed is read now, so that a large one holds up nothing.
///
/// As many run as the machine was given; those that a person waits for go first, smaller ones before larger
/// ones. One that has to make room pauses between two pieces and goes on later where it was. Several who ask
/// for the same unchanged file share one reading. Without a reading under way the machine asks for no timer.
public struct HashingMachine: Sendable {
  private enum Phase: Hashable { case queued, running, paused, stopping }

  private struct Reading {
    var request: Request
    /// Who asked before the reading began, and later.
    var askers: [Ticket] = []
    var late: [Ticket] = []
    var awaiting: Set<Ticket> = []
    var phase = Phase.queued
    var bytes: UInt64 = 0
    /// When bytes last came; of a running one.
    var movedAt = Instant(nanoseconds: 0)
    var isStuck = false

    var everybody: [Ticket] { askers + late }
  }

  private let limit: Int
  private let timing: Timing
  private var readings: [Job: Reading] = [:]
  /// Who wants to be read; nothing that stops, and nothing whose disk gives nothing.
  private var turns = ReadingTurns()
  private var running: Set<Job> = []
  private var jobs: [Ticket: Job] = [:]
  private var shared: [Subject: Job] = [:]
  private var late: [Ticket: Request] = [:]
  private var measureAt: Instant?
  private var wake: Instant?
  private var actions: [Action] = []

  /// A machine that lets `limit` readings run at once, at least one.
  public init(limit: Int, timing: Timing = Timing()) {
    self.limit = max(1, limit)
    self.timing = timing
  }

  /// Whether nothing is asked, and nothing is being read.
  public var isIdle: Bool { readings.isEmpty }

  /// Takes one event in and says what to do, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .asked(let ticket, let request): ask(ticket, request)
    case .awaited(let ticket, let isAwaited): setAwaited(ticket, isAwaited)
    case .withdrawn(let ticket): withdraw(ticket)
    case .finished(let job, let outcome): finish(job, outcome)
    case .read(let job, let bytes): recordRead(bytes, of: job, at: now)
    case .timer: measure()
    }
    share(at: now)
    schedule(at: now)
    defer { actions = [] }
    return actions
  }

  // MARK: - Who asks, and who is answered

  private mutating func ask(_ ticket: Ticket, _ request: Request) {
    guard jobs[ticket] == nil else { return }
    if !request.isFresh, let subject = request.subject, let job = shared[subject] {
      join(ticket, request, job)
    } else {
      var reading = Reading(request: request, askers: [ticket])
      if request.isAwaited { reading.awaiting.insert(ticket) }
      readings[ticket] = reading
      jobs[ticket] = ticket
      if let subject = request.subject { shared[subject] = ticket }
      queue(ticket)
    }
  }

  private mutating func join(_ ticket: Ticket, _ request: Request, _ job: Job) {
    jobs[ticket] = job
    if readings[job]?.phase == .queued {
      readings[job]?.askers.append(ticket)
    } else {
      readings[job]?.late.append(ticket)
      late[ticket] = request
    }
    setAwaited(ticket, request.isAwaited)
  }

  private mutating func setAwaited(_ ticket: Ticket, _ isAwaited: Bool) {
    guard let job = jobs[ticket] else { return }
    late[ticket]?.isAwaited = isAwaited
    change(job) { reading in
      if isAwaited { reading.awaiting.insert(ticket) } else { reading.awaiting.remove(ticket) }
    }
  }

  private mutating func withdraw(_ ticket: Ticket) {
    guard let job = jobs.removeValue(forKey: ticket) else { return }
    late[ticket] = nil
    change(job) { reading in
      reading.askers.removeAll { $0 == ticket }
      reading.late.removeAll { $0 == ticket }
      reading.awaiting.remove(ticket)
    }
    guard let reading = readings[job], reading.everybody.isEmpty else { return }
    unshare(job, reading)
    unqueue(job)
    if reading.phase == .queued {
      readings[job] = nil
    } else {
      readings[job]?.phase = .stopping
      actions.append(.stop(job))
    }
  }

  private mutating func unshare(_ job: Job, _ reading: Reading) {
    if let subject = reading.request.subject, shared[subject] == job { shared[subject] = nil }
  }

  private mutating func finish(_ job: Job, _ outcome: HashOutcome?) {
    unqueue(job)
    guard let reading = readings.removeValue(forKey: job) else { return }
    unshare(job, reading)
    let isEnough = Self.isEnough(outcome, for: reading.request.subject)
    let answered = isEnough ? reading.everybody : reading.askers
    let again = isEnough ? [] : reading.late
    let requests = again.compactMap { ticket in late[ticket].map { (ticket, $0) } }
    for ticket in reading.everybody {
      jobs[ticket] = nil
      late[ticket] = nil
    }
    if !answered.isEmpty { actions.append(.answer(answered)) }
    for (ticket, request) in requests { ask(ticket, request) }
  }

  /// Whether what was read from a file holds for those who asked while it was being read. The file looked to
  /// them as it had looked when it was opened; a write in between shows in the stamp unless it fell into the
  /// same tick of the clock as the one before it.
  private static func isEnough(_ outcome: HashOutcome?, for subject: Subject?) -> Bool {
    guard case .stable(_, let stamp, let quiet) = outcome else { return true }
    return stamp == subject?.stamp && quiet >= stamp.tick
  }

  // MARK: - Turns

  private func turn(of job: Job) -> ReadingTurns.Turn? {
    guard let reading = readings[job], reading.phase != .stopping, !reading.isStuck else { return nil }
    return ReadingTurns.Turn(
      isUnawaited: reading.awaiting.isEmpty, size: reading.request.size, job: job)
  }

  private mutating func queue(_ job: Job) {
    if let turn = turn(of: job) { turns.insert(turn) }
  }

  private mutating func unqueue(_ job: Job) {
    running.remove(job)
    if let turn = turn(of: job) { turns.remove(turn) }
  }

  /// Changes what decides about the turn.
  private mutating func change(_ job: Job, _ change: (inout Reading) -> Void) {
    let wasRunning = running.contains(job)
    unqueue(job)
    if var reading = readings[job] {
      change(&reading)
      readings[job] = reading
    }
    queue(job)
    if wasRunning, turn(of: job) != nil { running.insert(job) }
  }

  private mutating func share(at now: Instant) {
    let turn = turns.first(limit)
    // Mostly those that run go on.
    guard turn.count != running.count || !turn.allSatisfy(running.contains) else { return }
    let first = Set(turn)
    for job in running.subtracting(first).sorted() {
      running.remove(job)
      readings[job]?.phase = .paused
      actions.append(.pause(job))
    }
    for job in first.subtracting(running).sorted() {
      guard let reading = readings[job] else { continue }
      actions.append(reading.phase == .queued ? .start(job, for: reading.askers[0]) : .resume(job))
      running.insert(job)
      readings[job]?.phase = .running
      readings[job]?.movedAt = now
    }
  }

  // MARK: - Progress

  private mutating func measure() {
    wake = nil
    measureAt = nil
    actions += running.sorted().map(Action.measure)
  }

  private mutating func recordRead(_ bytes: UInt64, of job: Job, at now: Instant) {
    guard let reading = readings[job], running.contains(job) else { return }
    guard bytes != reading.bytes else {
      if now - reading.movedAt >= timing.stuck { change(job) { $0.isStuck = true } }
      return
    }
    readings[job]?.bytes = bytes
    readings[job]?.movedAt = now
    if reading.request.subject != nil { actions += reading.everybody.map { .progress($0, bytes) } }
  }

  /// One timer for all, while anything is being read that its disk gives.
  private mutating func schedule(at now: Instant) {
    measureAt = running.isEmpty ? nil : measureAt ?? now + timing.progress
    guard measureAt != wake else { return }
    wake = measureAt
    actions.append(.wake(at: measureAt))
  }
}
