// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import ActivityWire
import AgentClient
import ArgumentParser
import LinuxSystem
import SyncEngines

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at everything that a hand-off needs, and say what to mend.",
    discussion: CommandEnd.help(
      """
      Looks at the kernel's limits, permissions, the agent, each folder and device, clocks, the LAN, the \
      session's bus and the notification server. Each row says ok, warning or problem; what to do stands \
      below it.
      """, ends: [.done: "all works, perhaps with warnings", .failed: "something is wrong"]))

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    let agent = Self.askAgent()
    let lan = try? LanAnswer.ask(.status, AgentSession(startsAgent: false))
    let verdict = HealthVerdict(
      agent: agent, local: LocalFindings(among: (try? agent.get())?.folders ?? []), lan: lan)
    if json {
      JSONOutput.say(verdict.checks.map(HealthRow.init))
    } else {
      for check in verdict.checks {
        let level = "\(check.level)"
        let pause = String(repeating: " ", count: 8 - level.count)
        Terminal.say("\(level)\(pause)\(check.name): \(check.finding)")
        if !check.fix.isEmpty { Terminal.say("        \(check.fix)") }
      }
    }
    if verdict.worst == .problem { throw Failure.failed }
  }

  private static func askAgent() -> Result<HealthFacts, ContinuityError> {
    do throws(ContinuityError) {
      guard case .examined(let facts) = try AgentSession().ask(.examine) else {
        throw ContinuityError(
          .agentUnavailable,
          description: "The agent is of another release: run `continuo agent stop`, and this again.")
      }
      return .success(facts)
    } catch {
      return .failure(error)
    }
  }
}

/// One row as `doctor --json` prints it.
struct HealthRow: Encodable {
  var name: String
  /// `ok`, `warning` or `problem`.
  var level: String
  var finding: String
  /// Empty where nothing is to be done.
  var fix: String

  init(_ check: HealthCheck) {
    (name, level, finding, fix) = (check.name, "\(check.level)", check.finding, check.fix)
  }
}

extension LocalFindings {
  /// Looks at this computer; `folders` are the registered ones.
  init(among folders: [HealthFacts.Folder]) {
    self.init()
    let inotify = FilePath("/proc/sys/fs/inotify")
    limits = Limits(
      watches: Self.number(in: inotify, "max_user_watches"),
      instances: Self.number(in: inotify, "max_user_instances"),
      queue: Self.number(in: inotify, "max_queued_events"))
    let environment = CurrentProcess.environment
    if let places = try? AgentPlaces(environment: environment) { self.places = Self.own(places) }
    for folder in folders where folder.isUsed {
      let path = FilePath(bytes: folder.path)
      let ignored = Self.bytes(path.appending(Array(".stignore".utf8)))
      self.folders[folder.path] = Folder(
        isWritable: path.allows([.write, .execute]),
        ignoringPattern: ignored.flatMap { EngineSearch.syncthingOmission(in: $0, of: path) }?.pattern)
    }
    bus = Self.sessionBus(environment)
    if bus == .answers { server = NotificationProbe.ask() }
  }

  /// What a short file holds.
  private static func bytes(_ path: FilePath) -> [UInt8]? {
    guard let file = try? path.open([.readOnly, .nonBlocking]) else { return nil }
    return try? file.readToEnd(limit: 1 << 20)
  }

  private static func number(in folder: FilePath, _ name: String) -> UInt64? {
    bytes(folder.appending(Array(name.utf8))).flatMap {
      UInt64(String(decoding: $0, as: UTF8.self).filter(\.isNumber))
    }
  }

  /// The state directory and what lies in it, and the socket's directory.
  private static func own(_ places: AgentPlaces) -> [OwnPlace] {
    let state = FilePath(places.stateDirectory)
    let inside = ((try? state.names()) ?? []).map { state.appending($0) }
    return ([state, FilePath(places.runtimeDirectory), FilePath(places.socket)] + inside)
      .compactMap { path in
        guard let status = try? path.status(followingLinks: false), status.kind != .symbolicLink else {
          return nil
        }
        return OwnPlace(
          path: path.shown, permissions: status.permissions, isOwn: status.isOwn,
          isFolder: status.kind == .folder)
      }
  }

  /// As D-Bus looks for it: the variable, else the user's own in the runtime directory.
  private static func sessionBus(_ environment: [String: String]) -> Bus {
    let named = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { address in
      address.split(separator: ";").lazy.compactMap { $0.hasPrefix("unix:path=") ? $0 : nil }.first
        .map { String($0.dropFirst(10).prefix { $0 != "," }) }
    }
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty, named == nil {
      // An abstract socket or another kind: who asks it for a notification server finds out.
      return .answers
    }
    let usual = environment["XDG_RUNTIME_DIR"].map { $0 + "/bus" }
    guard let path = named ?? usual.flatMap({ FilePath($0).allows() ? $0 : nil }) else { return .none }
    do throws(Errno) {
      try UnixSocket.connect(try UnixSocket.make(), to: path)
      return .answers
    } catch {
      return .silent("\(DisplayText.shown(path)): \(error.text)")
    }
  }
}

/// Has `continuo-desktop` look for a notification server, as it does for the agent.
private enum NotificationProbe {
  private static let patience = Duration.seconds(5)

  static func ask() -> LocalFindings.NotificationServer {
    guard let program = InstalledProgram.path(of: "continuo-desktop") else {
      return .unknown("continuo-desktop is not installed.")
    }
    do throws(Errno) {
      let (input, output) = (try Pipe.make(), try Pipe.make())
      var start = LinuxSystem.ChildProcess.Start(program, arguments: ["serve"])
      start.standard = [input.read.number, output.write.number, nil]
      let child = try LinuxSystem.ChildProcess(start)
      defer { _ = child.kill() }
      output.write.close()
      return try listen(output.read)
    } catch {
      return .unknown("continuo-desktop cannot be started (\(error.text)).")
    }
  }

  private static func listen(_ output: Descriptor) throws(Errno) -> LocalFindings.NotificationServer {
    var reader = DesktopFrameReader()
    let deadline = Instant.now + patience
    while Instant.now < deadline {
      var entries = [Poll.Entry(output.number)]
      guard Poll.wait(for: &entries, atMost: max(.zero, deadline - Instant.now)) else { break }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = try output.read(into: &bytes)
      guard count > 0 else { return .unknown("continuo-desktop ended.") }
      reader.append(bytes.prefix(count))
      while var frame = try? reader.next() {
        switch (try? frame.text(), try? frame.text()) {
        case ("server", "present"): return .present
        case ("server", _): return .absent
        case ("problem", let why): return .unknown(why ?? "")
        default: break
        }
      }
    }
    return .unknown("continuo-desktop did not answer in time.")
  }
}
