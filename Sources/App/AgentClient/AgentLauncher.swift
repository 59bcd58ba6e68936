// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Starts `continuo agent` in a session of its own, so that it outlives the app that needed it first.
final class AgentLauncher {
  private let places: AgentPlaces
  private let given: String?
  private var startedAt: ContinuousClock.Instant?
  /// Where the agent that is being started will tell how that ended; nil when it has.
  private var report: Descriptor?
  private var told: [UInt8] = []
  /// Since when each agent that was started found another one.
  private var busySince: ContinuousClock.Instant?
  /// Why the agent that was started last does not run; nil while that is not known.
  private(set) var failure: ContinuityError?

  /// A start is not repeated sooner, however often the socket refuses meanwhile.
  private static let pause = Duration.seconds(1)
  /// How long another agent may take to come up, or to end.
  private static let busyPatience = Duration.seconds(3)

  /// `program` is tried before all others.
  init(places: AgentPlaces, program: String?) {
    self.places = places
    given = program
  }

  /// Starts the agent unless that was done a moment ago, or is under way. Several apps may do so at once: the
  /// agent's lock lets one live.
  func launch() throws(ContinuityError) {
    listen()
    let now = ContinuousClock().now
    if report != nil { return }
    if let startedAt, now - startedAt < Self.pause { return }
    startedAt = now
    guard let program = program() else {
      throw AgentSocket.error(
        "The program `continuo` was found neither beside this program nor in PATH; install it there.")
    }
    try spawn(program)
  }

  /// An agent answers.
  func arrived() {
    stopListening()
    (failure, busySince) = (nil, nil)
  }

  /// Takes what the agent that was started has told so far. Does not block.
  private func listen() {
    var chunk = [UInt8](repeating: 0, count: StartReport.sizeLimit)
    while let report {
      var count = 0
      do throws(Errno) { count = try report.read(into: &chunk) } catch { if error == .wouldBlock { return } }
      told += chunk.prefix(count)
      guard count == 0 || told.count > StartReport.sizeLimit else { continue }
      stopListening()
      receive(StartReport(bytes: told))
    }
  }

  private func receive(_ report: StartReport?) {
    switch report {
    case .ready: (failure, busySince) = (nil, nil)
    case .failed(let sentence): (failure, busySince) = (AgentSocket.error(sentence), nil)
    case .busy(let sentence):
      let since = busySince ?? ContinuousClock().now
      busySince = since
      failure = ContinuousClock().now - since < Self.busyPatience ? nil : AgentSocket.error(sentence)
    case nil:
      busySince = nil
      failure = AgentSocket.error("The agent ended while it was starting; its log is \(places.log).")
    }
  }

  private func stopListening() { report = nil }

  /// The one that was given; beside this program's own file; where `make install` puts it for a library; the
  /// first in `PATH`.
  private func program() -> String? {
    var candidates = given.map { [$0] } ?? []
    if let beside = InstalledProgram.beside("continuo") { candidates.append(beside) }
    if let library = InstalledProgram.libraryPath, let slash = library.lastIndex(of: "/") {
      candidates += ["../bin/", "../../bin/"].map { library[...slash] + $0 + "continuo" }
    }
    candidates += InstalledProgram.inSearchPath("continuo").filter { $0.hasPrefix("/") }
    return candidates.first { FilePath($0).allows(.execute) }
  }

  /// Nothing of the app's stays open in the agent: no terminal and no mounted folder is held by it.
  private func spawn(_ program: String) throws(ContinuityError) {
    // The very first start must be able to tell in its log why it failed. A directory that cannot be made is
    // the agent's to complain about.
    FilePath(places.stateDirectory).makeFolders(mode: 0o700)
    let log = FilePath(places.stateDirectory).allows(.write) ? places.log : "/dev/null"
    let pipe = try? Pipe.make(nonBlocking: true)
    var start = ChildProcess.Start(program, arguments: ["agent"])
    start.changes = [StartReport.variable: pipe == nil ? nil : "3"]
    do throws(Errno) {
      try ChildProcess.startDetached(start, log: log, report: pipe?.write)
    } catch {
      throw AgentSocket.error("\(program) cannot be started (\(error.text)).")
    }
    (report, told) = (pipe?.read, [])
  }
}
