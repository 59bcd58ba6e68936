// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import AgentEngine
import LinuxSystem

/// Asks the desktop through `continuo-desktop`, a process for each question: it links the desktop's library
/// so that the agent need not, and may hang or die alone. Loop thread only.
final class DesktopQuestions {
  /// How long a file's type may take; the app waits no longer.
  private static let patience = Duration.seconds(2)
  /// How long noting a file may take.
  private static let patienceForNoting = Duration.seconds(10)
  private static let atOnce = 4
  private static let waitingLimit = 64
  /// What fits into a pipe that nobody reads yet.
  private static let requestLimit = 60 << 10

  private struct Question {
    var argument: String
    var request: [UInt8]
    var patience: Duration
    var answer: (Result<[String], ContinuityError>) -> Void
  }

  private final class Run {
    let child: PipedProcess
    let question: Question
    var output: [UInt8] = []
    var timer: TimerNumber?

    init(_ child: PipedProcess, _ question: Question) { (self.child, self.question) = (child, question) }
  }

  /// The desktop's list of recent files; nil when there is no place for one.
  var recentlyUsedList = DesktopQuestions.usualRecentlyUsedList
  private let loop: EventLoop
  /// Finds `continuo-desktop`.
  var program: () -> String? = { InstalledProgram.path(of: "continuo-desktop") }
  private var waiting: [Question] = []
  private var running: [Int32: Run] = [:]

  init(loop: EventLoop) { self.loop = loop }

  /// The MIME type of a file of that name that begins so, and behind it those of `candidates` that it is a
  /// kind of. `answer` is called once, perhaps before this returns.
  func askType(
    of name: [UInt8], beginning: [UInt8], among candidates: [String],
    answer: @escaping (Result<[String], ContinuityError>) -> Void
  ) {
    let fields = [name, Array("\(candidates.count)".utf8)] + candidates.map { Array($0.utf8) }
    ask(
      Question(
        argument: "type", request: DesktopFrame.bytes(of: fields, rest: beginning), patience: Self.patience,
        answer: answer))
  }

  /// Puts the file into the desktop's list of recent files, if there is one.
  func noteUse(of path: [UInt8], by application: String, program: [UInt8]) {
    guard let list = recentlyUsedList else { return }
    noteUse(of: path, by: application, program: program, in: list) { result in
      if case .failure(let error) = result { AgentLog.record("no recent file was noted: \(error)") }
    }
  }

  /// `$XDG_DATA_HOME/recently-used.xbel`, as the desktop's toolkits have it.
  static var usualRecentlyUsedList: [UInt8]? {
    func absolute(_ name: String) -> String? {
      CurrentProcess.variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let folder = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
    return folder.map { Array(($0 + "/recently-used.xbel").utf8) }
  }

  /// Puts the file into the desktop's list of recent files at `list`.
  func noteUse(
    of path: [UInt8], by application: String, program: [UInt8], in list: [UInt8],
    answer: @escaping (Result<[String], ContinuityError>) -> Void
  ) {
    let fields = [list, path, Array(application.utf8), program]
    ask(
      Question(
        argument: "recent", request: DesktopFrame.bytes(of: fields),
        patience: Self.patienceForNoting, answer: answer))
  }

  // MARK: Processes

  private func ask(_ question: Question) {
    guard question.request.count <= Self.requestLimit, waiting.count < Self.waitingLimit else {
      return question.answer(.failure(Self.fault("The desktop is asked too much at once; try again.")))
    }
    waiting.append(question)
    startNext()
  }

  private func startNext() {
    guard running.count < Self.atOnce, !waiting.isEmpty else { return }
    let question = waiting.removeFirst()
    do throws(ContinuityError) {
      try start(question)
    } catch {
      question.answer(.failure(error))
      startNext()
    }
  }

  private func start(_ question: Question) throws(ContinuityError) {
    guard let program = program() else {
      throw Self.fault(
        "The program `continuo-desktop`, which asks the desktop, was found neither beside `continuo` nor in "
          + "PATH; install it there.")
    }
    let child = try PipedProcess(program: program, arguments: [question.argument])
    guard (try? child.input.write(question.request)) == question.request.count else {
      throw Self.fault("\(program) takes no request; install continuo again.")
    }
    let run = Run(child, question)
    running[child.output.number] = run
    loop.watch(child.output.number) { [weak self, weak run] _ in if let run { self?.read(run) } }
    run.timer = loop.schedule(at: .now + question.patience) { [weak self, weak run] in
      guard let run else { return }
      self?.end(run, .failure(Self.fault("The desktop did not answer in time; try again.")))
    }
  }

  private func read(_ run: Run) {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    var count = 0
    do throws(Errno) { count = try run.child.output.read(into: &piece) } catch {
      if error == .wouldBlock { return }
    }
    guard count == 0 || run.output.count > Self.requestLimit else {
      run.output += piece.prefix(count)
      return
    }
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(String.init)
    switch lines.first {
    case "ok": end(run, .success(Array(lines.dropFirst())))
    case "no": end(run, .failure(Self.fault(lines.dropFirst().joined(separator: " "))))
    default: end(run, .failure(Self.fault("continuo-desktop ended without an answer; install it again.")))
    }
  }

  private func end(_ run: Run, _ result: Result<[String], ContinuityError>) {
    let output = run.child.output.number
    guard running.removeValue(forKey: output) != nil else { return }
    loop.cancel(run.timer)
    loop.forget(output)
    run.question.answer(result)
    startNext()
  }

  private static func fault(_ sentence: String) -> ContinuityError {
    ContinuityError(.agentUnavailable, subject: "continuo-desktop", description: sentence)
  }
}
