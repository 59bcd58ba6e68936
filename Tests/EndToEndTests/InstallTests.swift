// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import fixtures

/// What `make install` puts where, and what docs/users/using.md says of a machine that has no Swift.
@Suite(.waiting) struct InstallTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path
  private static let programs = ["continuo", "continuo-watch", "continuo-desktop", "continuo-edit"]

  /// Installs files that only have the right names, and gives their paths below the prefix.
  private func play(_ action: String, in sandbox: Sandbox) throws -> [String] {
    let built = sandbox.directory + "/built"
    for name in ["libcontinuo.so.0"] + Self.programs { try Files.replace(built + "/" + name, with: [1]) }
    let to = sandbox.directory + "/to"
    _ = try ChildProcess.run(
      Self.root + "/Sources/App/CContinuo/install.sh",
      [action, to, "/usr/local", "0.1", built, built] + Self.programs,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    return Files.list(to + "/usr/local").sorted()
  }

  @Test func allThatAHostNeedsIsInstalledAndTakenAwayAgain() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let installed = try play("install", in: sandbox)
    for path in ["include/continuo.h", "lib/pkgconfig/continuo.pc", "share/continuo/valgrind.supp"] {
      #expect(installed.contains(path), "\(installed)")
    }
    let service = sandbox.directory + "/to/usr/local/share/dbus-1/services/org.continuo.Agent.service"
    #expect(Files.text(service)?.contains("Exec=/usr/local/bin/continuo-desktop activate\n") == true)
    for unit in ["continuo.service", "continuo.socket", "continuo-bus.service"] {
      let text = Files.text(sandbox.directory + "/to/usr/local/lib/systemd/user/" + unit)
      #expect(text?.contains("[Unit]") == true && text?.contains("@PREFIX@") == false, "\(unit)")
    }
    let described = Files.text(sandbox.directory + "/to/usr/local/lib/pkgconfig/continuo.pc") ?? ""
    #expect(described.contains("suppressions=${prefix}/share/continuo/valgrind.supp"))
    let embedding = Files.text(Self.root + "/docs/authors/embedding.md")
    #expect(embedding?.contains("share/continuo/valgrind.supp") == true)
    #expect(try play("uninstall", in: sandbox) == [])
  }

  @Test func theProgramsThatThePageHasCopiedAreThoseThatAreInstalled() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let installed = try play("install", in: sandbox).filter { $0.hasPrefix("bin/") }.map { $0.dropFirst(4) }
    let page = try #require(Files.text(Self.root + "/docs/users/using.md"))
    let command = try #require(page.firstMatch(of: /tar -C \.build\/programs\/release -cf \S+ (.+)/))
    #expect(command.1.split(separator: " ").sorted() == installed.sorted())
    #expect(installed.map(String.init).sorted() == Self.programs.sorted())
  }

  /// By what the programs are linked with, but for Swift's own libraries, which are inside of installed ones.
  @Test func thePackagesThatThePageNamesAreThoseThatTheProgramsNeed() throws {
    let directory = try Programs().directory
    let own = /lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime).*|ld-linux.*|lib(c|m|gcc_s)\.so\.\d+/
    var packages: Set<String> = []
    for program in Self.programs {
      let dynamic = try ChildProcess.run(
        "readelf", ["-d", directory + "/" + program], environment: ["PATH": "/usr/bin:/bin"])
      for needed in dynamic.matches(of: /\(NEEDED\).*\[(.+)\]/) where needed.1.wholeMatch(of: own) == nil {
        let owner = try ChildProcess.run(
          "dpkg", ["-S", "*/" + needed.1], environment: ["PATH": "/usr/bin:/bin"])
        for line in owner.split(separator: "\n") {
          let name = String(line.prefix { $0 != ":" })
          packages.insert(name.hasSuffix("t64") ? String(name.dropLast(3)) : name)
        }
      }
    }
    let page = try #require(Files.text(Self.root + "/docs/users/using.md"))
    let named = try #require(page.firstMatch(of: /sudo apt install (lib.+)/)).1.split(separator: " ")
    #expect(named.map(String.init).sorted() == packages.sorted())
  }
}
