// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Foundation
import Glibc

/// The built program, spoken to over two pipes as the agent does. Every wait has a deadline that names the
/// last hint.
final class WatchProcess {
  struct Silence: Error, CustomStringConvertible {
    let description: String
  }

  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var reader = FrameBuffer()
  private var waiting: [FolderHint] = []
  private var nextWaiting = 0
  private var last: FolderHint?
  private var cookies: UInt8 = 0

  static var executable: URL {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let beside = URL(filePath: own).deletingLastPathComponent().appending(path: "continuo-watch")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return WatchScriptTests.directory.appending(path: "../../.build/debug/continuo-watch").standardizedFileURL
  }

  /// `under` is a command that runs the program, such as `unshare -r`.
  init(
    _ arguments: [String] = [], under command: [String] = [], environment: [String: String]? = nil
  ) throws {
    process.executableURL = command.isEmpty ? Self.executable : URL(filePath: "/usr/bin/env")
    process.arguments = command.isEmpty ? arguments : command + [Self.executable.path] + arguments
    if let environment { process.environment = environment }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func send(_ command: WatchCommand) throws { try send(command.frame) }

  func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  func closeOutput() throws { try output.fileHandleForReading.close() }

  /// Follows `folder` and returns when it is watched.
  @discardableResult
  func watch(_ folder: TemporaryFolder, as root: UInt64 = 0) throws -> [FolderHint] {
    try send(.watch(RootNumber(rawValue: root), path: folder.bytes))
    return try hints { if case .watching = $0 { true } else { false } }
  }

  /// All hints until each of these files was told of, by name or as part of what is to be looked at.
  func hints(covering paths: Set<[[UInt8]]>) throws -> [FolderHint] {
    var missing = paths
    return try hints { hint in
      switch hint {
      case .changed(_, let path, _): missing.remove(path)
      case .moved(_, _, let path, _): missing.remove(path)
      case .rescan(_, let path): missing = missing.filter { !$0.starts(with: path) }
      default: break
      }
      return missing.isEmpty
    }
  }

  /// All hints up to and with the first that matches.
  func hints(until matches: (FolderHint) -> Bool) throws -> [FolderHint] {
    var found: [FolderHint] = []
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      while nextWaiting < waiting.count {
        let hint = waiting[nextWaiting]
        nextWaiting += 1
        last = hint
        found.append(hint)
        if matches(hint) { return found }
      }
      try readMore(deadline)
    }
  }

  /// Everything that was told of what happened up to now.
  func hintsUpToNow(_ folder: TemporaryFolder) throws -> [FolderHint] {
    cookies += 1
    let cookie = [cookies]
    let name = WatchCookie.name(for: cookie)
    try folder.write([name])
    let found = try hints { if case .synchronized(_, cookie) = $0 { true } else { false } }
    folder.remove([name])
    return found
  }

  /// Exit code and what was said on standard error, when the program has ended.
  func waitForEnd() throws -> (code: Int32, complaint: String) {
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: complaint, as: UTF8.self))
  }

  private func readMore(_ deadline: ContinuousClock.Instant) throws {
    let left = (deadline - .now).nanoseconds / 1_000_000
    var polled = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard left > 0, poll(&polled, 1, Int32(clamping: left)) > 0 else {
      throw Silence(description: "nothing came after \(String(describing: last))")
    }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(polled.fd, &bytes, bytes.count)
    guard count > 0 else { throw Silence(description: "it ended after \(String(describing: last))") }
    reader.append(bytes[..<count])
    waiting.removeFirst(nextWaiting)
    nextWaiting = 0
    while let content = try reader.next() { waiting.append(try FolderHint(content: content)) }
  }
}

/// A folder of raw names, removed with everything in it at the end.
final class TemporaryFolder {
  let path: String

  init(in place: String = NSTemporaryDirectory()) throws {
    path = place + "watching-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    let removal = Process()
    removal.executableURL = URL(filePath: "/bin/rm")
    removal.arguments = ["-rf", path]
    if (try? removal.start()) != nil { removal.waitUntilExit() }
  }

  var bytes: [UInt8] { Array(path.utf8) }

  struct Failed: Error {
    let call: String
    let reason: String
    init(_ call: String) {
      self.call = call
      reason = String(cString: strerror(errno))
    }
  }

  func make(_ names: [[UInt8]]) throws {
    guard mkdir(text(names), 0o700) == 0 else { throw Failed("mkdir") }
  }

  func write(_ names: [[UInt8]]) throws {
    try Process.notStarting {
      let file = open(text(names), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw Failed("open") }
      Glibc.write(file, "x", 1)
      close(file)
    }
  }

  func touch(_ names: [[UInt8]]) throws {
    guard utimensat(AT_FDCWD, text(names), nil, 0) == 0 else { throw Failed("utimensat") }
  }

  func move(_ from: [[UInt8]], _ to: [[UInt8]]) throws {
    guard rename(text(from), text(to)) == 0 else { throw Failed("rename") }
  }

  func remove(_ names: [[UInt8]]) { _ = Glibc.remove(text(names)) }

  func text(_ names: [[UInt8]]) -> [CChar] {
    ([bytes] + names).joined(separator: [UInt8(ascii: "/")]).map { CChar(bitPattern: $0) } + [0]
  }
}

extension String {
  /// The names of a path.
  var names: [[UInt8]] { split(separator: "/").map { Array($0.utf8) } }
}
