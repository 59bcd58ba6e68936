// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// Writer's extension without Writer: `Fixtures/embedded` and `fixtures editors` play it in the real one.
@Suite("Writer's extension", .waiting)
struct LibreOfficeExtensionTests {
  private static let extensionFolder = KnownEditors.plugins + "/continuo.libreoffice"

  private func python(_ arguments: String...) throws -> ChildProcess {
    let child = try ChildProcess(
      "/usr/bin/python3", arguments, environment: ["LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"])
    try child.waitForExit(within: 60)
    return child
  }

  @Test("Places, locks and origins are told as they are")
  func pureParts() throws {
    let script = DesktopSession.checkout + "/Tests/EditorsTests/LibreOffice/pure_tests.py"
    let child = try python(script, Self.extensionFolder)
    #expect(child.exit == .code(0) && child.errorText.hasSuffix("\nOK\n"), "\(child.state)")
  }

  @Test("Its package is the same bytes each time, and holds all that its manifest lists")
  func package() throws {
    let scratch = try Scratch("oxt")
    let files = [scratch.path + "/one.oxt", scratch.path + "/two.oxt"]
    for file in files {
      let child = try python(Self.extensionFolder + "/pack.py", "1.2.3", file)
      #expect(child.exit == .code(0), "\(child.state)")
    }
    #expect(Files.read(files[0]) == Files.read(files[1]))
    let laid = scratch.path + "/laid"
    _ = try python(Self.extensionFolder + "/pack.py", "1.2.3", laid)
    #expect(Files.text(laid + "/description.xml")?.contains("version value=\"1.2.3\"") == true)
    #expect(Files.read(laid + "/pythonpath/continuo/editing/continuity.py") != nil)
    let manifest = try #require(Files.text(laid + "/META-INF/manifest.xml"))
    let listed = manifest.matches(of: /full-path="([^"]+)"/).map { String($0.output.1) }
    #expect(listed.count == 5)
    for name in listed { #expect(Files.read(laid + "/" + name) != nil, "\(name)") }
  }

  @Test("Its files are short and begin with the licence")
  func files() {
    let files = Files.list(Self.extensionFolder).filter { $0.hasSuffix(".py") }
    #expect(files.count >= 12)
    for file in files {
      let lines = (Files.text(Self.extensionFolder + "/" + file) ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.prefix(2).contains("# SPDX-License-Identifier: MIT"), "\(file)")
      #expect(lines.count <= 500 && lines.allSatisfy { $0.count <= 120 }, "\(file)")
    }
  }
}
