// SPDX-License-Identifier: MIT

package import ActivityModel

/// Whether the LAN is on: as a person set it in a file, and at once where `continuo lan` asks for it, which
/// writes the file afterwards. Off until one of both says otherwise. Loop thread only.
package final class LanSwitch {
  private let ports: AgentPorts
  private let links: LinkedDevices
  /// Told when other devices are looked for from now on.
  private let begins: () -> Void
  /// What the file said last.
  private var said: Said?
  private var isWanted = false
  private var failure: ContinuityError?
  /// Those who wait for the network process.
  private var waiting: [(_ isReady: Bool) -> Void] = []
  private var patienceEnd: TimerNumber?
  /// What holds while it is on.
  package private(set) var settings = NetworkSettings()

  /// The process confines itself before it says its first word.
  private static let patience = Duration.seconds(5)

  private struct Said: Equatable {
    var isEnabled: Bool
    var settings: NetworkSettings
  }

  init(ports: AgentPorts, links: LinkedDevices, begins: @escaping () -> Void) {
    (self.ports, self.links, self.begins) = (ports, links, begins)
    ports.network.onStateChange = { [weak self] in
      if self?.isDecided == true { self?.endWaiting(isReady: true) }
    }
  }

  /// What keeps others from being reached though the LAN is to be on, with what to do.
  package var problem: String? {
    guard isWanted else { return nil }
    return failure?.description ?? links.problem
  }

  /// Has hold what the file says, where that is another thing than before: it is read again for other
  /// reasons, too, also before a command has written it. What cannot be done is tried again with `retry()`.
  package func use(_ settings: NetworkSettings, isEnabled: Bool) {
    let now = Said(isEnabled: isEnabled, settings: settings)
    guard now != said else { return }
    said = now
    (self.settings, isWanted) = (settings, isEnabled)
    if isEnabled {
      tryToListen()
    } else {
      failure = nil
      links.switchOff()
    }
  }

  /// Switches the LAN on at `port`, or the one that is set. Throws `agentUnavailable` and `invalidRequest`
  /// where it cannot be on; then all is as before.
  func switchOn(port: UInt16?) throws(ContinuityError) {
    var wanted = settings
    if let port { wanted.port = port }
    let wasOn = links.port != nil
    try links.switchOn(wanted)
    if !wasOn, ports.network.process == 0, let problem = ports.network.problem {
      links.switchOff()
      throw ContinuityError(.agentUnavailable, subject: "lan", description: problem)
    }
    (settings, isWanted, failure) = (wanted, true, nil)
    if !wasOn { begins() }
  }

  /// Ends every link.
  func switchOff() {
    (isWanted, failure) = (false, nil)
    links.switchOff()
  }

  /// Has the circle told the addresses at an interface, or none of them.
  func setNetwork(_ interface: String, isOn: Bool) {
    if isOn { settings.offInterfaces.remove(interface) } else { settings.offInterfaces.insert(interface) }
    if isWanted { tryToListen() }
  }

  /// Whoever had the port may have let it go: called from time to time.
  func retry() {
    if isWanted, failure != nil { tryToListen() }
  }

  /// Calls `body` once: true when the network process answers others, or it is known why not; false when
  /// neither is so after a while.
  func whenReady(_ body: @escaping (_ isReady: Bool) -> Void) {
    guard !isDecided else { return body(true) }
    waiting.append(body)
    if patienceEnd == nil {
      patienceEnd = ports.scheduler.schedule(at: ports.now + Self.patience) { [weak self] in
        self?.endWaiting(isReady: false)
      }
    }
  }

  private var isDecided: Bool { ports.network.isWithoutPaths != nil || problem != nil }

  private func endWaiting(isReady: Bool) {
    ports.scheduler.cancel(patienceEnd)
    patienceEnd = nil
    let ended = waiting
    waiting = []
    for body in ended { body(isReady) }
  }

  private func tryToListen() {
    let wasOn = links.port != nil
    do throws(ContinuityError) {
      try links.switchOn(settings)
      failure = nil
      if !wasOn { begins() }
    } catch {
      if failure == nil { ports.log("the LAN cannot be switched on: code \(error.code)") }
      failure = error
    }
  }
}
