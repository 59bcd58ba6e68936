// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

struct FolderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder", abstract: "Register the folders that a sync engine keeps alike on your devices.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Register a synced folder on this device.", discussion: CommandEnd.help())

    @Argument(help: "The folder, as it lies on this device.", completion: .directory)
    var path: String

    @Option(help: "What to call it; by default its last name.")
    var name: String?

    @Flag(
      help: ArgumentHelp(
        "Give a copy of another folder an identity of its own.",
        discussion: "Only for a copy that no sync engine keeps in step with the folder it was copied from."))
    var newIdentity = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session = try AgentSession()
        let before = json ? try FolderChange.folders(session) : []
        let path = Terminal.absolutePath(path)
        guard
          case .done(let sentence) = try session.ask(
            .addFolder(path: path, name: name, newIdentity: newIdentity))
        else { return }
        guard json else { return Terminal.say(sentence) }
        let after = try FolderChange.folders(session)
        let added = after.first { !before.contains($0) } ?? Self.registered(path, among: after)
        JSONOutput.say(FolderChange(sentence, added))
      }
    }

    /// The folder of that path, which was registered before and may have been named by a link.
    private static func registered(_ path: [UInt8], among folders: [SyncedRoot]) -> SyncedRoot? {
      let resolved = (try? FilePath(bytes: path).realPath())?.bytes ?? path
      return folders.first { $0.path == resolved }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the registered folders.", discussion: CommandEnd.help())

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
      abstract: "Forget a folder on this device; its files stay.", discussion: CommandEnd.help())

    @Argument(help: "The folder's path or name.", completion: Completions.folders)
    var folder: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session = try AgentSession()
        let before = json ? try FolderChange.folders(session) : []
        guard case .done(let sentence) = try session.ask(.removeFolder(folder)) else { return }
        guard json else { return Terminal.say(sentence) }
        let after = Set(try FolderChange.folders(session).map(\.path))
        JSONOutput.say(FolderChange(sentence, before.first { !after.contains($0.path) }))
      }
    }
  }
}

/// What was done to one folder, as `folder add --json` and `folder remove --json` print it.
struct FolderChange: Encodable {
  var message: String
  /// As it stands, or stood before it was removed.
  var folder: FolderRow?

  init(_ sentence: String, _ folder: SyncedRoot?) {
    message = DisplayText.shown(sentence)
    self.folder = folder.map(FolderRow.init)
  }

  static func folders(_ session: AgentSession) throws(ContinuityError) -> [SyncedRoot] {
    guard case .folders(let folders) = try session.ask(.listFolders) else { return [] }
    return folders
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
