// SPDX-License-Identifier: MIT

import Continuo
import Dispatch
import Foundation
import LinuxSystem

/// Two texts that are compared, in a folder of their own below the user's state: on the disk before anybody
/// decides about them, and what git reads.
struct ComparedTexts: Sendable {
  /// The folder of this comparison.
  let folder: FilePath

  private static let yours = Array("yours".utf8)
  private static let other = Array("other".utf8)
  private static let printed = Array("differences".utf8)
  /// How long texts of a comparison that was saved, or that nobody ended, are kept.
  private static let lifetime = Duration.seconds(30 * 24 * 3600)
  /// The longest that git may take.
  private static let patience = Duration.seconds(60)

  /// Both texts are on the disk when this returns. Throws, and leaves nothing, when the disk does not take
  /// them.
  init(yours: [UInt8], other: [UInt8], below url: URL) throws(ContinuityError) {
    let state = Self.path(url)
    do throws(Errno) {
      state.makeFolders(mode: 0o700)
      folder = try state.appending(Array("texts-".utf8)).makeUniqueFolder()
    } catch {
      throw Self.failure(state, error)
    }
    do throws(Errno) {
      try RecoveryFile.create(folder.appending(Self.yours), yours)
      try RecoveryFile.create(folder.appending(Self.other), other)
      folder.synchronizeFolder()
      state.synchronizeFolders()
    } catch {
      remove()
      throw Self.failure(state, error)
    }
  }

  private static func failure(_ state: FilePath, _ error: Errno) -> ContinuityError {
    ContinuityError(
      .documentUnreadable, subject: state.shown,
      description:
        "The two texts are not compared, for they cannot be kept in \(state.shown): \(error.clause).")
  }

  /// Takes both texts away.
  func remove() {
    for name in [Self.yours, Self.other, Self.printed] { try? folder.appending(name).unlink() }
    try? folder.removeFolder()
  }

  private static func path(_ state: URL) -> FilePath { FilePath(state.path(percentEncoded: false)) }

  /// Takes away what was kept below `url` for longer than 30 days. Blocks, on any thread.
  static func forgetOld(below url: URL) {
    let state = path(url)
    let names = (try? state.names()) ?? []
    for name in names where name.starts(with: "texts-".utf8) {
      let old = state.appending(name)
      guard let status = try? old.status(followingLinks: false), status.kind == .folder,
        status.stamp.ageOfContent > lifetime
      else { continue }
      for file in (try? old.names()) ?? [] { try? old.appending(file).unlink() }
      try? old.removeFolder()
    }
  }

  // MARK: Comparing

  /// What git prints of where they differ; waits for it on another thread. Throws a sentence that says what
  /// to install where git is missing.
  func unifiedDiff() async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { answer in
      DispatchQueue.global(qos: .userInitiated).async {
        answer.resume(with: Result { try runGit() })
      }
    }
  }

  private func runGit() throws(ContinuityError) -> [UInt8] {
    let printed = folder.appending(Self.printed)
    // It holds lines of both texts, and nobody reads it again.
    defer { try? printed.unlink() }
    do throws(Errno) {
      let nowhere = try FilePath("/dev/null").open([.readWrite])
      let output = try printed.open([.writeOnly, .create, .truncate, .noFollow], mode: 0o600)
      // None of the folder that the editor happens to be started in.
      let programs = InstalledProgram.inSearchPath("git")
      guard let program = programs.first(where: { $0.hasPrefix("/") && FilePath($0).allows(.execute) }) else {
        throw Errno.noSuchFile
      }
      var start = ChildProcess.Start(program, arguments: Self.words, environment: Self.environment)
      start.paths = [folder.appending(Self.yours), folder.appending(Self.other)]
      start.standard = [nowhere.number, output.number, nowhere.number]
      let git = try ChildProcess(start)
      // 0 is for texts that are the same, 1 for others.
      guard [.code(0), .code(1)].contains(try git.wait(atMost: Self.patience)) else {
        throw Errno.inputOutput
      }
      return try printed.open([.readOnly, .noFollow]).readToEnd()
    } catch {
      throw Self.sentence(error)
    }
  }

  private static func sentence(_ error: Errno) -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: "git",
      description: error == .noSuchFile
        ? "To show both texts side by side git is needed, and it is not installed: install it, on Debian "
          + "with sudo apt install git."
        : "git could not compare the two texts; both stay as they are.")
  }

  /// Nothing that a person, a repository or another program has configured has a say in it.
  private static let words = [
    "-C", "/", "-c", "core.pager=cat", "diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color",
    "--no-renames", "--unified=0", "--inter-hunk-context=0", "--text", "--",
  ]

  private static var environment: [String: String] {
    [
      "PATH": CurrentProcess.variable("PATH") ?? "/usr/bin:/bin", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": "/",
    ]
  }
}
