// SPDX-License-Identifier: MIT

import LinuxSystem
import Foundation
import TestSupport
import Testing

@testable import fixtures

/// docs/authors/embedding.md: its listings are compiled, and hand documents from each to another.
@Suite(.serialized, .waiting) struct EmbeddingPageTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path

  private static func text() throws -> String {
    try #require(Files.text(root + "/docs/authors/embedding.md"))
  }

  @Test(.timeLimit(.minutes(10))) func programsInEachLanguageHandOverToOneAnother() throws {
    let reader = try EmbeddingReader(try GuidePage(Self.text()), of: Self.root)
    try reader.handOver("from-c-to-lua.md", from: "pager.c", to: "pager.lua")
    try reader.handOver("from-lua-to-lisp.md", from: "pager.lua", to: "pager.el")
    try reader.handOver("from-lisp-to-c.md", from: "pager.el", to: "pager.c")
    try reader.handOver("from-python-to-c.md", from: "leaf.py", to: "pager.c")
    try reader.handOver("from-glib-to-lisp.md", from: "joined-glib.c", to: "pager.el")
    try reader.leave("from-qt.md", by: "joined-qt.cpp", where: "Qt6Core")
  }

  @Test func theListingsAreAsShortAsTheyCanBe() throws {
    let listings = try GuidePage(Self.text()).listings
    #expect(listings.count == 6)
    for (name, limit) in ["pager.c": 40, "leaf.py": 20] {
      let lines = try #require(listings[name]).count { $0 == "\n" }
      #expect(lines <= limit, "\(name) has \(lines) lines")
    }
  }

  @Test func theTableOfErrorsIsThatOfTheCode() throws {
    let rows = try Self.text().matches(of: /\| (\d+) \| `(\w+)` \|/).map { "\($0.1) \($0.2)" }
    let source = try #require(
      Files.text(Self.root + "/Sources/Core/ActivityModel/Messages/ContinuityError.swift"))
    let declared = source.matches(of: /static let (\w+) = Self\(rawValue: (\d+)\)/).map { "\($0.2) \($0.1)" }
    #expect(rows.count == 20 && rows.sorted() == declared.sorted())
  }
}

extension GuidePage {
  /// The text of each file.
  fileprivate var listings: [String: String] {
    var found: [String: String] = [:]
    for case .file(let name, let text) in steps { found[name] = text }
    return found
  }

  /// What is typed after each file.
  fileprivate var commands: [String: String] {
    var found: [String: String] = [:]
    var last: String?
    for step in steps {
      switch step {
      case .file(let name, _): last = name
      case .commands(let text): if let last { found[last] = text.replacing("\n", with: "") }
      case .terminal: break
      }
    }
    return found
  }
}

/// Somebody who has installed the library and writes down what the page says.
private final class EmbeddingReader {
  private let page: GuidePage
  private let devices: TwoDevices
  private let folder: String
  private let prefix: String

  init(_ page: GuidePage, of root: String) throws {
    self.page = page
    devices = try TwoDevices()
    folder = devices.player.sandbox.directory + "/programs"
    prefix = devices.player.sandbox.directory + "/installed"
    try install(from: root)
    for (name, text) in page.listings { try Files.replace(folder + "/" + name, with: Array(text.utf8)) }
    for (name, command) in page.commands where command.contains("pkg-config") {
      if command.contains("Qt6Core"), !isThere("Qt6Core") { continue }
      try run(command, named: name)
    }
  }

  /// As `make install` does it, with the library as it is built for tests.
  private func install(from root: String) throws {
    let source = root + "/Sources/App/CContinuo"
    let manager = FileManager.default
    try Files.makeDirectory(prefix + "/lib/pkgconfig")
    try manager.copyItem(atPath: source + "/include", toPath: prefix + "/include")
    let built = devices.player.sandbox.programs["libcontinuo-c.so"]
    for name in ["libcontinuo.so", "libcontinuo.so.0"] {
      try manager.createSymbolicLink(atPath: prefix + "/lib/" + name, withDestinationPath: built)
    }
    let description = try #require(Files.text(source + "/continuo.pc.in"))
      .replacing("@PREFIX@", with: prefix).replacing("@LIBDIR@", with: "lib")
      .replacing("@VERSION@", with: "0")
    try Files.replace(prefix + "/lib/pkgconfig/continuo.pc", with: Array(description.utf8))
  }

  /// One program leaves a document on the desktop, the other one takes it on the laptop.
  func handOver(_ path: String, from leaving: String, to taking: String) throws {
    let left = try leave(path, by: leaving)
    defer { left.signal(.kill) }
    let taken = try start(taking, on: devices.laptop.device, leaving: nil)
    defer { taken.signal(.kill) }
    let place = devices.laptop.device.folder + "/" + path + ":1:3"
    try taken.waitForOutput("\(taking) to be told \(place)", within: 60) { $0.contains(place) }
  }

  /// A program leaves a document on the desktop, of which the laptop is told; only where it can be built.
  func leave(_ path: String, by leaving: String, where package: String) throws {
    guard isThere(package) else { return }
    try leave(path, by: leaving).signal(.kill)
  }

  private func leave(_ path: String, by leaving: String) throws -> ChildProcess {
    try devices.write(path, "first line\nsecond line\n")
    try devices.player.perform(.everythingIsDelivered)
    let file = devices.desktop.device.folder + "/" + path
    let left = try start(leaving, on: devices.desktop.device, leaving: file)
    do {
      try devices.player.perform(.everythingIsDelivered)
      try devices.player.perform(.seesAnnouncedAsOn(device: "laptop", path: path, other: "desktop"))
    } catch {
      left.signal(.kill)
      throw error
    }
    return left
  }

  /// As the page says; what was compiled is started by its name.
  private func start(_ name: String, on device: Device, leaving file: String?) throws -> ChildProcess {
    let program = name.prefix { $0 != "." }
    let command = try #require(page.commands[name])
    let words =
      command.contains("pkg-config")
      ? "./\(program)" + (file.map { " " + $0 } ?? "")
      : command.replacing("~/Notes/plan.md", with: file ?? "")
    var environment = device.environment
    environment["LD_LIBRARY_PATH"] = prefix + "/lib:" + device.programs.directory
    environment["CONTINUO_FILE"] = file
    return try ChildProcess("/bin/sh", ["-c", "cd '\(folder)' && exec \(words)"], environment: environment)
  }

  private func run(_ command: String, named name: String) throws {
    let warnings = command.hasPrefix("cc ") ? "-Wall -Wextra -Wpedantic -Werror " : ""
    let space = command.firstIndex(of: " ") ?? command.endIndex
    let whole = command[..<space] + " " + warnings + command[space...]
    _ = try ChildProcess.run(
      "/bin/sh", ["-e", "-c", "cd '\(folder)' && \(whole)"], environment: environment, within: 120)
  }

  private func isThere(_ package: String) -> Bool {
    (try? ChildProcess.run("pkg-config", ["--exists", package], environment: environment)) != nil
  }

  private var environment: [String: String] {
    ["PATH": "/usr/local/bin:/usr/bin:/bin", "PKG_CONFIG_PATH": prefix + "/lib/pkgconfig"]
  }
}
