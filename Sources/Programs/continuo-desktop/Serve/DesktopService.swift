// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import CDesktopGLib

/// `continuo-desktop serve`: shows notifications and starts apps for the agent, until that closes its end.
///
/// See `docs/decisions/0045-desktop-service.md`.
final class DesktopService {
  private let loop = g_main_loop_new(nil, 0)
  private let link = AgentLink()
  private let bus: SessionBus
  private let server: NotificationServer
  private let notifications: Notifications
  private let starter: AppStarter
  private var status: Int32 = 0
  private var patience: LoopTimer?

  /// The agent hears so early whether there is a server, and so long is waited for one at the end.
  private static let answerTime: UInt32 = 2000

  /// Returns when the agent is gone: the status to exit with.
  static func run(in language: ReasonLanguage) -> Int32 {
    let service = DesktopService(in: language)
    service.start()
    g_main_loop_run(service.loop)
    return service.status
  }

  private init(in language: ReasonLanguage) {
    let own = LaunchEnvironment.ofThisProcess()
    // GLib would connect to the bus by itself when it starts an app, wait for that, and end this process when
    // the bus ends; and load what finds files elsewhere. What is started gets what was there.
    g_setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
    g_setenv("GIO_USE_VFS", "local", 1)
    bus = SessionBus(address: SessionBus.address(own))
    server = NotificationServer(bus)
    notifications = Notifications(bus, server, in: language)
    starter = AppStarter(bus, own: own)
  }

  deinit { g_main_loop_unref(loop) }

  private func start() {
    link.onFrame = { [weak self] in self?.obey($0) }
    link.onEnd = { [weak self] in self?.end($0) }
    notifications.onEvent = { [weak self] in self?.link.send($0) }
    starter.onEvent = { [weak self] in self?.link.send($0) }
    starter.takeToken = { [weak self] in self?.notifications.takeToken($0) }
    notifications.onEmpty = { [weak self] in self?.quit() }
    bus.onConnect = { [weak self] in self?.server.look() }
    bus.onLoss = { [weak self] in self?.server.lose() }
    bus.onProblem = { [weak self] in self?.link.send(["problem", $0]) }
    link.open()
    server.promiseAnswer(milliseconds: Self.answerTime)
    bus.connect()
  }

  private func obey(_ frame: DesktopFrame) {
    do throws(DesktopFrame.Broken) {
      switch try DesktopOrder(frame) {
      case .show(let number, let text): notifications.show(number, text)
      case .withdraw(let number): notifications.withdraw(number)
      case .start(let program, let request): starter.start(program, request)
      case .open(let path, let type, let request): starter.open(path, type: type, request)
      case .nameDefault(let name, let type, let request): starter.nameDefault(for: name, type: type, request)
      case .browse(let url, let request): starter.browse(url, request)
      }
    } catch { link.end(.cut) }
  }

  private func end(_ fault: DesktopFault?) {
    if let fault {
      OwnProcess.complain(fault.sentence)
      status = 1
    }
    patience = LoopTimer(milliseconds: Self.answerTime) { [weak self] in self?.quit() }
    notifications.withdrawAll()
  }

  private func quit() { g_main_loop_quit(loop) }
}
