// SPDX-License-Identifier: MIT

extension Simulation {
  /// The history as text, one command a line: what `init(text:)` reads.
  public var text: String {
    var lines = [
      "history 1", "seed \(seed)", "steps \(steps)", "profile \(profile.name)",
      "engine \(engine.rawValue)", "devices \(devices)", "network \(network.map(String.init) ?? "none")",
      "faults \(faults.map(\.rawValue).sorted().joined(separator: " "))",
    ]
    lines += commands.map { command in
      "at \(command.time) device \(command.device) \(command.action.rawValue) seed \(command.seed)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The history that `text` tells. Empty lines and lines that begin with `#` are passed over.
  ///
  /// Throws a sentence with the number of the first line that is not understood.
  public init(text: String) throws(SimulationTextError) {
    self.init(seed: 0, steps: 1)
    commands = []
    faults = []
    network = nil
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let words = line.split(separator: " ")
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard read(String(first), words.dropFirst().map(String.init)) else {
        throw SimulationTextError(
          description: "Line \(number) is not understood: \(line). Each line is a setting or a command; "
            + "a history that was written by `fixtures simulate` shows them.")
      }
    }
  }

  private mutating func read(_ word: String, _ rest: [String]) -> Bool {
    if word == "faults" {
      let named = rest.compactMap(Fault.init(rawValue:))
      faults = Set(named)
      return named.count == rest.count
    }
    if word == "at" { return readCommand(rest) }
    guard rest.count == 1 else { return false }
    switch word {
    case "history": return rest[0] == "1"
    case "seed": return set(\.seed, UInt64(rest[0]))
    case "steps": return set(\.steps, Int(rest[0]).flatMap { $0 > 0 ? $0 : nil })
    case "profile": return set(\.profile, Profile(rest[0]))
    case "engine": return set(\.engine, EngineKind(rawValue: rest[0]))
    case "network":
      network = UInt64(rest[0])
      return network != nil || rest[0] == "none"
    case "devices": return set(\.devices, Int(rest[0]).flatMap { (2...6).contains($0) ? $0 : nil })
    default: return false
    }
  }

  private mutating func set<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
    guard let value else { return false }
    self[keyPath: field] = value
    return true
  }

  private mutating func readCommand(_ words: [String]) -> Bool {
    guard words.count == 6, words[1] == "device", words[4] == "seed", let time = UInt64(words[0]),
      let device = Int(words[2]), (0..<6).contains(device), let seed = UInt64(words[5]),
      let action = Command.Action(rawValue: words[3]), time < 1 << 60
    else { return false }
    commands.append(Command(time: time, device: device, action: action, seed: seed))
    return true
  }
}

/// Why a text is no history.
public struct SimulationTextError: Error, CustomStringConvertible {
  /// One sentence, with what to do.
  public let description: String
}
