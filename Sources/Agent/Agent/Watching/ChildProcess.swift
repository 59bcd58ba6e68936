// SPDX-License-Identifier: MIT

import ActivityModel
import CLinux
import Dispatch
import Glibc

/// A program run with pipes on its standard input and output. Owned by one thread.
final class ChildProcess {
  let process: pid_t
  /// Writes to the child's standard input; non-blocking.
  let input: Int32
  /// Reads the child's standard output; non-blocking.
  let output: Int32
  private var isReaped = false

  init(program: String, arguments: [String] = []) throws(ContinuityError) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard continuo_pipe(&toChild, 0) == 0, continuo_pipe(&fromChild, 0) == 0 else {
      for end in toChild + fromChild where end >= 0 { close(end) }
      throw ContinuityError(
        .agentUnavailable, subject: program, "No pipe can be made: too many files are open.")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
    _ = continuo_spawn_close_from(&actions, 3)
    var spawned: pid_t = 0
    let failure = Self.withArguments([program] + arguments) {
      posix_spawn(&spawned, program, &actions, nil, $0, environ)
    }
    close(toChild[0])
    close(fromChild[1])
    guard failure == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw ContinuityError(
        .agentUnavailable, subject: program,
        "\(program) cannot be started (\(String(cString: strerror(failure)))): install continuo again.")
    }
    process = spawned
    input = toChild[1]
    output = fromChild[0]
    for end in [input, output] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  /// The child keeps nothing that could be lost, and may be stopped or stuck: it is killed, not asked.
  deinit {
    close(input)
    close(output)
    guard !isReaped else { return }
    kill(process, SIGKILL)
    // One that waits for a file system that does not answer ends when that does: not before the caller's
    // eyes.
    if waitpid(process, nil, WNOHANG) == 0 { Self.takeLater(process) }
  }

  private static func takeLater(_ process: pid_t) {
    DispatchQueue.global(qos: .utility).async { waitpid(process, nil, 0) }
  }

  /// Kills the child, if it has not ended, and takes its exit status. How it ended, for the log.
  func reap() -> String {
    var status: Int32 = 0
    kill(process, SIGKILL)
    var taken: pid_t = -1
    repeat { taken = waitpid(process, &status, 0) } while taken < 0 && errno == EINTR
    guard taken == process else { return "unknown" }
    isReaped = true
    let signal = status & 0x7f
    return signal == 0 ? "exit code \((status >> 8) & 0xff)" : "signal \(signal)"
  }

  private static func withArguments(
    _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
