// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork

/// A device's machine, a clock that the test turns, and what the machine asked for.
struct MeetingWorld {
  static let low = id(0x01)
  static let own = id(0x50)
  static let high = id(0x90)
  static let home = OwnAddress(bytes: [192, 168, 1, 5], interface: "wlan0", kind: .wireless)
  static let cable = OwnAddress(bytes: [10, 0, 0, 5], interface: "eth0", kind: .wired)

  var machine = MeetingMachine(device: own)
  var now = Instant(nanoseconds: 1_000_000_000_000)

  static func id(_ byte: UInt8) -> DeviceID {
    guard let id = DeviceID(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure() }
    return id
  }

  static func place(_ addresses: [[UInt8]], port: UInt16 = 4000, period: UInt64 = 1) -> Reachability? {
    Reachability(addresses: addresses, port: port, period: period)
  }

  static func accepted(_ number: UInt32) -> LinkNumber {
    LinkNumber(rawValue: LinkNumber.firstAccepted.rawValue + number)
  }

  /// Switched on, on a network, with these others.
  static func on(_ devices: [DeviceID: Reachability?], _ rules: AddressRules = AddressRules()) -> (
    MeetingWorld, [MeetingMachine.Action]
  ) {
    var world = MeetingWorld()
    _ = world.handle(.addresses([home]))
    let first = world.handle(.switchedOn(rules, port: 4000))
    let second = world.handle(.devices(devices))
    return (world, first + second)
  }

  mutating func handle(_ event: MeetingMachine.Event) -> [MeetingMachine.Action] {
    machine.handle(event, at: now)
  }

  /// Lets time pass as the machine asks for it, and gives what it did at which moment.
  mutating func pass(_ duration: Duration) -> [(after: Duration, action: MeetingMachine.Action)] {
    let (start, end) = (now, now + duration)
    var done: [(Duration, MeetingMachine.Action)] = []
    var turns = 0
    while let moment = machine.nextMoment(after: now), moment <= end, turns < 10_000 {
      turns += 1
      now = max(now, moment)
      done += handle(.time).map { (now - start, $0) }
    }
    now = end
    return done
  }
}

extension [MeetingMachine.Action] {
  var dials: [NetworkAddress] {
    compactMap { if case .dial(_, _, let address) = $0 { address } else { nil } }
  }
  var numbers: [LinkNumber] { compactMap { if case .dial(let number, _, _) = $0 { number } else { nil } } }
  var closed: [LinkNumber] { compactMap { if case .close(let number) = $0 { number } else { nil } } }
  var told: [[[UInt8]]] { compactMap { if case .tell(let addresses) = $0 { addresses } else { nil } } }
}
