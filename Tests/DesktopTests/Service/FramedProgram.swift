// SPDX-License-Identifier: MIT

import ActivityWire
import CDesktopGLib
import Glibc
import TestSupport

@testable import continuo_desktop

/// A program with frames on its standard input and output, and its errors kept; killed with the value.
final class FramedProgram {
  private let process: pid_t
  private var input: Int32 = -1
  private let output: Int32
  private let errors: Int32
  private var reader = DesktopFrameReader()
  private var hasEnded = false

  /// How long anything may take on a busy machine.
  static let patience: Int32 = 15

  /// - Parameter environment: `NAME=VALUE`, all that it gets.
  init(_ arguments: [String], environment: [String]) throws {
    var ends: (Int32, Int32, Int32) = (-1, -1, -1)
    var error: UnsafeMutablePointer<GError>?
    var process: pid_t = 0
    let isStarted = Self.withPointers(arguments) { arguments in
      Self.withPointers(environment) { environment in
        g_spawn_async_with_pipes(
          "/", arguments, environment, G_SPAWN_DO_NOT_REAP_CHILD, nil, nil, &process, &ends.0, &ends.1,
          &ends.2, &error)
      }
    }
    (input, output, errors) = ends
    self.process = process
    guard isStarted != 0 else {
      let reason = error?.pointee.message.map { String(cString: $0) } ?? ""
      g_clear_error(&error)
      throw Scratch.Failure(description: reason)
    }
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(input)
    close(output)
    close(errors)
  }

  var id: pid_t { process }

  // MARK: Frames

  func send(_ fields: String...) throws { try send([fields]) }

  /// Several frames in one piece.
  func send(_ frames: [[String]]) throws { try send(bytes: frames.flatMap { DesktopFrame.bytes(of: $0) }) }

  func send(bytes: [UInt8]) throws {
    guard write(input, bytes, bytes.count) == bytes.count else {
      throw Scratch.Failure(description: "cannot write: \(errno)")
    }
  }

  /// The fields of the next frame.
  func next() throws -> [String] {
    while true {
      if var frame = try reader.next() {
        var fields: [String] = []
        while !frame.rest.isEmpty { fields.append(try frame.text()) }
        return fields
      }
      guard let piece = read(output) else { throw Scratch.Failure(description: "no frame came in time") }
      guard !piece.isEmpty else { throw Scratch.Failure(description: "it ended: \(errorText())") }
      reader.append(piece)
    }
  }

  /// The next frame with that first field; those before it are passed over.
  func next(_ word: String) throws -> [String] {
    while true {
      let fields = try next()
      if fields.first == word { return fields }
    }
  }

  /// A line, for programs that write lines.
  func line() throws -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      guard let piece = read(output), !piece.isEmpty else {
        throw Scratch.Failure(description: "no line came: \(errorText())")
      }
      line += piece
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// What there is, empty at its end; nil when nothing comes in time.
  private func read(_ descriptor: Int32) -> [UInt8]? {
    var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, Self.patience * 1000) > 0 else { return nil }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &piece, piece.count)
    return Array(piece.prefix(max(0, count)))
  }

  // MARK: The end

  func closeInput() {
    close(input)
    input = -1
  }

  /// The status that it exits with by itself.
  func exitStatus() throws -> Int32 {
    guard let tail = read(output) else { throw Scratch.Failure(description: "it does not end") }
    guard tail.isEmpty else { return try exitStatus() }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    hasEnded = true
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  func errorText() -> String { read(errors).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
