// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import LinuxSystem

/// Keeps `continuo-desktop serve` running while there is something to tell a person, or to start. Its death
/// means a restart, ever slower; what stood is told anew. Loop thread only.
final class DesktopSupervisor {
  /// What is asked of the process and answered once.
  typealias Answer = (Result<String, ContinuityError>) -> Void

  private struct Child {
    let process: PipedProcess
    var frames = DesktopFrameReader()
    var pending: [UInt8] = []
  }

  private let loop: EventLoop
  /// Finds `continuo-desktop`.
  private let program: () -> String?
  /// The variables that the process gets beside this one's own.
  private let environment: () -> [String: String?]
  /// In which language the process speaks of itself.
  private let language: () -> ReasonLanguage
  private let onEvent: (DesktopEvent) -> Void
  private var child: Child?
  /// Processes whose input has ended.
  private var leaving: [PipedProcess] = []
  private var isNeeded = false
  private var answers: [UInt64: Answer] = [:]
  private var lastRequest: UInt64 = 0
  private var pace = RestartPace()
  private var restart: TimerNumber?
  private var ending: TimerNumber?
  /// What the process was started with beside this one's variables.
  private var given: [String: String?] = [:]
  private var moving: TimerNumber?
  /// What keeps a person from being told, if anything does.
  private(set) var problem: String?

  /// How long a process may take to end by itself.
  private static let patience = Duration.seconds(2)
  /// How long an idle process stays: offers that go often come back.
  private static let idle = Duration.seconds(20)
  /// How long another bus has to be the right one before the process moves there: a command ends sooner.
  private static let moment = Duration.seconds(1)
  /// More than this waiting for a process that does not read ends it.
  private static let backlogLimit = 1 << 20

  init(
    loop: EventLoop, program: @escaping () -> String?, environment: @escaping () -> [String: String?],
    language: @escaping () -> ReasonLanguage = { .english }, onEvent: @escaping (DesktopEvent) -> Void
  ) {
    self.loop = loop
    self.program = program
    self.environment = environment
    self.language = language
    self.onEvent = onEvent
  }

  /// Whether something is to be told: the process runs then.
  func need(_ isNeeded: Bool) {
    guard isNeeded != self.isNeeded else { return }
    self.isNeeded = isNeeded
    settle()
  }

  /// The variables that the process gets may have changed: where they did, and stay so, another process takes
  /// its place, and is told anew what stands.
  func reconsider() {
    guard child != nil, environment() != given else {
      loop.cancel(moving)
      return moving = nil
    }
    guard moving == nil else { return }
    moving = loop.schedule(at: .now + Self.moment) { [weak self] in
      guard let self else { return }
      self.moving = nil
      // What was asked is answered first.
      guard self.answers.isEmpty else { return self.reconsider() }
      guard self.child != nil, self.environment() != self.given else { return }
      self.forgetChild()
      self.onEvent(.server(isPresent: false))
      self.settle()
    }
  }

  /// Tells the process; nothing is lost where it does not run, for it is told anew what stands.
  func send(_ fields: [String]) { send(fields.map { Array($0.utf8) }) }

  private func send(_ fields: [[UInt8]]) {
    guard child != nil else { return }
    child?.pending += DesktopFrame.bytes(of: fields)
    flush()
  }

  /// Asks the process, which is started for it: `fields` with the request's number behind the first one.
  func ask(_ fields: [[UInt8]], answer: @escaping Answer) {
    lastRequest += 1
    answers[lastRequest] = answer
    settle()
    guard child != nil else { return failAnswers() }
    var fields = fields
    fields.insert(Array("\(lastRequest)".utf8), at: 1)
    send(fields)
  }

  /// The agent ends. Waits a moment for the process, which takes away what it shows.
  func stop() {
    loop.cancel(restart)
    loop.cancel(ending)
    loop.cancel(moving)
    forgetChild()
    failAnswers()
    for process in leaving {
      if let end = try? process.endDescriptor() {
        Poll.wait(for: end.number, until: .readable, atMost: Self.patience)
      }
    }
    leaving = []
  }

  // MARK: The process

  /// Starts the process where it is needed, and lets it end where it is not any more.
  private func settle() {
    loop.cancel(ending)
    ending = nil
    if isNeeded || !answers.isEmpty {
      if child == nil, restart == nil || !answers.isEmpty { start() }
    } else if child != nil {
      ending = loop.schedule(at: .now + Self.idle) { [weak self] in
        self?.forgetChild()
        self?.onEvent(.server(isPresent: false))
      }
    }
  }

