// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Glibc

/// Starts `continuo agent` in a session of its own, so that it outlives the app that needed it first.
final class AgentLauncher {
  private let places: AgentPlaces
  private let given: String?
  private var startedAt: ContinuousClock.Instant?

  /// A start is not repeated sooner, however often the socket refuses meanwhile.
  private static let pause = Duration.seconds(1)

  /// `program` is tried before all others.
  init(places: AgentPlaces, program: String?) {
    self.places = places
    given = program
  }

  /// Starts the agent unless that was done a moment ago. Several apps may do so at once: the agent's lock
  /// lets one live.
  func launch() throws(ContinuityError) {
    let now = ContinuousClock().now
    if let startedAt, now - startedAt < Self.pause { return }
    startedAt = now
    guard let program = program() else {
      throw AgentSocket.error(
        "The program `continuo` was found neither beside this program nor in PATH; install it there.")
    }
    try spawn(program)
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
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("agent"), nil]
    defer { arguments.forEach { free($0) } }
    let code = continuo_spawn_detached(program, &arguments, log)
    guard code == 0 else {
      throw AgentSocket.error("\(program) cannot be started (\(AgentSocket.text(code))).")
    }
  }
}
