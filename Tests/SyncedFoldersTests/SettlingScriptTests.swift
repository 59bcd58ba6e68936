// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders
import Testing

/// Every script below `Fixtures/settling`, found on the disk: adding one needs no code.
@Suite struct SettlingScriptTests {
  static let directory =
    "\(#filePath)".split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    + "/Fixtures/settling"

  static let scripts: [String] = {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name.hasSuffix(".script") { names.append(name) }
    }
    return names.sorted()
  }()

  @Test("there are scripts") func thereAreScripts() { #expect(Self.scripts.count >= 7) }

  @Test("a script's hints lead to exactly its looks", arguments: scripts)
  func looks(of script: String) throws {
    let (steps, expected) = try ArrivalScript.load(Self.directory + "/" + script)
    var player = SettlingScript()
    for step in steps { try player.play(step) }
    let output = player.finish()
    #expect(output == expected, "\(script) reported:\n\(output.joined(separator: "\n"))")
  }
}

/// Hints in, looks out, on a clock that only the script moves. `Fixtures/README.md` explains the lines.
private struct SettlingScript {
  private var machine = SettlingMachine()
  private var wake: Instant?
  private var output: [String] = []

  private static let root = RootNumber(rawValue: 1)

  /// `TIME HINT`; or `TIME*COUNT` or `TIME..TIME/STEP HINT`, with `#` for the number of the repetition.
  mutating func play(_ step: [String]) throws {
    guard step.count >= 2 else { throw ArrivalScript.Failure(description: "a step is: TIME HINT PATH") }
    for (number, time) in try Self.times(step[0]).enumerated() {
      let hint = try Self.hint(step.dropFirst().map { $0.replacing("#", with: "\(number)") })
      let now = Instant(nanoseconds: time * 1_000_000)
      run(until: now)
      for event in SettlingMachine.events(for: hint) { perform(machine.handle(event, at: now), at: now) }
    }
  }

  mutating func finish() -> [String] {
    run(until: nil)
    return output + (machine.isIdle ? [] : ["something is held back for ever"])
  }

  private static func times(_ word: String) throws -> [UInt64] {
    let parts = word.split { ".*/".contains($0) }.compactMap { UInt64($0) }
    switch parts.count {
    case 1: return parts
    case 2 where word.contains("*"): return Array(repeating: parts[0], count: Int(parts[1]))
    case 3: return Array(stride(from: parts[0], through: parts[1], by: Int(max(1, parts[2]))))
    default: throw ArrivalScript.Failure(description: "not a time: \(word)")
    }
  }

  private static func hint(_ words: [String]) throws -> FolderHint {
    let paths = words.dropFirst().joined(separator: " ").split(separator: " -> ").map(path)
    let first = paths.first ?? []
    switch words[0] {
    case "rescan": return .rescan(root, path: first == [[UInt8(ascii: ".")]] ? [] : first)
    case "moved", "moved-folder":
      guard paths.count == 2 else { throw ArrivalScript.Failure(description: "moved FROM -> TO") }
      return .moved(root, from: paths[0], to: paths[1], isFolder: words[0] == "moved-folder")
    default:
      guard let change = FolderHint.Change.allCases.first(where: { "\($0)" == words[0] }) else {
        throw ArrivalScript.Failure(description: "no such hint: \(words[0])")
      }
      return .changed(root, path: first, change: change)
    }
  }

  private static func path(_ text: some StringProtocol) -> [[UInt8]] {
    text.split(separator: "/").map { Array($0.utf8) }
  }

  private mutating func run(until end: Instant?) {
    while let next = wake, end.map({ next <= $0 }) ?? true {
      wake = nil
      perform(machine.handle(.timer, at: next), at: next)
    }
  }

  private mutating func perform(_ actions: [SettlingMachine.Action], at now: Instant) {
    for action in actions {
      let time = now.nanoseconds / 1_000_000
      switch action {
      case .look(let place): output.append("\(time) look \(Self.text(place))")
      case .lookBelow(let place): output.append("\(time) look below \(Self.text(place))")
      case .wake(let moment): wake = moment
      }
    }
  }

  private static func text(_ place: SettlingMachine.Place) -> String {
    place.path.isEmpty ? "." : place.path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }
}
