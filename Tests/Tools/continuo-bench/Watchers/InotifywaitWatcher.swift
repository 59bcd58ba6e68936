// SPDX-License-Identifier: MIT

/// inotifywait of the inotify-tools, whose lines are read from a pipe.
@MainActor final class InotifywaitWatcher: Watcher {
  let readyAfter: UInt64
  private let child: ChildProcess
  private let arrivals: Arrivals

  var process: Int32 { child.process }

  init(_ folder: String) throws {
    let program = try Programs.peer("inotifywait", package: "inotify-tools")
    let events = "attrib,close_write,moved_from,moved_to,create,delete"
    let start = now()
    // What it says of itself, as that it is ready, it says on standard error.
    child = try ChildProcess(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh", program, "-m", "-r", "-e", events, "--format", "%f %e", folder],
      environment: Programs.environment)
    arrivals = Arrivals(child.output)
    do {
      try arrivals.read(until: Array("Watches established.\n".utf8), "that inotifywait is ready")
    } catch {
      throw Failure("\(error): \(arrivals.lines().last?.text ?? "")")
    }
    readyAfter = now() - start
    arrivals.forget()
  }

  func sightings() throws -> [Int: UInt64] {
    try arrivals.read(until: Array("end CLOSE_WRITE".utf8), "the last file")
    var seen: [Int: UInt64] = [:]
    for (text, moment) in arrivals.lines() where text.contains(" CLOSE_WRITE") {
      if let file = Self.number(of: text.prefix { $0 != " " }) { seen[file] = moment }
    }
    arrivals.forget()
    return seen
  }

  func stop() { child.kill() }
}
