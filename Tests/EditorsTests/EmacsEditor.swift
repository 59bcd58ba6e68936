// SPDX-License-Identifier: MIT

import LinuxSystem

@testable import fixtures

/// A real Emacs without a screen, with the package and the server and agent of its device; ends with this
/// value.
final class EmacsEditor {
  private let device: Device
  private let process: ChildProcess
  private let flow: RecordFlow?
  private static let patience = 60
  /// Of its socket, in the device's runtime directory.
  private static let name = "continuo-tests"

  init(on device: Device, flow: RecordFlow?) throws {
    self.device = device
    self.flow = flow
    let settings = """
      (progn (setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)
        (add-to-list 'load-path "\(KnownEditors.plugins)/continuo.el") (require 'continuo) (continuo-mode))
      """
    process = try ChildProcess(
      "emacs", ["-Q", "--fg-daemon=" + Self.name, "--eval", settings], environment: device.environment)
    let deadline = Deadline(seconds: Self.patience)
    while (try? evaluate("1")) != "1" {
      guard !deadline.hasPassed, process.exit == nil else {
        throw Failure("Emacs to answer", lastSeen: process.state)
      }
      process.takeNews()
    }
  }

  /// The value of an expression, as Emacs prints it.
  func evaluate(_ expression: String) throws -> String {
    let asking = try ChildProcess(
      "emacsclient", ["-s", Self.name, "--eval", expression], environment: device.environment)
    guard try asking.waitForExit(within: Self.patience) == .code(0) else {
      throw Failure("an answer of Emacs's", lastSeen: asking.state + "\n" + process.state)
    }
    return asking.outputText.trimmingSuffix { $0 == "\n" }
  }

  /// Waits until a condition holds there; records are carried meanwhile.
  func wait(for condition: String) throws {
    let deadline = Deadline(seconds: Self.patience)
    // Emacs waits by itself, and answers when it holds or after a moment.
    let question = """
      (let ((tries 0))
        (while (and (< tries 20) (not \(condition))) (accept-process-output nil 0.01) (setq tries (1+ tries)))
        (and \(condition) t))
      """
    while try evaluate(question) != "t" {
      try flow?.takeNews()
      guard !deadline.hasPassed else {
        let messages = try? evaluate("(with-current-buffer \"*Messages*\" (buffer-string))")
        throw Failure(condition, lastSeen: (messages ?? process.state) + "\n" + device.logEnd)
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