  private func start() {
    loop.cancel(restart)
    restart = nil
    pace.started(at: .now)
    guard let program = program() else {
      problem = Self.missing
      return
    }
    do throws(ContinuityError) {
      given = environment()
      let process = try PipedProcess(
        program: program, arguments: ["serve", language().code], changing: given)
      child = Child(process: process)
      loop.watch(process.output.number) { [weak self] _ in self?.receive() }
      loop.watch(process.input.number, for: []) { [weak self] readiness in
        if readiness.contains(.hungUp) { return self?.inputClosed() ?? () }
        self?.flush()
      }
      problem = nil
    } catch {
      problem = error.description
      AgentLog.record("continuo-desktop cannot be started: code \(error.code)")
      scheduleRestart()
    }
  }

  private static let missing =
    "The program `continuo-desktop`, which asks the desktop, was found neither beside `continuo` nor in "
    + "PATH; install it there."

  private func receive() {
    guard let output = child?.process.output else { return }
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    do throws(Errno) {
      let count = try output.read(into: &piece)
      guard count > 0 else { return lost() }
      child?.frames.append(piece.prefix(count))
    } catch {
      return error == .wouldBlock ? () : lost()
    }
    do throws(DesktopFrame.Broken) {
      while let frame = try child?.frames.next() { handle(frame.texts) }
    } catch {
      AgentLog.record("continuo-desktop said what cannot be read: another release is installed")
      lost()
    }
  }

  private func handle(_ fields: [String]) {
    let number = fields.dropFirst().first.flatMap { UInt64($0) }
    switch (fields.first, number) {
    case ("server", _): onEvent(.server(isPresent: fields.dropFirst().first == "present"))
    case ("action", let number?):
      guard let key = fields.dropFirst(2).first else { return }
      // The notification's body is the button that continues.
      let button = key == "default" ? .resume : NotificationButton(rawValue: key)
      if let button { onEvent(.pressed(NotificationNumber(rawValue: number), button)) }
    case ("closed", let number?):
      let number = NotificationNumber(rawValue: number)
      onEvent(fields.dropFirst(2).first == "expired" ? .expired(number) : .closed(number))
    case ("unshown", let number?):
      AgentLog.record("a notification was not shown")
      onEvent(.closed(NotificationNumber(rawValue: number)))
    case ("done", let number?):
      answers.removeValue(forKey: number)?(.success(fields.dropFirst(2).first ?? ""))
      settle()
    case ("failed", let number?):
      answers.removeValue(forKey: number)?(.failure(Self.fault(fields.dropFirst(2).first ?? "")))
      settle()
    case ("problem", _): problem = fields.dropFirst().first
    default: break
    }
  }

  /// It takes nothing any more: what it said before that is heard first.
  private func inputClosed() {
    receive()
    lost()
  }

  private func lost() {
    guard let former = child else { return }
    AgentLog.record("continuo-desktop \(former.process.process) ended; it is started again when it is needed")
    forgetChild()
    onEvent(.server(isPresent: false))
    failAnswers()
    if isNeeded { scheduleRestart() }
  }

  private func forgetChild() {
    guard let child else { return }
    let process = child.process
    loop.forget(process.output.number)
    loop.forget(process.input.number)
    // Its input ends, and it takes away what it shows. One that has not ended a moment later is killed.
    process.input.close()
    self.child = nil
    leaving.append(process)
    loop.schedule(at: .now + Self.patience) { [weak self] in self?.leaving.removeAll { $0 === process } }
  }

  private func failAnswers() {
    let waiting = answers.sorted { $0.key < $1.key }.map(\.value)
    answers = [:]
    for answer in waiting {
      answer(.failure(Self.fault(problem ?? "continuo-desktop ended without an answer; try again.")))
    }
  }

  private func scheduleRestart() {
    restart = loop.schedule(at: .now + pace.delay(endingAt: .now)) { [weak self] in
      self?.restart = nil
      self?.settle()
    }
  }

  private func flush() {
    guard let standing = child, !standing.pending.isEmpty else { return }
    do throws(Errno) {
      let count = try standing.process.input.write(standing.pending)
      child?.pending.removeFirst(count)
    } catch {
      if error != .wouldBlock { return inputClosed() }
    }
    guard let waiting = child?.pending.count, waiting <= Self.backlogLimit else { return lost() }
    loop.setInterest(waiting == 0 ? [] : .writable, of: standing.process.input.number)
  }

  private static func fault(_ sentence: String) -> ContinuityError {
    ContinuityError(.agentUnavailable, subject: "continuo-desktop", description: sentence)
  }
}
