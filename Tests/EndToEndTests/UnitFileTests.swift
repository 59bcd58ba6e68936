// SPDX-License-Identifier: MIT

import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// The units of systemd, as they are installed.
@Suite(.waiting) struct UnitFileTests {
  private static let packaging =
    URL(filePath: #filePath + "/../../..").standardized.path + "/Sources/Packaging/"

  private func settings(_ name: String) throws -> [String] {
    let text = try #require(Files.text(Self.packaging + name))
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  @Test func whatEndsByItselfIsConfinedAndWhatStartsAppsIsNot() throws {
    let bus = try settings("continuo-bus.service.in")
    for wanted in [
      "NoNewPrivileges=yes", "RestrictAddressFamilies=AF_UNIX", "LockPersonality=yes",
      "MemoryDenyWriteExecute=yes", "SystemCallFilter=@system-service", "UMask=0077", "LimitCORE=0",
    ] { #expect(bus.contains(wanted), "\(wanted)") }
    let agent = try settings("continuo.service.in")
    let inherited = [
      "NoNewPrivileges", "Restrict", "LockPersonality", "MemoryDeny", "SystemCall", "UMask", "Limit",
      "Protect",
      "Private", "Capability",
    ]
    // Settings that need a user namespace, which a user's manager may not have.
    let namespaces = ["Protect", "Private", "ReadOnly", "ReadWrite", "Inaccessible", "Bind", "DynamicUser"]
    #expect(agent.filter { line in inherited.contains { line.hasPrefix($0) } } == [])
    #expect(bus.filter { line in namespaces.contains { line.hasPrefix($0) } } == [])
  }

  @Test func systemdTakesThem() throws {
    guard SearchPath.holds("systemd-analyze") else {
      return Skipped.say("systemd-analyze is not installed: it is not asked about the units")
    }
    let folder = try Scratch("units")
    let names = ["continuo.service", "continuo-bus.service", "continuo.socket"]
    for name in names {
      let source = Self.packaging + name + (name.hasSuffix(".socket") ? "" : ".in")
      var text = try #require(Files.text(source))
      for program in ["continuo-desktop", "continuo"] {
        text.replace("@PREFIX@/bin/\(program) ", with: "/bin/true ")
      }
      try Scratch.write(text, to: folder.path + "/" + name)
    }
    let child = try ChildProcess(
      "systemd-analyze",
      ["--user", "verify", "--recursive-errors=no"] + names.map { folder.path + "/" + $0 },
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path])
    try child.waitForExit(within: 60)
    let told = child.errorText.split(separator: "\n").filter { $0.contains("continuo") }
    #expect(told.isEmpty, "\(child.state)")
    #expect(child.exit == .code(0), "\(child.state)")
  }
}
