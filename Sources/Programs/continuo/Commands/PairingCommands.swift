// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

struct PairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Invite another device by twelve words.",
    discussion: """
      Prints the words on one line and ends. The agent waits for 24 hours for the answer of the other \
      device, which comes through the synced folders. Whoever knows the words can join: tell them to nobody.
      """)

  @Option(help: "What to call this device; by default its host name.")
  var deviceName: String?

  @Flag(help: "Close the open invitation.")
  var cancel = false

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let session = try AgentSession()
      switch try session.ask(cancel ? .cancelPairing : .pair(deviceName: deviceName)) {
      case .done(let sentence): Terminal.say(sentence)
      case .words(let words):
        Terminal.hint(
          "On the other device, first register its copy of the folder: continuo folder add FOLDER")
        Terminal.hint("Then run `continuo join` there, and type these words when it asks for them:")
        Terminal.say(words.joined(separator: " "))
        Terminal.hint("The agent waits for the answer for 24 hours; `continuo pair --cancel` ends that.")
      default: break
      }
    }
  }
}

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join a device that `continuo pair` was run on, by the twelve words that it printed.",
    discussion: "Asks for the words on the terminal, or reads them from a file. Nothing else is asked.")

  @Option(help: ArgumentHelp("Read the words from this file, or from standard input.", valueName: "FILE|-"))
  var wordsFile: String?

  @Option(help: "What to call this device; by default its host name.")
  var deviceName: String?

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let words = try words()
      let session = try AgentSession()
      Terminal.hint("Looking for the invitation in the synced folders …")
      let answer = try session.ask(.join(words: words, deviceName: deviceName), limit: .seconds(90))
      if case .joined(let inviter, let devices) = answer {
        Terminal.say("Paired with \(inviter). Devices: \(devices.joined(separator: ", ")).")
      }
    }
  }

  private func words() throws(ContinuityError) -> String {
    if let wordsFile {
      return try wordsFile == "-" ? read(BorrowedDescriptor.standardInput) : read(file: wordsFile)
    }
    guard BorrowedDescriptor.standardInput.isTerminal else {
      throw ContinuityError(
        .invalidRequest,
        description: "There is no terminal to ask for the words: give them with --words-file FILE, or - ."
      )
    }
    Terminal.ask("Words: ")
    var words = ""
    while words.split(whereSeparator: { !$0.isLetter }).count < 12, let line = readLine() {
      words += line + " "
    }
    return words
  }

  private func read(file: String) throws(ContinuityError) -> String {
    do throws(Errno) {
      return read(try FilePath(file).open(.readOnly))
    } catch {
      throw ContinuityError(
        .invalidRequest, subject: file,
        description: "\(file) cannot be read (\(error.text)): name the file that holds the twelve words.")
    }
  }

  /// Words need few bytes; what is longer is no file of words, and is refused as such by the count.
  private func read(_ file: some OpenDescriptor) -> String {
    String(decoding: (try? file.readToEnd(limit: 65536)) ?? [], as: UTF8.self)
  }
}
