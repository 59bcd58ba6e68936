// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// A program with pipes to its standard input and output; its errors go where ours go.
@MainActor final class ChildProcess {
  let input: Int32
  let output: Int32
  /// Its number.
  let process: pid_t
  private var hasEnded = false

  init(_ command: [String], environment: [String: String]) throws {
    var (down, up): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard continuo_pipe(&down, 0) == 0, continuo_pipe(&up, 0) == 0 else { throw Failure.system("a pipe") }
    defer { [down[0], up[1]].forEach { _ = close($0) } }
    (input, output) = (down[1], up[0])
    process = try Self.spawn(command, environment, input: down[0], output: up[1])
  }

  isolated deinit {
    end()
    close(input)
    close(output)
  }

  /// Asks it to end, and waits for that.
  func end() {
    guard !hasEnded else { return }
    kill(process, SIGTERM)
    waitForEnd()
  }

  /// Waits for its end, which is to come by itself.
  func waitForEnd() {
    guard !hasEnded else { return }
    hasEnded = true
    waitpid(process, nil, 0)
  }

  /// Runs a program to its end and gives what it printed.
  static func run(_ command: [String], environment: [String: String]) throws -> String {
    let child = try ChildProcess(command, environment: environment)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(child.output, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    child.waitForEnd()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// With no signal blocked: threads of libdispatch block all of them, and a child would inherit that.
  private static func spawn(
    _ command: [String], _ environment: [String: String], input: Int32, output: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process: pid_t = 0
    let result = posix_spawnp(&process, command[0], &actions, &attributes, &argv, &envp)
    guard result == 0 else {
      throw Failure("\(command[0]) does not start: \(String(cString: strerror(result)))")
    }
    return process
  }
}
