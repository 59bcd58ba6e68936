// SPDX-License-Identifier: MIT

import Foundation
import LinuxSystem

/// watchman with a subscription over its socket, with its own settings: it tells when a folder was quiet for
/// 20 ms.
@MainActor final class WatchmanWatcher: Watcher {
  let readyAfter: UInt64
  private let child: ChildProcess
  private let home: String
  private let socket: Descriptor
  private let arrivals: Arrivals

  var process: Int32 { child.process }

  init(_ folder: String) throws {
    let program = try Programs.peer("watchman", package: "watchman")
    let home = try Files.makeTemporaryDirectory()
    self.home = home
    let files = ["sockname", "logfile", "pidfile", "statefile"].flatMap { ["--\($0)", "\(home)/\($0)"] }
    child = try ChildProcess(
      [program, "--foreground", "--no-save-state"] + files,
      environment: Programs.environment.merging(["HOME": home, "USER": "bench"]) { $1 })
    do {
      socket = try Self.connect(to: "\(home)/sockname")
      arrivals = Arrivals(socket.number)
    } catch {
      child.kill()
      Files.remove(home)
      throw error
    }
    let start = now()
    do {
      _ = try Self.ask(["watch", folder], socket, arrivals)
      let nothing: [String: Any] = ["expression": ["name", "nothing"], "fields": ["name"]]
      let answer = try Self.ask(["query", folder, nothing], socket, arrivals)
      readyAfter = now() - start
      let wanted: [String: Any] = [
        "fields": ["name"], "expression": ["type", "f"], "since": answer["clock"] ?? "",
      ]
      _ = try Self.ask(["subscribe", folder, "bench", wanted], socket, arrivals)
    } catch {
      UnixSocket.shutDown(socket)
      child.kill()
      Files.remove(home)
      throw error
    }
  }

  func sightings() throws -> [Int: UInt64] {
    try arrivals.read(until: Array("\"end\"".utf8), "the last file")
    while arrivals.bytes.last != UInt8(ascii: "\n") { try arrivals.read("the last file") }
    var seen: [Int: UInt64] = [:]
    for (text, moment) in arrivals.lines() {
      let told = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      for path in told?["files"] as? [String] ?? [] {
        let name = path.split(separator: "/").last ?? ""
        if let file = Self.number(of: name) { seen[file] = seen[file] ?? moment }
      }
    }
    arrivals.forget()
    return seen
  }

  func stop() {
    UnixSocket.shutDown(socket)
    child.kill()
    Files.remove(home)
  }

  private static func connect(to path: String) throws -> Descriptor {
    let deadline = now() + 30_000_000_000
    while now() < deadline {
      let socket = try UnixSocket.make()
      if (try? UnixSocket.connect(socket, to: path)) != nil { return socket }
      // There is nothing to wait for: the server tells nobody that it listens.
      pass(milliseconds: 20)
    }
    throw Failure("watchman did not start")
  }

  private static func ask(
    _ request: [Any], _ socket: Descriptor, _ arrivals: Arrivals
  ) throws -> [String: Any] {
    let line = try JSONSerialization.data(withJSONObject: request) + Data([UInt8(ascii: "\n")])
    do throws(Errno) {
      try socket.writeAll(Array(line))
    } catch {
      throw Failure("watchman: \(error.text)")
    }
    arrivals.forget()
    try arrivals.read(until: [UInt8(ascii: "\n")], "watchman's answer")
    let text = arrivals.lines().first.map { Data($0.text.utf8) } ?? Data()
    let answer = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    arrivals.forget()
    if let problem = answer["error"] { throw Failure("\(problem)") }
    return answer
  }
}
