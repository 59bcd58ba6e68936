// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import LinuxSystem
import LocalNetwork

/// This computer's own addresses that another one may reach, and a word when they change. Loop thread only.
final class OwnAddresses {
  /// Told the addresses once they have changed, in an order that is always the same.
  var onChange: ([OwnAddress]) -> Void = { _ in }
  /// As they were told, or looked at, last.
  private(set) var current: [OwnAddress] = []
  private let loop: EventLoop
  private let list: () -> [OwnAddress]
  private var notices: NetworkNotices?
  private var look: TimerNumber?

  /// A network that comes up tells of each address by itself.
  private static let moment = Duration.milliseconds(100)

  init(loop: EventLoop, list: @escaping () -> [OwnAddress] = OwnAddresses.list) {
    (self.loop, self.list) = (loop, list)
  }

  /// Follows what changes from now on. Throws `agentUnavailable`.
  func start() throws(ContinuityError) {
    do throws(Errno) {
      let made = try NetworkNotices()
      notices = made
      loop.watch(made.descriptor) { [weak self] _ in self?.noticed() }
    } catch {
      throw ContinuityError(
        .agentUnavailable, subject: "rtnetlink",
        description: "The kernel does not tell when the network changes (\(error.text)).")
    }
    current = list()
  }

  func stop() {
    if let notices { loop.forget(notices.descriptor) }
    loop.cancel(look)
    (notices, look) = (nil, nil)
  }

  private func noticed() {
    notices?.drain()
    guard look == nil else { return }
    look = loop.schedule(at: .now + Self.moment) { [weak self] in
      guard let self else { return }
      self.look = nil
      let found = self.list()
      guard found != self.current else { return }
      self.current = found
      self.onChange(found)
    }
  }

  /// As the kernel lists them now.
  static func list() -> [OwnAddress] {
    ((try? NetworkInterfaces.addresses()) ?? []).filter(\.isReachable).sorted {
      ($0.interface, $0.bytes.count) != ($1.interface, $1.bytes.count)
        ? ($0.interface, $0.bytes.count) < ($1.interface, $1.bytes.count)
        : $0.bytes.lexicographicallyPrecedes($1.bytes)
    }
  }
}
