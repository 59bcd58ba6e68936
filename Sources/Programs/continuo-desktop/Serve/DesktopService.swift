// SPDX-License-Identifier: MIT

import CDesktopGLib
import Glibc

/// `continuo-desktop serve`: shows notifications and starts apps for the agent, as long as that keeps the other
/// end open. See `docs/decisions/0043-desktop-service.md`.
final class DesktopService {
  private let loop = g_main_loop_new(nil, 0)
  private let link = AgentLink()
  private let bus: SessionBus
  private let server: NotificationServer
  private let notifications: Notifications
  private var status: Int32 = 0
  private var patience: LoopTimer?

  /// The agent hears so early whether there is a server, and so long is waited for one at the end.
  private static let answerTime: UInt32 = 2000

  /// Returns when the agent is gone: the status to exit with.
  static func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let service = DesktopService()
    service.start()
    g_main_loop_run(service.loop)
    return service.status
  }

  private init() {
    bus = SessionBus(address: Self.address)
    server = NotificationServer(bus)
    notifications = Notifications(bus, server)
  }

  deinit { g_main_loop_unref(loop) }

  private static var address: String? {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }), !address.isEmpty {
      return address
    }
    guard let folder = getenv("XDG_RUNTIME_DIR"), let escaped = g_dbus_address_escape_value(folder) else {
      return nil
    }
    defer { g_free(escaped) }
    return "unix:path=\(String(cString: escaped))/bus"
  }

  private func start() {
    link.onFrame = { [weak self] in self?.obey($0) }
    link.onEnd = { [weak self] in self?.end($0) }
    notifications.onEvent = { [weak self] in self?.link.send($0) }
    notifications.onEmpty = { [weak self] in self?.quit() }
    bus.onConnect = { [weak self] in self?.server.look() }
    bus.onLoss = { [weak self] in self?.server.lose() }
    bus.onProblem = { [weak self] in self?.link.send(["problem", $0]) }
    link.open()
    server.promiseAnswer(milliseconds: Self.answerTime)
    bus.connect()
  }

  private func obey(_ frame: DesktopFrame) {
    do throws(DesktopFault) {
      switch try DesktopOrder(frame) {
      case .show(let number, let text): notifications.show(number, text)
      case .withdraw(let number): notifications.withdraw(number)
      }
    } catch { link.end(error) }
  }

  private func end(_ fault: DesktopFault?) {
    if let fault {
      _ = FileBeginning.write(Array("continuo-desktop: \(fault.sentence)\n".utf8), to: STDERR_FILENO)
      status = 1
    }
    patience = LoopTimer(milliseconds: Self.answerTime) { [weak self] in self?.quit() }
    notifications.withdrawAll()
  }

  private func quit() { g_main_loop_quit(loop) }
}
