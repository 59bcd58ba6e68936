// SPDX-License-Identifier: MIT

import Glibc
import LinuxSystem
import Testing

@testable import fixtures

extension FirstContinuationTests {
  /// docs/authors/streams.md. It goes on with the same package, and its program is played on two devices.
  @Test(.timeLimit(.minutes(20))) func everyStepOfThePageAboutStreamsWorksAsWritten() throws {
    let app = try Self.page("first-continuation").steps.prefix { $0 != .commands("swift build\n") }
    let page = try Self.page("streams")
    let package = page.steps.prefix { if case .terminal = $0 { false } else { true } }
    #expect(app.count == 5 && package.count == 6 && page.steps.count == 9)
    let reader = try GuideReader(besideCheckout: Self.root)
    for step in app + package { try reader.follow(step) }
    let devices = try StreamingDevices(programs: reader.built)
    for case .terminal(let name, let lines) in page.steps { try devices.play(lines, on: name) }
    try devices.expectTheSelectionOfThePage()
    try devices.dropTheLink()
    try devices.killTheGivingApp()
    try devices.killTheTakingApp()
    try devices.giveUp()
    try devices.takeWhereNothingCanBeWritten()
    try devices.takeWhatCannotBeKept()
  }
}

/// Two linked devices and the page's program.
private final class StreamingDevices {
  private let devices: TwoDevices
  private let programs: String
  private var terminals: [String: GuideTerminal] = [:]
  private var desktop: Device { devices.desktop.device }
  private var laptop: Device { devices.laptop.device }

  init(programs: String) throws {
    self.programs = programs
    devices = try TwoDevices()
    try devices.player.perform(.devicesAreLinked)
  }

  /// So much that its sender is stopped long before the end: zeros that are nowhere.
  private static let much = 4 << 30

  private func place(_ name: String, on device: Device) -> String { device.root + "/home/" + name }

  // MARK: The page

  func play(_ lines: [String], on name: String) throws {
    let terminal = try terminals[name] ?? GuideTerminal(shell(on: devices.player.device(name).device))
    terminals[name] = terminal
    try terminal.play(lines)
  }

  /// The first terminal's size counts for all. A terminal's own shell sets `PATH` anew.
  private func shell(on device: Device) throws -> Screen {
    let path = "PATH=\(programs):/usr/local/bin:/usr/bin:/bin"
    let screen = try devices.terminals.open(
      device.name,
      ["env", "-C", place("", on: device), path, "PS1=$ ", "bash", "--norc", "--noprofile", "-i"],
      environment: device.environment, columns: 120, rows: 50)
    try screen.wait(toShow: "$")
    return screen
  }

  func expectTheSelectionOfThePage() throws {
    let sums = try [("selection.raw", desktop), ("taken.raw", laptop)].map { name, device in
      let file = place(name, on: device)
      #expect(try FilePath(file).status().size == 80_000_000)
      return try ChildProcess.run("sha256sum", [file], environment: device.environment).prefix(64)
    }
    #expect(sums[0] == sums[1] && sums[0].count == 64)
    #expect(left("taken.raw") == ["taken.raw"])
  }

  // MARK: What fails

  /// Both sides say why, nothing is left, and once the devices are linked again all of it comes.
  func dropTheLink() throws {
    let (giving, taking, sender) = try begin("dropped.raw")
    try laptop.continuo("lan", "off")
    try taking.wait(toShow: "The link to desktop ended", "Enter tries again")
    kill(sender, SIGCONT)
    try giving.wait(toShow: "The link to laptop ended")
    #expect(left("dropped.raw") == [])
    try taking.press("Enter")
    try taking.wait(toShow: "There is no link to desktop")
    try devices.player.perform(.devicesAreLinked)
    let bytes = Files.madeUpBytes(1_000_000, seed: 1)
    try Files.replace(place("dropped.raw", on: desktop), with: bytes)
    try taking.press("Enter")
    try taking.wait(toShow: "dropped.raw is whole")
    try giving.wait(toShow: "dropped.raw is there")
    #expect(left("dropped.raw") == ["dropped.raw"])
    #expect(Files.read(place("dropped.raw", on: laptop)) == bytes)
  }

