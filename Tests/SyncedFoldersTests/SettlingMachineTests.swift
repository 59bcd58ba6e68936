// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite struct SettlingMachineTests {
  private typealias Place = SettlingMachine.Place

  private static func place(_ path: String) -> SettlingMachine.Place {
    Place(
      root: RootNumber(rawValue: 1),
      path: path.split(separator: "/").map { Array($0.utf8) })
  }

  /// Plays events at times in milliseconds, then lets the timers run out.
  private func looks(_ events: [(Int, SettlingMachine.Event)]) -> [String] {
    var machine = SettlingMachine()
    var wake: Instant?
    var told: [String] = []
    func take(_ actions: [SettlingMachine.Action], at now: Instant) {
      for action in actions {
        let time = now.nanoseconds / 1_000_000
        switch action {
        case .look(let place): told.append("\(time) \(name(place))")
        case .lookBelow(let place): told.append("\(time) \(name(place))/**")
        case .wake(let moment): wake = moment
        }
      }
    }
    func run(until end: Instant?) {
      while let next = wake, end.map({ next <= $0 }) ?? true {
        wake = nil
        take(machine.handle(.timer, at: next), at: next)
      }
    }
    for (time, event) in events {
      let now = Instant(nanoseconds: UInt64(time) * 1_000_000)
      run(until: now)
      take(machine.handle(event, at: now), at: now)
    }
    run(until: nil)
    #expect(machine.isIdle)
    return told
  }

  private func name(_ place: SettlingMachine.Place) -> String {
    place.path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  @Test("many hints about one name become one look, 20 ms after the last")
  func quiet() {
    let hints = [0, 3, 9, 15].map { ($0, SettlingMachine.Event.changed(Self.place("a/b"))) }
    #expect(looks(hints) == ["35 a/b"])
  }

  @Test("a name that is never quiet is looked at every 200 ms")
  func longest() {
    let hints = stride(from: 0, through: 300, by: 10).map {
      ($0, SettlingMachine.Event.changed(Self.place("log")))
    }
    #expect(looks(hints) == ["200 log", "320 log"])
  }

  @Test("a burst in one folder becomes one look at the folder")
  func burst() {
    let hints = (0..<1000).map { ($0 / 100, SettlingMachine.Event.changed(Self.place("a/\($0)"))) }
    #expect(looks(hints) == ["29 a/**"])
  }

  @Test("64 names in one folder are looked at one by one")
  func noBurst() {
    let hints = (0..<64).map { _ in 0 }.enumerated().map {
      ($0.element, SettlingMachine.Event.changed(Self.place("a/\($0.offset)")))
    }
    #expect(looks(hints).count == 64)
  }

  @Test("a folder swallows what is held back below it, and keeps its age")
  func swallowing() {
    var events: [(Int, SettlingMachine.Event)] = [(0, .changed(Self.place("a/b/c")))]
    events += stride(from: 10, through: 250, by: 10).map { ($0, .changedBelow(Self.place("a"))) }
    #expect(looks(events) == ["200 a/**", "270 a/**"])
  }

  @Test("a move is a look at both names, and lost events are a look at everything")
  func hints() {
    let root = RootNumber(rawValue: 1)
    let moved = SettlingMachine.events(
      for: .moved(root, from: [[97]], to: [[98]], isFolder: false))
    #expect(moved == [.changed(Self.place("a")), .changed(Self.place("b"))])
    #expect(
      SettlingMachine.events(for: .rescan(root, path: [])) == [.changedBelow(Self.place(""))])
    #expect(SettlingMachine.events(for: .synchronized(root, cookie: [1])).isEmpty)
  }
}
