// SPDX-License-Identifier: MIT

import LinuxSystem

/// A tmux server of our own, spoken to in control mode: commands go down one pipe, and what each program
/// writes comes up another as it is written, so that nothing is polled and no client is started for a key.
@MainActor final class TmuxServer {
  private let client: ChildProcess
  private var pending: [UInt8] = []
  private var repliesSeen = 0
  /// The one that started the session is answered too.
  private var commandsSent = 1
  private var reply: [String] = []
  private var isInReply = false
  private var outputs: [String: TerminalOutput] = [:]
  private var started: [Int32] = []

  /// A terminal on this server.
  struct Pane: Hashable {
    let id: String
    let process: Int32
  }

  static let columns = 80
  static let rows = 24

  /// Starts the server; its socket lies in `directory`, and it ends when this object does.
  init(in directory: String, environment: [String: String]) throws {
    let settings = directory + "/tmux.conf"
    try Files.write(
      """
      set -g default-terminal screen-256color
      set -g default-size \(Self.columns)x\(Self.rows)
      set -g status off
      set -sg escape-time 0

      """, to: settings)
    client = try ChildProcess(
      ["tmux", "-u", "-L", "bench", "-f", settings, "-C", "new-session", "cat"],
      environment: environment.merging(["TMUX_TMPDIR": directory]) { $1 })
    try post("refresh-client -C \(Self.columns),\(Self.rows)")
    // Also when this program is killed, the server ends; in the settings tmux 3.3 would take it for now.
    try post("set -g destroy-unattached on")
    try waitForReplies()
  }

  /// Hangs up all terminals, and waits for the ends of their programs: an editor that still ran would start
  /// another agent when its own is stopped.
  func stop() {
    let ends = started.compactMap { try? OtherProcess.endDescriptor(of: $0) }
    defer { for end in ends { Poll.wait(for: end.number, until: .readable, atMost: .seconds(10)) } }
    _ = try? post("kill-server")
    while (try? takeOutput(for: 5000)) == true {}
    client.waitForEnd()
  }

  // MARK: Terminals

  /// Starts a program on a terminal of its own. Gives it, and the moment before tmux was asked.
  func start(_ command: [String]) throws -> (Pane, UInt64) {
    let quoted = command.map { "'\($0)'" }.joined(separator: " ")
    let start = try post("new-window -d -P -F '#{pane_id} #{pane_pid}' \(quoted)")
    let words = try waitForReplies().last?.split(separator: " ") ?? []
    guard words.count == 2, let process = Int32(words[1]) else {
      throw Failure("tmux does not start \(command.joined(separator: " ")): \(reply)")
    }
    started.append(process)
    return (Pane(id: String(words[0]), process: process), start)
  }

  /// Sends keys, by tmux's names. Gives the moment before.
  @discardableResult
  func press(_ keys: String, on pane: Pane) throws -> UInt64 {
    try post("send-keys -t \(pane.id) '\(keys)'")
  }

  /// Hangs one terminal up.
  func close(_ pane: Pane) throws { try post("kill-pane -t \(pane.id)") }

  /// What was written since the last `forget` no longer counts.
  func forget(_ pane: Pane) { outputs[pane.id] = nil }

  /// The moment at which the output arrived that shows `text`.
  func waitToShow(_ text: String, on pane: Pane, within seconds: Int = 60) throws -> UInt64 {
    let deadline = now() + UInt64(seconds) * 1_000_000_000
    while true {
      if let output = outputs[pane.id], output.shows(text) { return output.arrivedAt }
      guard now() < deadline, try takeOutput(for: 1000) || now() < deadline else {
        throw Failure("\(text) was not shown within \(seconds) s")
      }
    }
  }

  /// Waits until `text` stands on the screen. It looks now and then, so nothing is timed by it; but it sees
  /// also what was not written in one go.
  func waitForScreen(_ text: String, on pane: Pane, within seconds: Int = 60) throws {
    let deadline = now() + UInt64(seconds) * 1_000_000_000
    while now() < deadline {
      try post("capture-pane -p -t \(pane.id)")
      if try waitForReplies().contains(where: { $0.contains(text) }) { return }
      try takeAll(for: 20)
    }
    throw Failure("\(text) was not on the screen within \(seconds) s")
  }

  /// Takes in what is written until `milliseconds` have passed.
  func takeAll(for milliseconds: Int) throws {
    let end = now() + UInt64(milliseconds) * 1_000_000
    while true {
      let moment = now()
      guard moment < end else { return }
      try takeOutput(for: Int32((end - moment) / 1_000_000) + 1)
    }
  }

  // MARK: The two pipes

  /// Sends a command without waiting for its reply. Gives the moment before.
  @discardableResult
  private func post(_ command: String) throws -> UInt64 {
    let line = Array("\(command)\n".utf8)
    commandsSent += 1
    let start = now()
    do throws(Errno) { try BorrowedDescriptor(client.input).writeAll(line) } catch {
      throw Failure("tmux: \(error.text)")
    }
    return start
  }

  /// Waits for all replies that are due; gives the last one.
  @discardableResult
  private func waitForReplies() throws -> [String] {
    let deadline = now() + 30_000_000_000
    while repliesSeen < commandsSent {
      guard now() < deadline else { throw Failure("tmux does not answer") }
      try takeOutput(for: 1000)
    }
    return reply
  }

  /// Waits for something from the server and takes it in; false when nothing came.
  @discardableResult
  private func takeOutput(for milliseconds: Int32) throws -> Bool {
    guard Poll.wait(for: client.output, until: .readable, atMost: .milliseconds(milliseconds)) else {
      return false
    }
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = (try? BorrowedDescriptor(client.output).read(into: &chunk)) ?? 0
    let arrived = now()
    guard count > 0 else { throw Failure("tmux has ended") }
    pending += chunk.prefix(count)
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      receive(pending[..<end], at: arrived)
      pending.removeSubrange(...end)
    }
    return true
  }

  private func receive(_ line: ArraySlice<UInt8>, at arrived: UInt64) {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    let kind = String(decoding: words[0], as: UTF8.self)
    switch kind {
    case "%begin":
      reply = []
      isInReply = true
    case "%end", "%error":
      isInReply = false
      repliesSeen += 1
    case "%output" where words.count == 3:
      let pane = String(decoding: words[1], as: UTF8.self)
      outputs[pane, default: TerminalOutput()].append(escaped: words[2], at: arrived)
    default: if isInReply { reply.append(String(decoding: line, as: UTF8.self)) }
    }
  }
}
