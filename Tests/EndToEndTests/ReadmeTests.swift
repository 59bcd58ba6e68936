// SPDX-License-Identifier: MIT

import LinuxSystem
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fixtures

/// What the README shows is what compiles.
@Suite(.waiting) struct ReadmeTests {
  @Test func everySwiftListingCompilesAgainstTheBuiltModules() throws {
    let listings = try Self.listings()
    #expect(!listings.isEmpty, "README.md shows no Swift")
    for listing in listings {
      let child = try Self.compile(listing)
      #expect(child.exit == .code(0), "\(listing)\n\(child.errorText)")
    }
  }

  @Test func aListingThatDriftedDoesNotCompile() throws {
    for listing in try Self.listings() {
      let child = try Self.compile(listing.replacing("updateUserActivityState", with: "updateActivityState"))
      #expect(child.exit == .code(1), "\(child.state)")
    }
  }

  /// The Swift blocks of the README, in order.
  private static func listings() throws -> [String] {
    let root = URL(filePath: #filePath + "/../../..").standardized.path
    let page = try #require(Files.text(root + "/README.md"))
    return page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```").first ?? ""
    }
  }

  /// Type-checks as a file of an app would be that depends on the package.
  private static func compile(_ listing: String) throws -> ChildProcess {
    let sandbox = try Sandbox()
    defer { sandbox.close(keepingFiles: false, endingProcesses: false) }
    let file = sandbox.directory + "/App.swift"
    try Files.replace(file, with: Array(("import Continuo\nimport Foundation\n\n" + listing).utf8))
    let built = sandbox.programs.directory
    let moduleMaps = ["CLinux", "CDispatchMain"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(built)/\($0).build/module.modulemap"]
    }
    let child = try ChildProcess(
      "swiftc",
      ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
        + ["-module-cache-path", built + "/ModuleCache", "-I", built + "/Modules"] + moduleMaps + [file],
      environment: ProcessInfo.processInfo.environment)
    try child.waitForExit(within: 300)
    return child
  }
}
