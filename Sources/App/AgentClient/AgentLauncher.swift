// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// Starts `continuo agent` in a session of its own, so that it outlives the app that needed it first.
final class AgentLauncher {
  private let places: AgentPlaces
  private let given: String?
  private var startedAt: ContinuousClock.Instant?
  /// Where the agent that is being started will tell how that ended; -1 when it has.
  private var report: Int32 = -1
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

  deinit { stopListening() }

  /// Starts the agent unless that was done a moment ago, or is under way. Several apps may do so at once: the
  /// agent's lock lets one live.
  func launch() throws(ContinuityError) {
    listen()
    let now = ContinuousClock().now
    if report >= 0 { return }
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
    while report >= 0 {
      let count = read(report, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      told += chunk.prefix(max(0, count))
      guard count <= 0 || told.count > StartReport.sizeLimit else { continue }
      stopListening()
      take(StartReport(bytes: told))
    }
  }

  private func take(_ report: StartReport?) {
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

  private func stopListening() {
    if report >= 0 { close(report) }
    report = -1
  }

  /// The one that was given; beside this program's own file; where `make install` puts it for a library; the
  /// first in `PATH`.
  private func program() -> String? {
    var candidates = given.map { [$0] } ?? []
    if let own = Self.ownPath(), let slash = own.lastIndex(of: "/") {
      candidates.append(own[...slash] + "continuo")
    }
    if let library = Self.libraryPath(), let slash = library.lastIndex(of: "/") {
      candidates += ["../bin/", "../../bin/"].map { library[...slash] + $0 + "continuo" }
    }
    if let path = getenv("PATH") {
      candidates += String(cString: path).split(separator: ":").filter { $0.hasPrefix("/") }.map {
        $0 + "/continuo"
      }
    }
    return candidates.first { access($0, X_OK) == 0 }
  }

  /// The file that this code was loaded from: a library's, where it is in one.
  private static func libraryPath() -> String? {
    guard let found = continuo_file_of_code() else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func ownPath() -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The very first start must be able to tell in its log why it failed. A directory that cannot be made is
  /// the agent's to complain about.
  private static func makeDirectory(_ path: String) {
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o700) }
    mkdir(path, 0o700)
  }

  /// Nothing of the app's stays open in the agent: no terminal and no mounted folder is held by it.
  private func spawn(_ program: String) throws(ContinuityError) {
    Self.makeDirectory(places.stateDirectory)
    let log = access(places.stateDirectory, W_OK) == 0 ? places.log : "/dev/null"
    var ends: [Int32] = [-1, -1]
    _ = continuo_pipe(&ends, 1)
    defer { if ends[1] >= 0 { close(ends[1]) } }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("agent"), nil]
    var environment = Self.environment(report: ends[1] >= 0)
    defer { (arguments + environment).forEach { free($0) } }
    let code = continuo_spawn_detached(program, &arguments, &environment, log, ends[1])
    guard code == 0 else {
      if ends[0] >= 0 { close(ends[0]) }
      throw AgentSocket.error("\(program) cannot be started (\(AgentSocket.text(code))).")
    }
    (report, told) = (ends[0], [])
  }

  /// This process's variables, and where the agent reports to.
  private static func environment(report: Bool) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let text = entry.pointee {
      if !String(cString: text).hasPrefix(StartReport.variable + "=") { variables.append(strdup(text)) }
      entry += 1
    }
    if report { variables.append(strdup("\(StartReport.variable)=3")) }
    return variables + [nil]
  }
}
