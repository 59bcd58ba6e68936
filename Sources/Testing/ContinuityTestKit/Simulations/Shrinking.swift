// SPDX-License-Identifier: MIT

extension Simulation {
  /// A history with fewer commands, faults and devices that still breaks the same promise.
  ///
  /// Takes commands away in ever smaller pieces, for as long as `run` finds `rule` broken without them; at
  /// most `attempts` runs. Gives back the history itself when nothing can go.
  public func shrunk(
    keeping rule: Violation.Rule, attempts: Int = 2000, run: (Simulation) -> Outcome
  ) -> Simulation {
    var shrinking = Shrinking(simulation: self, rule: rule, attemptsLeft: attempts)
    shrinking.perform(run)
    return shrinking.simulation
  }
}

private struct Shrinking {
  var simulation: Simulation
  let rule: Violation.Rule
  var attemptsLeft: Int

  mutating func perform(_ run: (Simulation) -> Outcome) {
    var before = 0
    repeat {
      before = size
      dropCommands(run)
      for fault in simulation.faults.sorted(by: { $0.rawValue < $1.rawValue }) { drop(fault, run) }
      dropNetwork(run)
      while simulation.devices > 2, dropDevice(run) {}
    } while size < before && attemptsLeft > 0
  }

  private var size: Int {
    simulation.commands.count * 100 + simulation.faults.count * 10 + simulation.devices
      + (simulation.network == nil ? 0 : 10)
  }

  private mutating func dropCommands(_ run: (Simulation) -> Outcome) {
    var piece = max(1, simulation.commands.count / 2)
    while piece >= 1, attemptsLeft > 0 {
      var start = 0
      while start < simulation.commands.count, attemptsLeft > 0 {
        var smaller = simulation
        smaller.commands.removeSubrange(start..<min(start + piece, simulation.commands.count))
        if !accept(smaller, run) { start += piece }
      }
      piece /= 2
    }
  }

  private mutating func drop(_ fault: Fault, _ run: (Simulation) -> Outcome) {
    var smaller = simulation
    smaller.faults.remove(fault)
    smaller.commands.removeAll { $0.action.fault == fault }
    _ = accept(smaller, run)
  }

  private mutating func dropNetwork(_ run: (Simulation) -> Outcome) {
    guard simulation.network != nil else { return }
    var smaller = simulation
    smaller.network = nil
    _ = accept(smaller, run)
  }

  private mutating func dropDevice(_ run: (Simulation) -> Outcome) -> Bool {
    var smaller = simulation
    smaller.devices -= 1
    smaller.commands.removeAll { $0.device >= smaller.devices }
    return accept(smaller, run)
  }

  private mutating func accept(_ smaller: Simulation, _ run: (Simulation) -> Outcome) -> Bool {
    guard attemptsLeft > 0 else { return false }
    attemptsLeft -= 1
    guard run(smaller).violations.first?.rule == rule else { return false }
    simulation = smaller
    return true
  }
}
