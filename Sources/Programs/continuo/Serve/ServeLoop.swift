// SPDX-License-Identifier: MIT

import ActivityModel
import EditorProtocol
import LinuxSystem

/// Waits for the editor, the agent and signals, and lets the desk do the rest. One thread.
final class ServeLoop {
  private let desk: StdioServer
  private let signals: SignalPipe
  private var output = EditorOutput()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(desk: StdioServer, signals: SignalPipe) {
    self.desk = desk
    self.signals = signals
  }

  /// Serves the editor that started this, in the language that `conversation` speaks, to the end.
  static func serve(_ conversation: any EditorConversation) throws {
    Signal.ignoreBrokenPipes()
    try Failure.told { () throws(ContinuityError) in
      let places = try AgentPlaces(environment: CurrentProcess.environment)
      let desk = StdioServer(places: places, conversation: conversation)
      let code = ServeLoop(desk: desk, signals: try SignalPipe.ofEnding()).run()
      if code != 0 { CurrentProcess.exit(code) }
    }
  }

  /// Returns the exit code when the editor is served.
  func run() -> Int32 {
    while true {
      collect()
      if let code = desk.exitCode {
        drain()
        return code
      }
      if output.count > EditorOutput.limit {
        Terminal.complain("The editor reads nothing: \(output.count) bytes wait. Start it again.")
        desk.handle(.ended)
        return 1
      }
      turn()
    }
  }

  private func turn() {
    let reads = output.count < EditorOutput.patience
    var entries = [
      Poll.Entry(reads ? 0 : -1), Poll.Entry(output.count > 0 ? 1 : -1, for: .writable),
      Poll.Entry(desk.descriptor), Poll.Entry(signals.descriptor),
    ]
    // An editor that reads nothing is read nothing for.
    if reads { entries += desk.streams.awaited }
    let due = desk.nextDeadline.map { max(.zero, $0 - Instant.now) }
    guard (try? Poll.waitOrFail(for: &entries, atMost: due)) != nil else { return }
    for _ in signals.read() { desk.endBySignal() }
    if !entries[1].ready.isEmpty, !output.write(to: 1) { return desk.handle(.ended) }
    if !entries[2].ready.isEmpty { desk.dispatch() }
    if entries.dropFirst(4).contains(where: { !$0.ready.isEmpty }) { desk.moveStreams() }
    if !entries[0].ready.isEmpty { read() }
    desk.tick()
  }

  private func read() {
    do throws(Errno) {
      let count = try BorrowedDescriptor.standardInput.read(into: &buffer)
      desk.handle(count > 0 ? .received(Array(buffer.prefix(count))) : .ended)
    } catch {
      if error != .wouldBlock { desk.handle(.ended) }
    }
  }

  private func collect() {
    for frame in desk.takeFrames() { output.append(frame) }
  }

  /// The last answers, as long as somebody reads them.
  private func drain() {
    let deadline = Instant.now + .seconds(1)
    while output.count > 0, Instant.now < deadline {
      guard Poll.wait(for: 1, until: .writable, atMost: .milliseconds(100)) else { continue }
      if !output.write(to: 1) { return }
    }
  }
}
