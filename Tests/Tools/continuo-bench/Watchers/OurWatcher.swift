// SPDX-License-Identifier: MIT

import LinuxSystem
import ActivityModel
import ActivityWire

/// The watch process as the agent runs it: commands down a pipe, hints up another.
@MainActor final class OurWatcher: Watcher {
  private(set) var readyAfter: UInt64 = 0
  private let child: ChildProcess
  private let arrivals: Arrivals

  var process: Int32 { child.process }

  /// Starts the program without a folder.
  init() throws {
    child = try ChildProcess([try Programs.own("continuo-watch")], environment: Programs.environment)
    arrivals = Arrivals(child.output)
  }

  convenience init(_ folder: String) throws {
    try self.init()
    try watch(folder)
  }

  /// Returns when everything below is watched.
  func watch(_ folder: String) throws {
    arrivals.forget()
    let frame = WatchCommand.watch(RootNumber(rawValue: 1), path: Array(folder.utf8)).frame
    let start = now()
    do throws(Errno) { try BorrowedDescriptor(child.input).writeAll(frame) } catch {
      throw Failure("continuo-watch: \(error.text)")
    }
    while true {
      guard try arrivals.read("watching \(folder)") else { throw Failure("continuo-watch ended") }
      for (hint, moment) in try hints() {
        if case .watching = hint {
          readyAfter = moment - start
          return arrivals.forget()
        }
        if case .rootLost(_, let reason) = hint { throw Failure(reason) }
        if case .watchLimit(_, _, let limit) = hint {
          throw Failure("the kernel allows only \(limit) watches: raise fs.inotify.max_user_watches")
        }
      }
    }
  }

  func sightings() throws -> [Int: UInt64] {
    try arrivals.read(until: Self.endWasWritten, "the last file")
    var seen: [Int: UInt64] = [:]
    for (hint, moment) in try hints() {
      guard case .changed(_, let path, .written) = hint, let name = path.last else { continue }
      if let file = Self.number(of: String(decoding: name, as: UTF8.self)) { seen[file] = moment }
    }
    arrivals.forget()
    return seen
  }

  /// Waits for the hint that events were lost.
  func waitForRescan() throws {
    let frame = FolderHint.rescan(RootNumber(rawValue: 1), path: []).frame
    try arrivals.read(until: frame, "that events were lost")
    arrivals.forget()
  }

  func stop() { child.kill() }

  private static var endWasWritten: [UInt8] {
    Array(
      FolderHint.changed(RootNumber(rawValue: 1), path: [Array("end".utf8)], change: .written).frame
        .dropFirst(4))
  }

  private func hints() throws -> [(hint: FolderHint, at: UInt64)] {
    var frames = FrameBuffer()
    frames.append(arrivals.bytes)
    var found: [(FolderHint, UInt64)] = []
    var end = 0
    while let content = try frames.next() {
      end += 4 + content.count
      found.append((try FolderHint(content: content), arrivals.moment(of: end)))
    }
    return found
  }
}
