// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine

/// Readings beside the loop, which take time on a slow disk, or one that has other work.
final class SimulatedReaders: Readers {
  private let process: AgentProcess

  init(_ process: AgentProcess) { self.process = process }

  var limit: Int { 1 + process.device.number % 2 }

  func start(
    _ reading: FolderReading, done: @escaping (FolderReading.Answer) -> Void
  ) -> (any RunningReading)? {
    guard process.isAlive else { return nil }
    let running = SimulatedReading(reading, process, done)
    running.resume()
    return running
  }
}

/// One reading: it looks at its end, and finds out then whether the file changed meanwhile.
private final class SimulatedReading: RunningReading, ReadingControl {
  private let reading: FolderReading
  private let process: AgentProcess
  private var done: ((FolderReading.Answer) -> Void)?
  private let beginning: ReadingBeginning?
  private let duration: UInt64
  /// How much of that is left, and since when it goes on; nil while it is paused.
  private var left: UInt64
  private var since: UInt64?
  private var isStopped = false
  /// Counts pauses; what was to happen before one is void.
  private var turns = 0

  init(_ reading: FolderReading, _ process: AgentProcess, _ done: @escaping (FolderReading.Answer) -> Void) {
    self.reading = reading
    self.process = process
    self.done = done
    let world = process.world
    if case .inFolder(.hash(let path, let file), _) = reading.work {
      beginning = (reading.folder as? SimulatedFolder)?.beginning(of: path, file)
      duration = reading.size * 10 + world.random.between(.zero, .seconds(world.random.chance(50) ? 5 : 1))
    } else if case .inFolder(.lay, _) = reading.work {
      beginning = nil
      duration = reading.size * 10 + world.random.between(.zero, .milliseconds(50))
    } else {
      beginning = nil
      duration = world.random.between(.zero, .milliseconds(5))
    }
    left = duration
  }

  var bytes: UInt64 {
    let elapsed = since.map { process.world.time - $0 } ?? 0
    let gone = duration - left + min(elapsed, left)
    return duration == 0 ? reading.size : UInt64(Double(reading.size) * Double(gone) / Double(duration))
  }

  func mayGoOn() -> Bool { !isStopped }
  func report(_ bytes: UInt64) {}

  func pause() {
    guard let since else { return }
    left -= min(left, process.world.time - since)
    self.since = nil
    turns += 1
  }

  func resume() {
    guard since == nil else { return }
    since = process.world.time
    finish(after: left)
  }

  func stop() {
    isStopped = true
    turns += 1
    finish(after: 0)
  }

  private func finish(after delay: UInt64) {
    let turn = turns
    process.world.schedule(.hash, process.device.number, after: delay) { [self] in
      guard process.isAlive, turns == turn, let done else { return }
      self.done = nil
      let folder = reading.folder as? SimulatedFolder
      folder?.begun = beginning
      defer { folder?.begun = nil }
      done(reading.perform(self))
    }
  }
}
