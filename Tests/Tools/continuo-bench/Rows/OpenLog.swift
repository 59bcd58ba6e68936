// SPDX-License-Identifier: MIT

import LinuxSystem

/// From starting an editor to the first screen of a document's text.
@MainActor struct OpenLog {
  /// The lowest line that is on the first screen of both: nano keeps two lines above and two below the text
  /// for itself. Both draw from the top, so all is there when this is.
  private static let lastOfScreen = 20

  static func row(_ name: String, _ log: LogFile, rounds: Int) -> Row {
    Row(name: name, unit: "ms", peerName: "nano", rounds: rounds, target: .ratio(atMost: 1.5)) {
      let sandbox = try Sandbox()
      do {
        let commands = try sandbox.place(log)
        return Contest(
          ours: { try sandbox.timeOpening(commands.ours) }, peer: { try sandbox.timeOpening(commands.peer) },
          end: { sandbox.close() })
      } catch {
        sandbox.close()
        throw error
      }
    }
  }

  fileprivate static var awaited: String { LogFile.mark(lastOfScreen) }
}

extension Sandbox {
  /// Milliseconds to the first screen. The program is gone before this returns.
  fileprivate func timeOpening(_ command: [String]) throws -> Double {
    let (pane, started) = try terminals.start(command)
    let process = try OtherProcess.endDescriptor(of: pane.process)
    let seen = try terminals.waitToShow(OpenLog.awaited, on: pane)
    try terminals.close(pane)
    guard Poll.wait(for: process.number, until: .readable, atMost: .seconds(30)) else {
      throw Failure("\(command[0]) does not end when hung up")
    }
    try terminals.takeAll(for: 50)
    terminals.forget(pane)
    return milliseconds(from: started, to: seen)
  }
}
