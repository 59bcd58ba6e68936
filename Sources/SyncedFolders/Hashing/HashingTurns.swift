// SPDX-License-Identifier: MIT

import ActivityModel

/// Who asks, who is answered, and whose turn it is.
extension HashingMachine {
  mutating func ask(_ ticket: Ticket, _ request: Request) {
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

  mutating func setAwaited(_ ticket: Ticket, _ isAwaited: Bool) {
    guard let job = jobs[ticket] else { return }
    late[ticket]?.isAwaited = isAwaited
    change(job) { reading in
      if isAwaited { reading.awaiting.insert(ticket) } else { reading.awaiting.remove(ticket) }
    }
  }

  mutating func withdraw(_ ticket: Ticket) {
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

  mutating func finish(_ job: Job, _ outcome: HashOutcome?) {
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

  private func turn(of job: Job) -> Turn? {
    guard let reading = readings[job], reading.phase != .stopping, !reading.isStuck else { return nil }
    return Turn(isUnawaited: reading.awaiting.isEmpty, size: reading.request.size, job: job)
  }

  private func place(of turn: Turn) -> Int {
    var (low, high) = (0, turns.count)
    while low < high {
      let middle = (low + high) / 2
      if turns[middle] < turn { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func queue(_ job: Job) {
    if let turn = turn(of: job) { turns.insert(turn, at: place(of: turn)) }
  }

  private mutating func unqueue(_ job: Job) {
    running.remove(job)
    guard let turn = turn(of: job) else { return }
    let place = place(of: turn)
    if turns.indices.contains(place), turns[place] == turn { turns.remove(at: place) }
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

  mutating func share(at now: Instant) {
    let first = Set(turns.prefix(limit).map(\.job))
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

  mutating func measure() {
    wake = nil
    measureAt = nil
    actions += running.sorted().map(Action.measure)
  }

  mutating func take(_ bytes: UInt64, of job: Job, at now: Instant) {
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
  mutating func schedule(at now: Instant) {
    measureAt = running.isEmpty ? nil : measureAt ?? now + timing.progress
    guard measureAt != wake else { return }
    wake = measureAt
    actions.append(.wake(at: measureAt))
  }
}
