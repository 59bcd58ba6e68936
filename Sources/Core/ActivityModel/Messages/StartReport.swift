// SPDX-License-Identifier: MIT

/// What an agent that was started on demand tells whoever started it, through a pipe: whether it runs now,
/// and if not, why. Pure; on any thread.
public enum StartReport: Hashable, Sendable {
  /// It runs, and takes callers.
  case ready
  /// Another agent runs for this user already; in a sentence.
  case busy(String)
  /// It cannot run; in a sentence.
  case failed(String)

  /// The environment variable that names the pipe's descriptor in the agent.
  public static let variable = "CONTINUO_START_REPORT"
  /// The most bytes of a report, which a pipe takes in one piece.
  public static let sizeLimit = 4096

  /// What is written to the pipe, at most `sizeLimit` bytes.
  public var bytes: [UInt8] {
    let text =
      switch self {
      case .ready: "ready"
      case .busy(let sentence): "busy \(sentence)"
      case .failed(let sentence): "failed \(sentence)"
      }
    return Array(DisplayText.cut(text, to: Self.sizeLimit).utf8)
  }

  /// What was read from the pipe up to its end; nil for an agent that ended without a word.
  public init?(bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let sentence = String(text.drop { $0 != " " }.dropFirst())
    switch text.prefix(while: { $0 != " " }) {
    case "ready": self = .ready
    case "busy": self = .busy(sentence)
    case "failed": self = .failed(sentence)
    default: return nil
    }
  }
}
