// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import ActivityWire
import LinuxSystem

/// Keeps one `continuo-watch` running and its folders watched. Its death means a restart and a scan of every
/// root, never a loss. Loop thread only.
final class WatchKeeper {
  private let loop: EventLoop
  private let onHint: (FolderHint) -> Void
  private var child: PipedProcess?
  private var frames = FrameBuffer()
  private var pending: [UInt8] = []
  private var roots: [RootNumber: [UInt8]] = [:]
  private var preferred: [RootNumber: Set<[[UInt8]]>] = [:]
  private var pace = RestartPace()
  private var restart: TimerNumber?
  private(set) var problem: String?

  init(loop: EventLoop, onHint: @escaping (FolderHint) -> Void) {
    self.loop = loop
    self.onHint = onHint
  }

  /// The child's process; zero while there is none.
  var process: UInt64 { child.map { UInt64($0.process) } ?? 0 }

  func watch(_ root: RootNumber, path: [UInt8]) {
    roots[root] = path
    if child == nil, restart == nil { start() } else { send(.watch(root, path: path)) }
  }

  /// Says which folders of the root matter, when that changed.
  func prefer(_ root: RootNumber, folders: Set<[[UInt8]]>) {
    guard preferred[root] ?? [] != folders else { return }
    preferred[root] = folders
    send(.prefer(root, paths: folders.map { $0 }))
  }

  /// No event comes from the root although something was changed there.
  func poll(_ root: RootNumber) { send(.poll(root)) }

  func unwatch(_ root: RootNumber) {
    roots[root] = nil
    preferred[root] = nil
    send(.unwatch(root))
  }

  /// Whether nothing is left to watch.
  var isIdle: Bool { roots.isEmpty }

  func stop() {
    loop.cancel(restart)
    forgetChild()
  }

  private func start() {
    restart = nil
    guard !roots.isEmpty else { return }
    pace.started(at: .now)
    do throws(ContinuityError) {
      guard let program = InstalledProgram.path(of: "continuo-watch") else {
        throw .missingProgram("continuo-watch", meanwhile: "folders are not watched")
      }
      let started = try PipedProcess(program: program)
      child = started
      frames = FrameBuffer()
      loop.watch(started.output.number) { [weak self] _ in self?.receive() }
      loop.watch(started.input.number, for: []) { [weak self] readiness in
        if readiness.contains(.hungUp) { return self?.lost() ?? () }
        if readiness.contains(.writable) { self?.flush() }
      }
      for (root, path) in roots.sorted(by: { $0.key < $1.key }) {
        send(.watch(root, path: path))
        if let folders = preferred[root] { send(.prefer(root, paths: folders.map { $0 })) }
      }
    } catch {
      problem = error.description
      AgentLog.record("the watch process cannot be started: code \(error.code)")
      scheduleRestart()
    }
  }

  private func receive() {
    guard let child else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    do throws(Errno) { count = try child.output.read(into: &chunk) } catch {
      if error == .wouldBlock { return }
    }
    guard count > 0 else { return lost() }
    frames.append(chunk.prefix(count))
    do throws(ContinuityError) {
      while let frame = try frames.next() { onHint(try FolderHint(content: frame)) }
    } catch {
      AgentLog.record("the watch process said what cannot be read: \(error)")
      lost()
    }
  }

  /// Everything below every root is suspect until it is watched again: `watching` follows the restart.
  private func lost() {
    guard let child else { return }
    AgentLog.record("the watch process \(child.process) ended (\(child.reap())); it is started again")
    forgetChild()
    scheduleRestart()
  }

  private func forgetChild() {
    guard let child else { return }
    loop.forget(child.output.number)
    loop.forget(child.input.number)
    pending = []
    self.child = nil
  }

  private func scheduleRestart() {
    let delay = pace.delay(endingAt: .now)
    if pace.failures >= 3 {
      problem = "continuo-watch keeps ending: run `continuo-watch --json FOLDER` to see why."
    }
    restart = loop.schedule(at: .now + delay) { [weak self] in self?.start() }
  }

  private func send(_ command: WatchCommand) {
    guard child != nil else { return }
    pending += command.frame
    flush()
  }

  private func flush() {
    guard let child, !pending.isEmpty else { return }
    pending.removeFirst((try? child.input.write(pending)) ?? 0)
    loop.setInterest(pending.isEmpty ? [] : .writable, of: child.input.number)
  }

  /// Called when the child tells that a root is watched in full: it runs well.
  func noteHealthy() { problem = nil }
}
