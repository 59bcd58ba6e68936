// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

@testable import continuo_desktop

/// A session of its own: a bus, other programs of a desktop on it, and `continuo-desktop serve`.
final class ServedDesktop {
  let scratch: Scratch
  /// What the bus and the programs have; `continuo-desktop` too, when it is started.
  var environment: [String]
  private(set) var bus: FramedProgram?
  private var others: FramedProgram?
  private var served: FramedProgram?

  private static let packages =
    "not installed: apt-get install dbus dbus-daemon python3-dbusmock (or `make setup`)"

  init() throws {
    for path in ["/usr/bin/dbus-daemon", "/usr/lib/python3/dist-packages/dbusmock/__init__.py"] {
      guard access(path, R_OK) == 0 else { throw Scratch.Failure(description: "\(path): \(Self.packages)") }
    }
    scratch = try Scratch("served")
    for name in ["home", "run", "data", "data/applications", "config"] {
      try scratch.folder(name, mode: 0o700)
    }
    environment = [
      "PATH=/usr/bin:/bin", "HOME=\(scratch.path)/home", "XDG_RUNTIME_DIR=\(scratch.path)/run",
      "XDG_DATA_HOME=\(scratch.path)/data", "XDG_DATA_DIRS=/usr/share",
      "XDG_CONFIG_HOME=\(scratch.path)/config",
    ]
  }

  /// The path of the bus's socket.
  var socket: String { "\(scratch.path)/run/bus" }

  /// - Parameter services: Lines of a configuration that say what the bus may start.
  func startBus(services: String = "") throws {
    let configuration = "\(scratch.path)/bus.conf"
    try Scratch.write(
      """
      <busconfig><type>session</type><listen>unix:path=\(socket)</listen>\(services)
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy></busconfig>
      """, to: configuration)
    let bus = try FramedProgram(
      ["/usr/bin/dbus-daemon", "--config-file=\(configuration)", "--nofork", "--print-address"],
      environment: environment)
    _ = try bus.line()
    self.bus = bus
  }

  /// The bus ends, and its socket is gone.
  func stopBus() throws {
    others = nil
    bus = nil
    unlink(socket)
  }

  /// The other programs; none has a name yet.
  func stage() throws -> FramedProgram {
    if let others { return others }
    let script = "\(Self.root)/Tests/DesktopTests/Service/stage.py"
    let program = try FramedProgram(
      ["/usr/bin/python3", script],
      environment: environment + ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(socket)"])
    others = program
    return program
  }

  /// Has the other programs do something, and waits until it is done.
  func order(_ fields: String...) throws {
    try stage().send([fields])
    _ = try stage().next("ready")
  }

  /// `continuo-desktop serve`, in this language the first time.
  func service(in language: String = "en") throws -> FramedProgram {
    if let served { return served }
    let program = try Self.program(["serve", language], environment: environment)
    served = program
    return program
  }

  /// `continuo-desktop`.
  static func program(_ arguments: [String], environment: [String]) throws -> FramedProgram {
    try FramedProgram(["\(programs)/continuo-desktop"] + arguments, environment: environment)
  }

  /// A bus, a server of notifications on it, and the service, which knows it.
  func notifying(
    _ capabilities: [String] = ["actions", "body", "body-markup"], mode: String = "willing",
    in language: String = "en"
  ) throws -> (service: FramedProgram, stage: FramedProgram) {
    try startBus()
    try stage().send([["notifications", mode] + capabilities])
    _ = try stage().next("ready")
    let service = try service(in: language)
    guard try service.next() == ["server", "present"] + capabilities else {
      throw Scratch.Failure(description: "no server was found")
    }
    return (service, try stage())
  }

  private static let root = {
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/")
  }()

  /// Beside the tests.
  private static let programs = {
    var path = [CChar](repeating: 0, count: 4096)
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
    guard !bundle.isEmpty, realpath(bundle, &path) != nil else { return root + "/.build/debug" }
    let real = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return real.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()
}
