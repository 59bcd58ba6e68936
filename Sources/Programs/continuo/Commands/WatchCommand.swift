// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import Glibc

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Tell what changes in a folder, until Ctrl-C.",
    discussion: """
      The folder need not be registered, and no agent is asked. A name is told once it was quiet for a \
      moment, with what is there then. Says so when folders can only be looked at every few seconds.

      Exit codes: 1 there is no such folder, or it is gone; it does not end otherwise.
      """)

  @Argument(help: "The folder; everything below it counts.")
  var directory: String

  @Flag(help: "Print a JSON object a line; `continuo-watch --help` explains them.")
  var json = false

  @Flag(help: "Print what the kernel reports, too, as it comes.")
  var raw = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      try checkFolder()
      // The watch process takes this one's place, and with it the terminal and the signals.
      let options = (json ? ["--json", "--settled"] : ["--text"]) + (raw ? ["--raw"] : [])
      try become(["continuo-watch"] + options + ["--", directory])
    }
  }

  private func checkFolder() throws(ContinuityError) {
    var status = stat()
    guard stat(directory, &status) == 0 else {
      throw ContinuityError(
        .folderUnavailable, subject: directory,
        "\(directory): \(String(cString: strerror(errno))); check the path.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw ContinuityError(
        .folderUnavailable, subject: directory, "\(directory) is a file; name the folder that holds it.")
    }
  }

  private func become(_ arguments: [String]) throws(ContinuityError) {
    var copies = arguments.map { strdup($0) } + [nil]
    execv(beside, &copies)
    execvp("continuo-watch", &copies)
    throw ContinuityError(
      .agentUnavailable, subject: "continuo-watch",
      "continuo-watch is neither beside continuo nor in PATH: install it.")
  }

  private var beside: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "continuo-watch"
  }
}
