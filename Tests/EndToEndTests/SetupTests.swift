// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What `make` installs for what, on a machine where nothing is installed and whose `apt-get` notes its
/// arguments.
@Suite(.waiting) struct SetupTests {
  private static let root = URL(filePath: #filePath + "/../../..").standardized.path
  /// What the one that stands in for `apt-get` says when it has noted an installation.
  private static let installed = "apt-get was called to install"
  private let sandbox: Sandbox
  private var calls: String { sandbox.directory + "/calls" }

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    sandbox = try Sandbox()
    for (name, script) in [
      ("dpkg-query", "exit 1"),
      ("apt-get", "echo \"$@\" >>'\(sandbox.directory)/calls'; echo \"apt-get was called to $1\""),
      ("sudo", "exec \"$@\""),
    ] {
      let path = sandbox.directory + "/bin/" + name
      try Files.replace(path, with: Array("#!/bin/sh\n\(script)\n".utf8))
      #expect(chmod(path, 0o755) == 0)
    }
  }

  private var environment: [String: String] {
    ["PATH": sandbox.directory + "/bin:/usr/local/bin:/usr/bin:/bin"]
  }

  /// A terminal's first program gets the PATH of whoever opens it.
  private var onTerminal: [String] {
    ["env", "PATH=" + (environment["PATH"] ?? ""), "make", "-s", "-C", Self.root, "setup-demo"]
  }

  private func close() { sandbox.close(keepingFiles: false, endingProcesses: false) }

  /// What is installed where nobody can be asked.
  private func packages(of target: String) throws -> (said: String, installed: Set<String>) {
    let said = try ChildProcess.run("make", ["-s", "-C", Self.root, target], environment: environment)
    let call = (Files.text(calls) ?? "").split(separator: "\n").last ?? ""
    try Files.remove(calls)
    return (
      said, Set(call.split(separator: " ").drop { $0 == "install" || $0.hasPrefix("-") }.map(String.init))
    )
  }

  @Test func eachTargetInstallsWhatItNeedsAndListsIt() throws {
    defer { close() }
    let build = try packages(of: "setup-build").installed
    let (said, demo) = try packages(of: "setup-demo")
    let all = try packages(of: "setup").installed
    #expect(
      build.contains("libsqlite3-dev") && build.isStrictSubset(of: demo) && demo.isStrictSubset(of: all))
    #expect(demo.subtracting(build) == ["syncthing", "tmux"])
    #expect(all.isSuperset(of: ["emacs-nox", "neovim", "valgrind", "unison"]))
    for package in demo { #expect(said.contains(package)) }
  }

  @Test func whatTheDemoAndTheTestsAskForIsThat() throws {
    defer { close() }
    let makefile = try #require(Files.text(Self.root + "/Makefile"))
    func needs(_ target: String) -> [Substring] {
      let line =
        makefile.split(separator: "\n").first { $0.hasPrefix(target + ":") && $0.contains("##") } ?? ""
      return line.dropFirst(target.count + 1).prefix { $0 != "#" }.split(separator: " ")
    }
    #expect(needs("demo").first == "setup-demo" && needs("test").first == "setup")
    #expect(needs("build") == ["setup-build"] && needs("programs") == ["setup-build"])
    #expect(needs("library") == ["setup-build"] && needs("unit") == ["setup-build"])
  }

  @Test(arguments: [("n", false), ("y", true), ("", true)])
  func onATerminalAPersonIsAsked(answer: String, isInstalled: Bool) throws {
    let terminals = try TerminalServer(in: sandbox.directory)
    defer {
      terminals.stop()
      close()
    }
    let screen = try terminals.open(
      "terminal", onTerminal, environment: environment, columns: 120)
    try screen.wait(toShow: "syncthing", "Install them now with apt-get? [Y/n]")
    #expect(Files.read(calls) == nil)
    if !answer.isEmpty { try screen.type(answer) }
    try screen.press("Enter")
    try screen.wait(toShow: isInstalled ? Self.installed : "Nothing was installed.")
    #expect((Files.read(calls) != nil) == isInstalled)
  }

  @Test func aBuildServerIsNotAsked() throws {
    let terminals = try TerminalServer(in: sandbox.directory)
    defer {
      terminals.stop()
      close()
    }
    let screen = try terminals.open(
      "terminal", onTerminal,
      environment: environment.merging(["CI": "true"]) { $1 }, columns: 120)
    try screen.wait(toShow: Self.installed)
    #expect(Files.read(calls) != nil)
  }
}
