// SPDX-License-Identifier: MIT

import LinuxSystem

/// A program with pipes to its standard input and output; its errors go where ours go.
@MainActor final class ChildProcess {
  private let child: LinuxSystem.ChildProcess
  private let inputEnd: Descriptor
  private let outputEnd: Descriptor

  init(_ command: [String], environment: [String: String]) throws {
    var start = LinuxSystem.ChildProcess.Start(
      command[0], arguments: Array(command.dropFirst()), environment: environment)
    do throws(Errno) {
      let (down, up) = (try Pipe.make(), try Pipe.make())
      start.standard = [down.read.number, up.write.number, nil]
      child = try LinuxSystem.ChildProcess(start)
      withExtendedLifetime((down.read, up.write)) {}
      (inputEnd, outputEnd) = (down.write, up.read)
    } catch {
      throw Failure("\(command[0]) does not start: \(error.text)")
    }
  }

  isolated deinit { kill() }

  /// What goes to its standard input.
  var input: Int32 { inputEnd.number }
  /// What comes from its standard output.
  var output: Int32 { outputEnd.number }
  /// Its number.
  var process: Int32 { child.process }

  /// Asks it to end, and waits for that.
  func kill() {
    child.signal(.terminate)
    child.wait()
  }

  /// Waits for its end, which is to come by itself.
  func waitForEnd() { child.wait() }

  /// Runs a program to its end and gives what it printed.
  static func run(_ command: [String], environment: [String: String]) throws -> String {
    let child = try ChildProcess(command, environment: environment)
    let bytes = (try? child.outputEnd.readToEnd()) ?? []
    child.waitForEnd()
    return String(decoding: bytes, as: UTF8.self)
  }
}
