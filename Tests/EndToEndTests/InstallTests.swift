// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import fixtures

/// What `make install` puts where, and which packages docs/users/using.md names.
@Suite(.waiting) struct InstallTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path
  private static let programs = [
    "continuo", "continuo-watch", "continuo-lan", "continuo-desktop", "continuo-edit",
  ]

  /// Installs files that only have the right names, and gives their paths below the prefix.
  private func play(_ action: String, in sandbox: Sandbox) throws -> [String] {
    let built = sandbox.directory + "/built"
    let share = ["libswift-standard.so", "man/man1/continuo-set.1"]
    let completions = ["continuo.bash", "_continuo", "continuo.fish"].map { "completions/" + $0 }
    for name in ["libcontinuo.so.0"] + Self.programs + share + completions {
      try Files.replace(built + "/" + name, with: [1])
    }
    try? FileManager.default.createSymbolicLink(
      atPath: built + "/libdispatch.so", withDestinationPath: "libswift-standard.so")
    let to = sandbox.directory + "/to"
    _ = try ChildProcess.run(
      Self.root + "/Sources/Packaging/install.sh",
      [action, to, "/usr/local", "lib", "0.1", "\(built):\(built):\(built):\(built)"] + Self.programs,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    return Files.list(to + "/usr/local").sorted()
  }

  @Test func allThatAHostNeedsIsInstalledAndTakenAwayAgain() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let installed = try play("install", in: sandbox)
    let wanted = [
      "include/continuo.h", "lib/pkgconfig/continuo.pc", "share/continuo/valgrind.supp",
      "lib/continuo/libswift-standard.so", "share/man/man1/continuo-set.1",
      "share/bash-completion/completions/continuo", "share/zsh/vendor-completions/_continuo",
      "share/fish/vendor_completions.d/continuo.fish", "share/applications/org.continuo.edit.desktop",
      "share/icons/hicolor/scalable/apps/org.continuo.edit.svg",
      "share/gnome-shell/search-providers/org.continuo.search-provider.ini",
      "share/krunner/dbusplugins/org.continuo.krunner.desktop",
    ]
    for path in wanted {
      #expect(installed.contains(path), "\(installed)")
    }
    // One library under several names, or the loader would load it as often.
    let linked = try FileManager.default.destinationOfSymbolicLink(
      atPath: sandbox.directory + "/to/usr/local/lib/continuo/libdispatch.so")
    #expect(linked == "libswift-standard.so")
    let service = sandbox.directory + "/to/usr/local/share/dbus-1/services/org.continuo.Agent.service"
    #expect(Files.text(service)?.contains("Exec=/usr/local/bin/continuo-desktop activate\n") == true)
    let search = Files.text(service.replacing("Agent", with: "Search"))
    #expect(search?.contains("Exec=/usr/local/bin/continuo-desktop search\n") == true)
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

  /// Both directions: what a person may install, and what is made.
  /// A page of an older release goes, one of another program stays, and so does what is beside it.
  @Test func anInstallationTakesAwayWhatThePreviousOneHadAndThisOneHasNot() throws {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let (built, pages) = (sandbox.directory + "/built", sandbox.directory + "/to/usr/local/share/man/man1")
    try Files.replace(built + "/man/man1/continuo-old.1", with: [1])
    #expect(try play("install", in: sandbox).contains("share/man/man1/continuo-old.1"))
    try Files.replace(pages + "/continuo-other.1", with: [1])
    try FileManager.default.removeItem(atPath: built + "/man/man1/continuo-old.1")
    let installed = try play("install", in: sandbox)
    #expect(!installed.contains("share/man/man1/continuo-old.1"))
    #expect(installed.contains("share/man/man1/continuo-set.1"))
    #expect(try play("uninstall", in: sandbox) == ["share/man/man1/continuo-other.1"])
    #expect(throws: (any Error).self) { try play("uninstall", in: sandbox) }
  }

  @Test func thePackagesThatThePageNamesAreThoseThatAreMade() throws {
    let page = try #require(Files.text(Self.root + "/docs/users/using.md"))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
    }
    let control = try #require(Files.text(Self.root + "/Sources/Packaging/debian/control"))
    let made = control.matches(of: /\nPackage: (\S+)/).map { String($0.1) }
    #expect(!made.isEmpty && named.sorted() == made.sorted())
  }

  /// `dh_missing` says the same, but takes a release build to do so.
  @Test func eachProgramIsInAPackage() throws {
    let folder = Self.root + "/Sources/Packaging/debian/"
    let packaged = ["continuo", "continuo-edit"].compactMap { Files.text(folder + $0 + ".install") }.joined()
    for program in Self.programs { #expect(packaged.contains("usr/bin/\(program)\n"), "\(program)") }
  }
}
