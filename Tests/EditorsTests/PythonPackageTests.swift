// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// What the package for Python does: its tests are written in its own language.
@Suite("The package for Python", .waiting)
struct PythonPackageTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  private func run(_ module: String, within seconds: Int) throws {
    let scratch = try Scratch("python")
    let environment = [
      "HOME": scratch.path, "TMPDIR": scratch.path, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
      "PATH": try Programs().directory + ":/usr/local/bin:/usr/bin:/bin",
      "PYTHONPATH": [
        Self.root + "/Sources/Editors/continuo.python", Self.root + "/Tests/EditorsTests/Python",
      ].joined(separator: ":"),
    ]
    // Agents of a test that was given up.
    defer { Descendants.endAll(runningIn: scratch.path) }
    let child = try ChildProcess(
      "/usr/bin/python3", ["-m", "unittest", "-v", module], environment: environment)
    try child.waitForExit(within: seconds)
    // The failures first: of a long log often only the beginning of each is shown.
    let told = child.errorText
    let failures = told.firstRange(of: "=====").map { told[$0.lowerBound...] } ?? ""
    #expect(child.exit == .code(0), "\(failures)\n\(child.outputText) \(told)")
    // Not one that found no test, either.
    #expect(child.errorText.contains(/Ran [1-9]\d* test/), "\(child.errorText)")
  }

  @Test(
    "All that is told of it in Python holds",
    arguments: [
      "test_handoff", "test_faults", "test_editing", "test_hosts", "test_streams", "test_search",
      "test_recent", "test_together", "test_desktop_search",
    ])
  func module(_ name: String) throws { try run(name, within: 300) }

  @Test("The wheel is built, installed and typed, and runs the documentation's example")
  func package() throws { try run("test_package", within: 600) }
}
