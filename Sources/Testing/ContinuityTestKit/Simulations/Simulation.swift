// SPDX-License-Identifier: MIT

/// Everything that is decided about one run before it begins: a value that can be printed, read, shortened
/// and run again, always with the same end.
public struct Simulation: Hashable, Sendable {
  /// Where everything that is not a command comes from: clocks, sizes, what lies in the folder at first.
  public var seed: UInt64
  /// After so many steps all faults end, and the devices have to agree again.
  public var steps: Int
  /// The kind of world that was asked for.
  public var profile: Profile
  /// The sync engine.
  public var engine: EngineKind
  /// How many devices there are, 2 to 6.
  public var devices: Int
  /// Which classes of faults exist.
  public var faults: Set<Fault>
  /// The seed of the network between the devices and of all that goes wrong with it; nil without one.
  public var network: UInt64?
  /// What happens, in order of time.
  public var commands: [Command]

  /// The history of a seed: the same seed, steps and profile always give the same one.
  public init(seed: UInt64, steps: Int, profile: Profile = .swarm) {
    self.seed = seed
    self.steps = max(1, steps)
    self.profile = profile
    var random = Randomness(seed: seed)
    let kinds = EngineKind.allCases
    let drawn = kinds[random.below(kinds.count)]
    if case .engine(let kind) = profile { engine = kind } else { engine = drawn }
    devices = [2, 2, 2, 3, 3, 3, 4, 4, 5, 6][random.below(10)]
    let share = [0, 15, 30, 50][random.below(4)]
    faults = []
    for fault in Fault.allCases where fault != .revocation && random.chance(share) { faults.insert(fault) }
    if random.below(4) != 0 { faults.subtract([.clone, .silent, .twoEngines]) }
    commands = []
    drawCommands(&random)
    drawRevocation()
    drawNetwork()
  }

  /// Every fourth history has a network beside its engine. From numbers of its own: the others are what they
  /// would be without it.
  private mutating func drawNetwork() {
    var random = Randomness(seed: seed ^ 0x1a57_0e77)
    if random.below(4) == 0 { network = random.next() }
  }

  /// In every eighth history a device is stolen, and removed before, meanwhile or after; in another eighth
  /// devices remove each other. From numbers of its own: the other histories are what they would be without
  /// it.
  private mutating func drawRevocation() {
    var random = Randomness(seed: seed ^ 0x7e0c_a7e5)
    let kind = random.below(8)
    guard kind < 2, !faults.contains(.clone), commands.count > 8 else { return }
    faults.insert(.revocation)
    if kind == 1 { return drawRemovals(&random) }
    var actions: [Command.Action] = [.revoke]
    if random.chance(75) { actions += [.steal] }
    if random.chance(30) { actions += [.revoke] }
    for action in actions {
      // Early: the steps are mostly used up by what follows from the first commands.
      let index = 1 + random.below(commands.count / 6)
      let (time, device) = (commands[index].time, random.below(devices))
      commands.insert(Command(time: time, device: device, action: action, seed: random.next()), at: index)
    }
  }

  /// Two or three people remove devices at the same time or one after the other, a thief may have one, and
  /// whoever was removed removes others back before it hears of that.
  private mutating func drawRemovals(_ random: inout Randomness) {
    let start = commands[1 + random.below(commands.count / 6)].time
    let first = random.below(devices)
    // Mostly by devices that differ; by the same one twice otherwise.
    let second = random.chance(75) ? (first + 1 + random.below(devices - 1)) % devices : first
    var deeds: [(device: Int, action: Command.Action)] = [(first, .revoke), (second, .revoke)]
    if random.chance(30) { deeds.append((random.below(devices), .revoke)) }
    if random.chance(40) { deeds.insert((random.below(devices), .steal), at: random.below(deeds.count)) }
    deeds += Array(repeating: (0, .retaliate), count: 1 + random.below(2))
    var time = start
    for (device, action) in deeds {
      let index = commands.firstIndex { $0.time > time } ?? commands.count
      commands.insert(Command(time: time, device: device, action: action, seed: random.next()), at: index)
      // Before, or after, others have heard of it.
      let (least, most): (Pause, Pause) =
        random.chance(60) ? (.zero, .milliseconds(500)) : (.seconds(1), .seconds(40))
      time += random.between(least, most)
    }
  }

  private mutating func drawCommands(_ random: inout Randomness) {
    let actions = Command.Action.allCases.filter { $0.fault.map(faults.contains) ?? true }
    let total = actions.reduce(0) { $0 + $1.weight }
    // Faults are kept to a third of all commands, or nobody would get anything done.
    var time: UInt64 = 500_000_000
    commands.reserveCapacity(max(4, steps / 5))
    for _ in 0..<max(4, steps / 5) {
      var place = random.below(total)
      var action = Command.Action.edit
      for each in actions {
        if place < each.weight {
          action = each
          break
        }
        place -= each.weight
      }
      if action.fault != nil, random.chance(30) { action = .edit }
      let device = random.below(devices)
      commands.append(Command(time: time, device: device, action: action, seed: random.next()))
      switch random.below(10) {
      case 0..<4: time += random.between(.milliseconds(20), .milliseconds(900))
      case 4..<9: time += random.between(.milliseconds(500), .seconds(6))
      default: time += random.between(.seconds(5), .seconds(90))
      }
    }
  }

  /// Whether records are sealed and signed for real; in the others a fast code of the same size stands for
  /// the seal.
  var isReallySealed: Bool { Randomness.mixed(seed ^ 0x5ea1) % 20 == 0 }
}
