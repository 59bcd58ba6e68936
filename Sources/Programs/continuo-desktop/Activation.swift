// SPDX-License-Identifier: MIT

import CDesktopGLib
import LinuxSystem

/// `continuo-desktop activate`: the session's bus starts it for whoever asks for the agent's name. It has the
/// agent started as any command does, takes the name, which is the bus's sign that this is done, and ends.
///
/// See `docs/decisions/0045-desktop-service.md`.
enum Activation {
  static let name = "org.continuo.Agent"

  /// What the bus tells of itself to a program that it starts; the agent is not that program.
  private static let ofTheBus = ["DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE"]
  /// Whom the bus would start has 25 s, and the command gives up sooner.
  private static let patience: UInt32 = 20_000

  /// Returns the status to exit with: 0 when an agent runs.
  static func run() -> Int32 {
    guard startAgent() else { return 1 }
    let loop = g_main_loop_new(nil, 0)
    defer { g_main_loop_unref(loop) }
    let bus = SessionBus(address: SessionBus.address(LaunchEnvironment.ofThisProcess()))
    bus.onConnect = { [weak bus] in
      bus?.call(.takeName(name)) { _ in
        // What was sent to the name while it was this process's lies before the answer to this, and was
        // answered by GLib's own thread; whoever sends later has another process started.
        bus?.call(.giveBackName(name)) { _ in g_main_loop_quit(loop) }
      }
    }
    let timer = LoopTimer(milliseconds: patience) { g_main_loop_quit(loop) }
    bus.connect()
    g_main_loop_run(loop)
    withExtendedLifetime((bus, timer)) { bus.flush() }
    return 0
  }

  /// Any command does: it says on standard error why no agent runs.
  static func startAgent() -> Bool {
    guard let program = InstalledProgram.path(of: "continuo") else {
      OwnProcess.complain("The program `continuo` was found neither beside this one nor in PATH.")
      return false
    }
    var start = ChildProcess.Start(program, arguments: ["status"])
    for variable in ofTheBus { start.changes[variable] = .some(nil) }
    let nothing = ProgramStart.Nothing()
    start.standard = [nothing.descriptors[0], nothing.descriptors[1], nil]
    defer { withExtendedLifetime(nothing) {} }
    do throws(Errno) {
      return try ChildProcess(start).wait() == .code(0)
    } catch {
      OwnProcess.complain("\(program) cannot be started.")
      return false
    }
  }
}
