// SPDX-License-Identifier: MIT

import LinuxSystem
import TestSupport
import Testing

@testable import fixtures

/// The package for Emacs, in a real Emacs without a terminal.
@Suite(.waiting) struct EmacsPackageTests {
  private static let root = Files.parent(of: Files.parent(of: Files.parent(of: #filePath)))
  private static let package = root + "/Sources/Editors/continuo.el"

  @Test func itDoesWhatItsOwnTestsSay() throws {
    let said = try Self.emacs(
      "-L", Self.package, "-l", Self.root + "/Tests/EditorsTests/Emacs/continuo-tests.el",
      "-f", "ert-run-tests-batch-and-exit")
    #expect(said.contains(", 0 unexpected"))
    #expect(said.contains("Ran ") && !said.contains("Ran 0 "))
  }

  /// Installs it as a person does, with warnings as errors: what is byte-compiled is complete.
  @Test func itIsInstalledWithoutAWarningAndExplainsItself() throws {
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    let said = try Self.emacs(
      "--eval", "(setq package-user-dir \"\(sandbox.directory)/elpa\" byte-compile-error-on-warn t)",
      "--eval", "(progn (require (quote package)) (package-install-file \"\(Self.package)\"))",
      "--eval", "(progn (require (quote continuo)) (finder-commentary \"continuo\"))",
      "--eval", "(princ (format \"%s %s\" (locate-library \"continuo\") (buffer-string)))")
    #expect(!said.contains("Warning") && !said.contains("Error"))
    #expect(said.contains(sandbox.directory + "/elpa/continuo-"))
    #expect(said.contains("M-x continuo-resume"))
    let compiled = Files.list(sandbox.directory + "/elpa").filter { $0.hasSuffix(".elc") }
    #expect(compiled.count >= 3)
  }

  @Test func itsDocumentationIsAsEmacsWantsIt() throws {
    let files = Files.list(Self.package).filter { $0.hasSuffix(".el") }
    let parts = ["drafts", "health", "place", "recent", "server", "versions"].map { "continuo-\($0).el" }
    #expect(files == parts + ["continuo.el"])
    let sandbox = try Sandbox()
    defer { Files.removeTree(sandbox.directory) }
    for file in files {
      try Files.replace(sandbox.directory + "/" + file, with: Files.read(Self.package + "/" + file) ?? [])
      let said = try Self.emacs("--eval", "(checkdoc-file \"\(sandbox.directory)/\(file)\")")
      #expect(said.isEmpty, "\(file): \(said)")
    }
  }

  /// What it prints, on both streams.
  private static func emacs(_ arguments: String...) throws -> String {
    // Emacs that has no home makes itself one, in the folder that it is started in.
    let home = try Scratch("emacs")
    let child = try ChildProcess(
      "emacs", ["-Q", "--batch"] + arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "LANG": "C.UTF-8"])
    let exit = try child.waitForExit(within: 300)
    let said = child.outputText + child.errorText
    if exit != .code(0) { throw Failure("Emacs to end with 0", lastSeen: said) }
    return said
  }
}
