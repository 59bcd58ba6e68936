// SPDX-License-Identifier: MIT

import Foundation
import Glibc

extension ScreenPlayer {
  /// The editor beside this test's own bundle, else in the default build directory.
  static func program() throws -> String {
    let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
      .map { URL(filePath: $0).deletingLastPathComponent() }
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let usual = EditingScript.folder.appending(path: "../../.build/debug").standardizedFileURL
    let places = bundles + [URL(filePath: own).deletingLastPathComponent(), usual]
    let found = places.map { $0.appending(path: "continuo-edit").path }.first { access($0, X_OK) == 0 }
    guard let found else {
      throw EditingScript.Mistake(description: "continuo-edit is not built: swift build")
    }
    return found
  }

  /// Runs a program to its end and returns what it wrote; throws that when it failed.
  ///
  /// Through a file, for a server that the program leaves behind would hold a pipe open.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let output = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)").path
    defer { unlink(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // The thread of a test may have signals blocked; what it starts is to hear of a new size.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawnp(&process, program, &actions, &attributes, &words, environ)
    var status: Int32 = 0
    while code == 0, waitpid(process, &status, 0) < 0, errno == EINTR {}
    let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    guard code == 0, status == 0 else {
      throw EditingScript.Mistake(description: "\(program) \(arguments.joined(separator: " ")): \(text)")
    }
    return text
  }
}
