// SPDX-License-Identifier: MIT

/// What the agent orders, as a frame says it.
enum DesktopOrder: Equatable {
  case show(Int, NotificationText)
  case withdraw(Int)

  init(_ frame: DesktopFrame) throws(DesktopFault) {
    var frame = frame
    switch try frame.text() {
    case "show": self = .show(try frame.number(), try Self.notification(&frame))
    case "withdraw": self = .withdraw(try frame.number())
    default: throw DesktopFrame.cut
    }
    guard frame.rest.isEmpty else { throw DesktopFrame.cut }
  }

  private static func notification(_ frame: inout DesktopFrame) throws(DesktopFault) -> NotificationText {
    var text = NotificationText(
      summary: try frame.text(), body: try frame.text(), entry: try frame.text(), isSilent: try frame.flag(),
      percent: try percent(&frame), actions: [])
    for _ in 0..<(try frame.number()) {
      text.actions.append(NotificationText.Action(key: try frame.text(), label: try frame.text()))
    }
    return text
  }

  private static func percent(_ frame: inout DesktopFrame) throws(DesktopFault) -> Int? {
    let text = try frame.text()
    guard !text.isEmpty else { return nil }
    guard let percent = Int(text), (0...100).contains(percent) else { throw DesktopFrame.cut }
    return percent
  }
}