  /// The stream ends as any other does: only the count tells. What lay there before stays.
  func killTheGivingApp() throws {
    try Files.replace(place("killed.raw", on: laptop), with: [7])
    let (_, taking, sender) = try begin("killed.raw")
    kill(sender, SIGKILL)
    try taking.wait(toShow: "It ended after ", " of \(Self.much) bytes.", "Enter tries again")
    #expect(left("killed.raw") == ["killed.raw"])
    #expect(Files.read(place("killed.raw", on: laptop)) == [7])
  }

  /// Nobody is there to take the part away, and the name is not taken.
  func killTheTakingApp() throws {
    let (giving, taking, sender) = try begin("abandoned.raw")
    let shell = try #require(try taking.process)
    kill(try #require(Descendants.all(of: shell).first), SIGKILL)
    kill(sender, SIGCONT)
    try giving.wait(toShow: "The other end of the stream is gone")
    #expect(left("abandoned.raw") == ["abandoned.raw.part"])
  }

  /// Enter ends it for both.
  func giveUp() throws {
    let (giving, taking, sender) = try begin("given-up.raw")
    try taking.press("Enter")
    try taking.wait(toShow: "It was given up.", "Enter tries again")
    kill(sender, SIGCONT)
    try giving.wait(toShow: "The other end of the stream is gone")
    #expect(left("given-up.raw") == [])
  }

  /// The giving app is told, too.
  func takeWhereNothingCanBeWritten() throws {
    let (giving, taking) = try take("unwritten.raw", into: "no-folder/unwritten.raw")
    try taking.wait(toShow: "Enter tries again")
    try giving.wait(toShow: "The other end of the stream is gone")
    #expect(left("unwritten.raw") == [])
  }

  /// All of it came, and yet is not there: a folder has the name.
  func takeWhatCannotBeKept() throws {
    try Files.makeDirectory(place("unkept.raw", on: laptop))
    let (giving, taking) = try take("unkept.raw", of: 1_000_000, into: "unkept.raw")
    try taking.wait(toShow: "100 %", "Enter tries again")
    try giving.wait(toShow: "100 %", "The other app has not kept it.")
    #expect(left("unkept.raw") == [])
  }

  /// The laptop has received some of it, and the program that sends the rest is stopped.
  private func begin(_ name: String) throws -> (giving: Screen, taking: Screen, sender: Int32) {
    let (giving, taking) = try take(name, into: name)
    try taking.wait(toShow: "0 %")
    let part = place(name, on: laptop) + ".part"
    let writes = try FolderEvents(writesTo: part)
    try writes.wait(for: "bytes in \(part)", lastState: { taking.text }) { () -> Void? in
      try FilePath(part).status().size > 0 ? () : nil
    }
    let shell = try #require(try giving.process)
    let sender = try #require(Descendants.all(of: shell).first)
    kill(sender, SIGSTOP)
    return (giving, taking, sender)
  }

  /// The desktop offers so many zeros, and the laptop takes them.
  private func take(
    _ name: String, of size: Int = much, into path: String
  ) throws -> (giving: Screen, taking: Screen) {
    let file = place(name, on: desktop)
    try Files.replace(file, with: [])
    try #require(truncate(file, size) == 0)
    let giving = try start("give", file, on: desktop)
    try giving.wait(toShow: "\(name) is offered")
    let taking = try start("take", place(path, on: laptop), on: laptop)
    try taking.wait(toShow: "\(name) from desktop: Enter takes it")
    try taking.press("Enter")
    return (giving, taking)
  }

  /// Below a shell, since tmux lets its own programs go on that were stopped.
  private func start(_ word: String, _ file: String, on device: Device) throws -> Screen {
    // A point in its name would begin the name of a part of it.
    let name = Files.name(of: file).prefix { $0 != "." }
    return try devices.terminals.open(
      "\(device.name)-\(name)", ["sh", "-c", "\"$0\" \"$@\"; exit", programs + "/snip", word, file],
      environment: device.environment)
  }

  /// What lies in the laptop's home of that name, and of names that begin so.
  private func left(_ name: String) -> [String] {
    Files.list(laptop.root + "/home").filter { $0.contains(name) }
  }
}
