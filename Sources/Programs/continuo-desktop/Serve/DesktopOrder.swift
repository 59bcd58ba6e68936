// SPDX-License-Identifier: MIT

import ActivityWire

/// What the agent orders, as a frame says it.
enum DesktopOrder: Equatable {
  /// What is answered, and what belongs to the session of who asked.
  struct Request: Equatable {
    /// The agent's, given back in the answer.
    var name: String
    /// Whose action it follows from.
    var notification: Int?
    /// Of the environment of the agent's client.
    var client: Variables = [:]
    /// The person's choice of a terminal; may be empty.
    var terminal: [[UInt8]] = []
  }

  /// What is to be started.
  enum Program: Equatable {
    /// By the ID of a desktop entry.
    case entry(String)
    case command(app: String, needsTerminal: Bool, [[UInt8]])
  }

  case show(Int, ShownNotification)
  case withdraw(Int)
  case start(Program, Request)
  case open([UInt8], type: String, Request)
  case nameDefault([UInt8], type: String, Request)
  case browse(String, Request)

  init(_ frame: DesktopFrame) throws(DesktopFrame.Broken) {
    var frame = frame
    switch try frame.text() {
    case "show": self = .show(try frame.number(), try Self.notification(&frame))
    case "withdraw": self = .withdraw(try frame.number())
    case "start":
      var request = try Self.request(&frame)
      let program = try Self.program(&frame)
      try Self.addSession(to: &request, &frame)
      self = .start(program, request)
    case "open":
      var request = try Self.request(&frame)
      let (path, type) = (try frame.field(), try frame.text())
      try Self.addSession(to: &request, &frame)
      self = .open(path, type: type, request)
    case "default":
      let request = Request(name: try frame.text())
      self = .nameDefault(try frame.field(), type: try frame.text(), request)
    case "browse":
      var request = try Self.request(&frame)
      let url = try frame.text()
      try Self.addSession(to: &request, &frame)
      self = .browse(url, request)
    default: throw DesktopFrame.Broken()
    }
    guard frame.rest.isEmpty else { throw DesktopFrame.Broken() }
  }

  private static func request(_ frame: inout DesktopFrame) throws(DesktopFrame.Broken) -> Request {
    Request(name: try frame.text(), notification: try number(&frame, in: 0...Int.max))
  }

  /// What ends each order that starts a program.
  private static func addSession(
    to request: inout Request, _ frame: inout DesktopFrame
  ) throws(DesktopFrame.Broken) {
    request.client = LaunchEnvironment.variables(try frame.fields())
    request.terminal = try frame.fields()
  }

  private static func program(_ frame: inout DesktopFrame) throws(DesktopFrame.Broken) -> Program {
    switch try frame.text() {
    case "entry": return .entry(try frame.text())
    case "exec":
      return .command(app: try frame.text(), needsTerminal: try frame.flag(), try frame.fields())
    default: throw DesktopFrame.Broken()
    }
  }

  private static func notification(_ frame: inout DesktopFrame) throws(DesktopFrame.Broken)
    -> ShownNotification
  {
    var text = ShownNotification(
      summary: try frame.text(), body: try frame.text(), entry: try frame.text(), isSilent: try frame.flag(),
      percent: try number(&frame, in: 0...100), actions: [])
    for _ in 0..<(try frame.number()) {
      text.actions.append(ShownNotification.Action(key: try frame.text(), label: try frame.text()))
    }
    return text
  }

  /// Nil for an empty field.
  private static func number(
    _ frame: inout DesktopFrame, in range: ClosedRange<Int>
  ) throws(DesktopFrame.Broken) -> Int? {
    let text = try frame.text()
    guard !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else { throw DesktopFrame.Broken() }
    return number
  }
}
