// SPDX-License-Identifier: MIT

import CDesktopGLib
import CLinux
import Glibc
import LinuxSystem

/// What this very process says of itself.
enum OwnProcess {
  static func complain(_ sentence: String) {
    try? BorrowedDescriptor.standardError.writeAll(Array("continuo-desktop: \(sentence)\n".utf8))
  }
}

/// A program of which nothing is known but its arguments.
enum ProgramStart {
  /// In a session of its own, with nothing of ours but the environment given; its process ID.
  static func run(_ arguments: [[UInt8]], _ environment: Variables) throws(DesktopFault) -> pid_t {
    guard let program = arguments.first, !program.isEmpty else {
      throw DesktopFault(sentence: "No program was named.")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    continuo_spawn_close_from(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Self.newSession)
    var process: pid_t = 0
    let code = withPointers(arguments) { arguments in
      withPointers(environment.map { $0.key + [UInt8(ascii: "=")] + $0.value }) { environment in
        withText(program) { posix_spawnp(&process, $0, &actions, &attributes, arguments, environment) }
      }
    }
    guard code == 0 else {
      throw DesktopFault(
        sentence: "\(String(decoding: program, as: UTF8.self)) cannot be started:"
          + " \(String(cString: strerror(code))).")
    }
    reap(process)
    return process
  }

  /// `POSIX_SPAWN_SETSID`, which the C library shows to its own extensions alone.
  private static let newSession: Int16 = 0x80

  /// Takes what is left of it when it ends.
  static func reap(_ process: pid_t) {
    g_child_watch_add_full(
      G_PRIORITY_DEFAULT, process, { process, _, _ in g_spawn_close_pid(process) }, nil, nil)
  }

  /// What GLib runs in the new process, before its program.
  static let prepare: GSpawnChildSetupFunc = { _ in
    setsid()
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    for number in 1..<Int32(65) { signal(number, SIG_DFL) }
  }

  /// `/dev/null` for three streams, until it is let go.
  final class Nothing {
    let descriptors = (0..<3).map { _ in open("/dev/null", O_RDWR | O_CLOEXEC) }

    deinit { for descriptor in descriptors { close(descriptor) } }
  }

  private static func withPointers(
    _ texts: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { withText($0) { strdup($0) } } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
  }
}
