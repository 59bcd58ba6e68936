// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser

struct FolderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder", abstract: "Register the folders that a sync engine keeps alike on your devices.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Register a synced folder on this device.")

    @Argument(help: "The folder, as it lies on this device.")
    var path: String

    @Option(help: "What to call it; by default its last name.")
    var name: String?

    @Flag(
      help: ArgumentHelp(
        "Give a copy of another folder an identity of its own.",
        discussion: "Only for a copy that no sync engine keeps in step with the folder it was copied from."))
    var newIdentity = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let answer = try AgentSession().ask(
          .addFolder(path: Terminal.absolutePath(path), name: name, newIdentity: newIdentity))
        if case .done(let sentence) = answer { Terminal.say(sentence) }
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the registered folders.")

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        guard case .folders(let folders) = try AgentSession().ask(.listFolders) else { return }
        if json { return JSONOutput.say(folders.map(FolderRow.init)) }
        if folders.isEmpty {
          Terminal.hint("No folder is registered: `continuo folder add PATH` registers one.")
        }
        for folder in folders {
          let away = folder.refused == nil ? "not there now" : "not used"
          Terminal.say(
            "\(folder.name)  \(Terminal.shown(folder.path))\(folder.isPresent ? "" : "  (\(away))")")
        }
        for refusal in folders.compactMap(\.refusal) { Terminal.hint(refusal) }
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a folder on this device; its files stay.")

    @Argument(help: "The folder's path or name.")
    var folder: String

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        if case .done(let sentence) = try AgentSession().ask(.removeFolder(folder)) { Terminal.say(sentence) }
      }
    }
  }
}

/// One folder as `folder list --json` prints it.
struct FolderRow: Encodable {
  var name: String
  var path: String
  /// The path, every byte of it.
  var url: String
  var isPresent: Bool
  /// Why it is not used, though it may be there; nil where it is used.
  var refusal: String?

  init(_ folder: SyncedRoot) {
    name = folder.name
    path = Terminal.shown(folder.path)
    url = FileURL.text(of: folder.path)
    isPresent = folder.isPresent
    refusal = folder.refusal.map { DisplayText.shown($0) }
  }
}
