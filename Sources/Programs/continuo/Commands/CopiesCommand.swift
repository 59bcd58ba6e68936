// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem

struct CopiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copies",
    abstract: "List documents that were opened before their folder had them, or write one into its folder.",
    subcommands: [List.self, Place.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the private copies of documents.",
      discussion: CommandEnd.help(
        """
        A document that another device sent over the LAN is opened in a copy of its own, as long as the sync \
        engine has not brought that version. What is saved goes there, and into the folder once it has.
        """))

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        guard case .copies(let copies) = try AgentSession().ask(.copies) else { return }
        if json { return JSONOutput.say(copies.map(CopyRow.init)) }
        if copies.isEmpty { Terminal.hint("Every document lies in its folder.") }
        for copy in copies { Terminal.say(copy.row) }
        if copies.contains(where: \.isChanged) {
          Terminal.hint(
            "What was saved goes into its folder once the sync engine has brought the version that was "
              + "opened; `continuo copies place PATH` does not wait.")
        }
      }
    }
  }

  struct Place: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a private copy into its folder, whether or not the sync engine has come that far.",
      discussion: CommandEnd.help(
        """
        Over a file that holds an earlier version, as a new file, or else beside it as a conflict copy. The \
        sync engine may find a conflict then, on both devices; nothing is lost.
        """,
        ends: [.done: "it is in the folder", .failed: "it is not, and the sentence says why"]))

    @Argument(help: "The copy, or its document in the folder.", completion: .file())
    var path: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session = try AgentSession()
        let path = try DocumentPath.resolve(path)
        guard case .done(let sentence) = try session.ask(.placeCopy(path)) else { return }
        if json { return JSONOutput.say(["message": DisplayText.shown(sentence)]) }
        Terminal.say(sentence)
      }
    }
  }
}

extension DocumentCopy {
  /// For people, in one row.
  fileprivate var row: String {
    let state = isChanged ? "saved, not in the folder yet" : "unchanged"
    let obstacle = problem.map { "  (\(DisplayText.shown($0)))" } ?? ""
    let document = document.map { Terminal.shown($0) } ?? "its folder is not registered"
    return "\(document)  \(state)\(isOpen ? ", open" : "")  \(Terminal.shown(path))\(obstacle)"
  }
}

/// One copy as `copies list --json` prints it.
struct CopyRow: Encodable {
  /// The copy.
  var path: String
  /// The path, every byte of it.
  var url: String
  /// Where the document belongs.
  var document: String?
  /// Of the document, every byte.
  var documentURL: String?
  var folder: String
  /// Whether it holds a text that the folder does not have.
  var isChanged: Bool
  var isOpen: Bool
  /// Why it could not be written into the folder.
  var problem: String?

  init(_ copy: DocumentCopy) {
    path = Terminal.shown(copy.path)
    url = FileURL.text(of: copy.path)
    document = copy.document.map { Terminal.shown($0) }
    documentURL = copy.document.map { FileURL.text(of: $0) }
    folder = DisplayText.shown(copy.folderName)
    (isChanged, isOpen) = (copy.isChanged, copy.isOpen)
    problem = copy.problem.map { DisplayText.shown($0) }
  }
}
