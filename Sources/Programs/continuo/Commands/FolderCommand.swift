// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem

struct FolderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder", abstract: "Register the folders that a sync engine keeps alike on your devices.",
    subcommands: [Add.self, List.self, Settings.self, Remove.self])

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
        let added = after.first { !before.contains($0) } ?? FolderChange.folder(at: path, in: after)
        JSONOutput.say(FolderChange(sentence, added))
      }
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
        for folder in folders where folder.documentsOverLan != .proven {
          Terminal.hint("\(folder.name): documents over the LAN \(folder.documentsOverLan.name).")
        }
        for folder in folders where folder.sharesPresence {
          Terminal.hint("\(folder.name): linked devices show which document is open.")
        }
        for refusal in folders.compactMap(\.refusal) { Terminal.hint(refusal) }
      }
    }
  }

  struct Settings: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Say what a folder's devices do over the LAN.",
      discussion: CommandEnd.help(
        """
        A device that is linked sends the document that it offers, long before a sync engine brings it. \
        “always” lays it into the folder at once, in the place of the version before it; “proven” does that \
        for engines that take it well in every sequence that is tested, which so far is none, and else opens \
        it in a private copy (continuo copies); “never” waits for the engine. What is replaced is kept for \
        30 days beside the agent's state.

        “--presence on” has linked devices show each other which document of the folder is open, and at \
        which line. Say it on each of them; it is off at first.
        """))

    @Argument(help: "The folder's path or name.", completion: Completions.folders)
    var folder: String

    @Option(
      name: .customLong("documents-over-lan"), help: "proven, always or never.",
      completion: .list(DocumentsOverLan.allCases.map(\.name)))
    var documents: String?

    @Option(help: "on or off.", completion: .list(["on", "off"]))
    var presence: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
      if let documents, DocumentsOverLan(name: documents) == nil {
        throw ValidationError("“\(documents)” is not known: say proven, always or never.")
      }
      if let presence, !["on", "off"].contains(presence) {
        throw ValidationError("“\(presence)” is not known: say on or off.")
      }
      guard documents != nil || presence != nil else {
        throw ValidationError("Say what to set: --documents-over-lan or --presence.")
      }
    }

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let session = try AgentSession()
        var said: [String] = []
        if let documents = documents.flatMap(DocumentsOverLan.init(name:)) {
          guard case .done(let sentence) = try session.ask(.setFolder(folder, documents)) else { return }
          if documents == .always { Terminal.hint(Self.warning) }
          said.append(sentence)
        }
        if let presence {
          guard case .done(let sentence) = try session.ask(.setPresence(folder, isShared: presence == "on"))
          else { return }
          said.append(sentence)
        }
        let sentence = said.joined(separator: " ")
        guard json else { return Terminal.say(sentence) }
        let after = try FolderChange.folders(session)
        let named = after.first { $0.name == folder }
        JSONOutput.say(
          FolderChange(sentence, named ?? FolderChange.folder(at: Terminal.absolutePath(folder), in: after)))
      }
    }

    /// What was found with each engine: lan.md of the design, and `docs/synced-folders.md`.
    private static let warning =
      "What is saved here before the engine has brought the same version may become a conflict: Syncthing "
      + "makes a conflict copy on both devices, Unison skips the file, git puts markers into it, a mirror "
      + "overwrites it. With rclone bisync the document loses its name even where nobody touches it."
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

  /// The folder of that path, which may be named by a link.
  static func folder(at path: [UInt8], in folders: [SyncedRoot]) -> SyncedRoot? {
    let resolved = (try? FilePath(bytes: path).realPath())?.bytes ?? path
    return folders.first { $0.path == resolved }
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
  /// `proven`, `always` or `never`: whether documents that come over a link are laid into it.
  var documentsOverLan: String
  /// Whether linked devices tell each other which document is open.
  var sharesPresence: Bool
  /// Why it is not used, though it may be there; nil where it is used.
  var refusal: String?

  init(_ folder: SyncedRoot) {
    name = folder.name
    path = Terminal.shown(folder.path)
    url = FileURL.text(of: folder.path)
    isPresent = folder.isPresent
    documentsOverLan = folder.documentsOverLan.name
    sharesPresence = folder.sharesPresence
    refusal = folder.refusal.map { DisplayText.shown($0) }
  }
}
