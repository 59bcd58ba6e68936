// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import Glibc

/// Plays a `ScreenScript`: a tmux server of its own, the real program on its terminal, and a scripted agent.
final class ScreenPlayer {
  private let script: ScreenScript
  private let home: String
  private let agent: ScriptedAgent
  private var variables = ["TERM": "screen-256color", "LANG": "C.UTF-8", "TZ": "UTC"]
  private var output: Int32 = -1
  private var size = "60x12"
  private var isOtherUser = false
  private var isMounted = false
  /// What the terminal shows, as of the last look.
  private(set) var shown: [String] = []
  /// The same with colours, as of the last look at those.
  private var styledRows: [String] = []

  /// The same in each run, so that paths on screens are.
  private var notes: String { home + "/notes" }

  init(_ script: ScreenScript) throws {
    self.script = script
    home = FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: home + "/notes", withIntermediateDirectories: true)
    agent = try ScriptedAgent(environment: ["HOME": home], folder: home + "/notes")
  }

  /// Ends the server and what runs on it, and removes the files.
  func stop() {
    _ = try? tmux("kill-server")
    agent.waitForTheAppsEnd()
    if isMounted { _ = try? Self.run("umount", ["-l", notes]) }
    if output >= 0 { close(output) }
    try? FileManager.default.removeItem(atPath: home)
  }

  func play() throws {
    for step in script.steps { try play(step) }
  }

  private func play(_ step: ScreenScript.Step) throws {
    switch step.verb {
    case "size": size = step.words
    case "environment":
      let parts = step.words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    case "file": try write(step)
    case "other user": isOtherUser = true
    case "small disk":
      try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(step.words)", "none", notes])
      isMounted = true
    case "open":
      try open(step.words)
      // Keys that come before the program has set the terminal up would mean something else.
      try wait(step) { [self] in shown.dropLast().contains { !$0.isEmpty } }
    case "press": try press(step)
    case "terminate":
      let shell = try tmux("display-message", "-p", "-t", "edit", "#{pane_pid}")
      try Self.run("pkill", ["-TERM", "-P", shell.trimmingCharacters(in: .newlines)])
    case "paste":
      try tmux("set-buffer", "-b", "pasted", KeyNames.unescaped(step.words))
      try tmux("paste-buffer", "-p", "-b", "pasted", "-t", "edit")
    case "send": try tmux("send-keys", "-t", "edit", "-l", KeyNames.unescaped(step.words))
    case "resize":
      let parts = step.words.split(separator: "x").map(String.init)
      try tmux("resize-window", "-t", "edit", "-x", parts[0], "-y", parts[1])
    case "see": try wait(step) { [self] in shown.contains { $0.contains(step.words) } }
    case "screen": try wait(step) { [self] in shown == step.block }
    case "styled": try wait(step) { [self] in try isStyled(step.words) }
    case "colours": try wait(step) { [self] in try colours() == step.block }
    default: try playForAgentAndFiles(step)
    }
  }

  private func playForAgentAndFiles(_ step: ScreenScript.Step) throws {
    let words = step.words.split(separator: " ", maxSplits: 2).map(String.init)
    switch step.verb {
    case "changed":
      try write(step)
      try wait(step) { [self] in agent.changed("\(notes)/\(step.words)") }
    case "deleted":
      unlink("\(notes)/\(step.words)")
      try wait(step) { [self] in agent.deleted("\(notes)/\(step.words)") }
    case "conflict":
      try wait(step) { [self] in agent.changed("\(notes)/\(words[0])", copies: ["\(notes)/\(words[1])"]) }
    case "synced": try wait(step) { [self] in agent.tellFolders(isSynced: step.words == "notes") }
    case "offer": try wait(step) { [self] in try agent.offer(step.words) }
    case "waiting", "diverged":
      let bytes = words[0].split(separator: "/").compactMap { UInt64($0) }
      let status = ArrivalStatus(
        step.verb == "waiting" ? .behind : .diverged, reason: words.dropFirst().joined(separator: " "),
        received: bytes[0], expected: bytes[1])
      try wait(step) { [agent] in agent.wait(status) }
    case "holds":
      let path = "\(notes)/\(step.words)"
      let expected = Data(try KeyNames.unescaped(step.text).utf8)
      try wait(step) { FileManager.default.contents(atPath: path) == expected }
    case "ended":
      try wait(step) { [self] in
        (try? String(contentsOfFile: home + "/ended", encoding: .utf8)) == step.words + "\n"
      }
    case "gone": try wait(step) { [self] in access("\(notes)/\(step.words)", F_OK) != 0 }
    default: throw EditingScript.Mistake(description: "\(step.place): unknown verb \(step.verb)")
    }
  }

  // MARK: Files

  /// A block is the text; without one the words behind the name say how it is made.
  private func write(_ step: ScreenScript.Step) throws {
    let words = step.words.split(separator: " ").map(String.init)
    let path = "\(notes)/\(words[0])"
    var data = Data(try KeyNames.unescaped(step.text).utf8)
    switch words.dropFirst().first {
    case "log": data = Self.repeated("Nov 21 02:10:11 desktop engine: picked up plan.md\n", words)
    case "line": data = Self.repeated("{\"key\": \"value\", \"other\": 12345}, ", words)
    case "binary": data = Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 3])
    default: break
    }
    let mode = words.contains("unreadable") ? 0o200 : words.contains("unwritable") ? 0o444 : 0o644
    guard FileManager.default.createFile(atPath: path + "~new", contents: data) else {
      throw EditingScript.Mistake(description: "\(step.place): \(path) cannot be written")
    }
    guard chmod(path + "~new", mode_t(mode)) == 0, rename(path + "~new", path) == 0 else {
      throw EditingScript.Mistake(description: "\(step.place): \(String(cString: strerror(errno)))")
    }
    guard words.count == 3, words[1] == "modified", let seconds = Int(words[2]) else { return }
    var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    utimes(path, &times)
  }

  private static func repeated(_ line: String, _ words: [String]) -> Data {
    let count = words.count > 2 ? Int(words[2]) ?? 0 : 0
    var data = Data(String(repeating: line, count: count / line.utf8.count + 1).utf8)
    data.removeLast(data.count - count)
    return data
  }

  // MARK: The terminal

  /// The shell waits for a line, so that no output is lost before it is followed, and for another one at the
  /// end, so that a sentence of the program's can be read.
  private func open(_ arguments: String) throws {
    let settings = "set -g status off\nset -sg escape-time 0\n"
    try settings.write(toFile: home + "/tmux.conf", atomically: true, encoding: .utf8)
    let parts = size.split(separator: "x").map(String.init)
    var environment = variables
    environment["HOME"] = home
    let values = environment.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }
    var user = ""
    if isOtherUser, getuid() == 0 {
      try Self.run("chown", ["-R", "65534:65534", home])
      user = "setpriv --reuid=65534 --regid=65534 --clear-groups "
    }
    let program = try Self.program()
    try tmux(
      "new-session", "-d", "-s", "edit", "-x", parts[0], "-y", parts[1],
      "cd '\(notes)'; read -r start; clear; env -i PATH=/usr/bin:/bin \(values.joined(separator: " ")) "
        + "\(user)'\(program)' \(arguments); echo $? > '\(home)/ended'; read -r end")
    guard mkfifo(home + "/output", 0o600) == 0 else {
      throw EditingScript.Mistake(description: "no fifo: \(String(cString: strerror(errno)))")
    }
    output = Glibc.open(home + "/output", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try tmux("pipe-pane", "-O", "-t", "edit", "cat > '\(home)/output'")
    try tmux("send-keys", "-t", "edit", "Enter")
  }

  /// `"text"` is typed as it stands; other words are tmux's names of keys. All go in one call: nothing that
  /// the editor does after a moment comes between them on a slow machine.
  private func press(_ step: ScreenScript.Step) throws {
    var calls: [[String]] = []
    for (index, part) in step.words.components(separatedBy: "\"").enumerated() where !part.isEmpty {
      if index % 2 == 1 {
        let text = try KeyNames.unescaped(part)
        // A semicolon at the end of a word would end the command.
        let word = text.hasSuffix(";") ? text.dropLast() + "\\;" : text
        calls.append(["send-keys", "-t", "edit", "-l", "--", word])
      } else {
        let keys = part.split(separator: " ").map(String.init)
        if !keys.isEmpty { calls.append(["send-keys", "-t", "edit"] + keys) }
      }
    }
    if !calls.isEmpty { try tmux(Array(calls.joined(separator: [";"]))) }
  }

  /// Looks until `isReached`, again whenever the program has written or the app has said something.
  private func wait(_ step: ScreenScript.Step, until isReached: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      agent.readable()
      try look()
      if try isReached() { return }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else {
        throw EditingScript.Mistake(
          description: "\(step.place): expected\n\(([step.words] + step.block).joined(separator: "\n"))\n"
            + "and the screen shows\n\((shown + styledRows).joined(separator: "\n"))")
      }
      var ready = [output, agent.listener, agent.connection].filter { $0 >= 0 }
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&ready, nfds_t(ready.count), 250)
    }
  }

  /// Takes in the output, then looks at the terminal as it is now.
  private func look() throws {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while output >= 0, read(output, &chunk, chunk.count) > 0 {}
    let rows = try tmux("capture-pane", "-p", "-t", "edit").components(separatedBy: "\n").dropLast()
    let cursor = try tmux(
      "display-message", "-p", "-t", "edit",
      "#{?cursor_flag,cursor #{cursor_y}#,#{cursor_x},no cursor}")
    shown = rows.map { $0.replacing(/[ ]+$/, with: "") } + [cursor.trimmingCharacters(in: .newlines)]
  }

  /// Whether a sequence of attributes (SGR) is on the screen; `none` is for no colour at all.
  private func isStyled(_ words: String) throws -> Bool {
    let styled = try tmux("capture-pane", "-p", "-e", "-t", "edit")
    if words == "none" {
      return styled.firstMatch(of: /\u{1B}\[([0-9]+;)*([34][0-8]|9[0-7]|10[0-7])[;m]/) == nil
    }
    return styled.contains("\u{1B}[\(words)")
  }

  /// The rows with their sequences of attributes, Escape as `␛`.
  private func colours() throws -> [String] {
    let rows = try tmux("capture-pane", "-p", "-e", "-t", "edit").components(separatedBy: "\n").dropLast()
    styledRows = rows.map { $0.replacing("\u{1B}", with: "␛").replacing(/[ ]+$/, with: "") }
    return styledRows
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    try Self.run("tmux", ["-u", "-S", home + "/tmux.sock", "-f", home + "/tmux.conf"] + arguments)
  }
}
