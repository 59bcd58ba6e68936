// SPDX-License-Identifier: MIT

extension History {
  /// A history with fewer commands, faults and devices that still breaks the same promise.
  ///
  /// Takes commands away in ever smaller pieces, for as long as `run` finds `rule` broken without them; at
  /// most `attempts` runs. Gives back the history itself when nothing can go.
  public func shrunk(
    keeping rule: Violation.Rule, attempts: Int = 2000, run: (History) -> Outcome
  ) -> History {
    var shrinking = Shrinking(history: self, rule: rule, attemptsLeft: attempts)
    shrinking.perform(run)
    return shrinking.history
  }
}

private struct Shrinking {
  var history: History
  let rule: Violation.Rule
  var attemptsLeft: Int

  mutating func perform(_ run: (History) -> Outcome) {
    var before = 0
    repeat {
      before = size
      dropCommands(run)
      for fault in history.faults.sorted(by: { $0.rawValue < $1.rawValue }) { drop(fault, run) }
      while history.devices > 2, dropDevice(run) {}
    } while size < before && attemptsLeft > 0
  }

  private var size: Int { history.commands.count * 100 + history.faults.count * 10 + history.devices }

  private mutating func dropCommands(_ run: (History) -> Outcome) {
    var piece = max(1, history.commands.count / 2)
    while piece >= 1, attemptsLeft > 0 {
      var start = 0
      while start < history.commands.count, attemptsLeft > 0 {
        var smaller = history
        smaller.commands.removeSubrange(start..<min(start + piece, history.commands.count))
        if !accept(smaller, run) { start += piece }
      }
      piece /= 2
    }
  }

  private mutating func drop(_ fault: Fault, _ run: (History) -> Outcome) {
    var smaller = history
    smaller.faults.remove(fault)
    smaller.commands.removeAll { $0.action.fault == fault }
    _ = accept(smaller, run)
  }

  private mutating func dropDevice(_ run: (History) -> Outcome) -> Bool {
    var smaller = history
    smaller.devices -= 1
    smaller.commands.removeAll { $0.device >= smaller.devices }
    return accept(smaller, run)
  }

  private mutating func accept(_ smaller: History, _ run: (History) -> Outcome) -> Bool {
    guard attemptsLeft > 0 else { return false }
    attemptsLeft -= 1
    guard run(smaller).violations.first?.rule == rule else { return false }
    history = smaller
    return true
  }
}
