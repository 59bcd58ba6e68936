// SPDX-License-Identifier: MIT

import ActivityWire
import CDesktopGLib
import LinuxSystem

/// `continuo-desktop serve`: shows what the agent orders, starts apps, and tells what a person presses,
/// until its input ends. See docs/decisions/0043-told-and-launched.md.
final class DesktopServer {
  private let loop = g_main_loop_new(nil, 0)
  private let bus = SessionBus()
  private lazy var notifications = NotificationServer(bus: bus) { [weak self] in self?.say($0) }
  private lazy var starter = AppStarter(bus: bus)
  private var frames = DesktopFrames()
  /// What the agent said is no order of this release.
  private var isBroken = false

  /// Runs until the agent has gone. Returns the exit code.
  func run() -> Int32 {
    bus.onChange = { [weak self] isConnected in
      guard let self else { return }
      if isConnected { self.notifications.busConnected() } else { self.notifications.busLost() }
    }
    bus.onSignal = { [weak self] in self?.notifications.handle($0) }
    if SessionBus.address == nil { notifications.busLost() }
    bus.connect()
    BorrowedDescriptor.standardInput.setNonBlocking()
    g_unix_fd_add(
      BorrowedDescriptor.standardInput.number,
      GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
      { _, _, context in
        guard let context else { return 0 }
        return Unmanaged<DesktopServer>.fromOpaque(context).takeUnretainedValue().receive() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    g_main_loop_run(loop)
    notifications.closeAll()
    return isBroken ? 1 : 0
  }

  /// False when nothing more comes.
  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    do throws(Errno) {
      let count = try BorrowedDescriptor.standardInput.read(into: &piece)
      guard count > 0 else { return end() }
      frames.append(piece.prefix(count))
    } catch {
      return error == .wouldBlock ? true : end()
    }
    do throws(DesktopFrames.Broken) {
      while let fields = try frames.next() {
        guard perform(fields) else { throw DesktopFrames.Broken() }
      }
      return true
    } catch {
      try? BorrowedDescriptor.standardError.writeAll(
        Array("The order of the agent is cut; update continuo.\n".utf8))
      isBroken = true
      return end()
    }
  }

  private func end() -> Bool {
    g_main_loop_quit(loop)
    return false
  }

  /// False for an order that this release does not know.
  private func perform(_ fields: [String]) -> Bool {
    guard let word = fields.first, let number = fields.dropFirst().first.flatMap({ UInt64($0) }) else {
      return false
    }
    switch word {
    case "show":
      guard let order = NotificationOrder(fields.dropFirst(2)) else { return false }
      notifications.show(number, order)
    case "withdraw": notifications.withdraw(number)
    case "start":
      guard let order = StartOrder(fields.dropFirst(2)) else { return false }
      let token = order.pressed.flatMap(notifications.token)
      starter.start(order, token: token) { [weak self] failure in
        self?.say(failure.map { ["failed", "\(number)", $0] } ?? ["done", "\(number)", ""])
      }
    default: return false
    }
    return true
  }

  private func say(_ fields: [String]) {
    do throws(Errno) {
      try BorrowedDescriptor.standardOutput.writeAll(DesktopFrames.frame(fields))
    } catch {
      _ = end()
    }
  }
}
