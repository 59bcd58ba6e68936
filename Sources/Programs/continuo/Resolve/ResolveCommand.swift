// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import ConflictVersions
import LinuxSystem
import SyncedFolders

struct ResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Choose between a document and the conflict copies beside it.",
    discussion: CommandEnd.help(
      """
      Lists the document and its conflict copies with device and time, opens two of them in your diff tool \
      (that of `git difftool`, else vimdiff), and keeps the one that you choose, or the one into which you \
      merged and saved. Nothing is ever deleted: each other version gets a name such as \
      `plan (set aside 2026-11-22).md` beside the document, which is printed.

      Asks on a terminal. Without one it lists, or does what --keep says.
      """,
      ends: [
        .done: "one version is kept, or nothing is in conflict, or --list or --json listed it",
        .failed: "it failed, with a sentence, and the versions are where they were",
        .stillInConflict: "nothing was chosen, and the conflict stays",
      ]))

  @Argument(help: "The document. Of a conflict copy its document is taken; a link is followed.")
  var file: String

  @Option(
    help: ArgumentHelp(
      "Keep this version: its number in the list, its file's name, or the beginning of its SHA-256.",
      valueName: "VERSION"))
  var keep: String?

  @Flag(help: "Only list the versions.")
  var list = false

  @Flag(help: "Print a JSON array of the versions; with --keep, an object that says what became of them.")
  var json = false

  @Option(help: ArgumentHelp("The diff tool, as git calls it, or a command.", valueName: "TOOL"))
  var tool: String?

  func validate() throws {
    guard keep == nil || !list else { throw ValidationError("--list and --keep do not go together.") }
    guard tool?.isEmpty != true else { throw ValidationError("The name of the diff tool is empty.") }
  }

  func run() throws {
    var isLeft = false
    try Failure.told { () throws(ContinuityError) in
      let found = try ConflictList(try document())
      guard found.isInConflict else { return sayNone(found) }
      if let keep { return try keepOne(RawArguments.bytes(of: keep), found) }
      if json { return JSONOutput.say(ConflictRow.rows(found)) }
      let isAsked = !list && [.standardInput, .standardOutput].allSatisfy(\BorrowedDescriptor.isTerminal)
      if isAsked {
        isLeft = try !ConflictQuestions(list: found, tool: tool).ask()
      } else {
        ConflictText.say(found)
        isLeft = !list
        if isLeft { Terminal.hint("Choose one with --keep, or run the command on a terminal to be asked.") }
      }
    }
    if isLeft { throw Failure.stillInConflict }
  }

  /// What the person typed, resolved. A document that is gone is one all the same, while copies are there.
  private func document() throws(ContinuityError) -> FilePath {
    let typed = FilePath(bytes: try DocumentPath.resolve(file))
    let isThere = (try? typed.status(followingLinks: false)) != nil
    let path = isThere ? FilePath(bytes: try NamedFile(typed: file).path) : typed
    if let original = SyncNames.original(ofConflictCopy: path.name) {
      let document = path.parent.appending(original)
      if (try? document.status(followingLinks: false).kind) == .regular {
        Terminal.hint("\(DisplayText.shown(path.name)) is a conflict copy of \(document.shown).")
        return document
      }
    }
    guard !isThere, try VersionLook.versions(of: path).copies.isEmpty else { return path }
    throw ContinuityError(
      .documentMissing, subject: path.shown,
      description: "\(path.shown) is not there, and no conflict copy of it: check its name.")
  }

  private func sayNone(_ found: ConflictList) {
    if json, keep == nil { return JSONOutput.say([ConflictRow]()) }
    let sentence = "No conflict copy lies beside \(found.path.shown): there is nothing to resolve."
    json ? JSONOutput.say(KeptRow(found, nil, [], sentence)) : Terminal.say(sentence)
  }

  private func keepOne(_ word: [UInt8], _ found: ConflictList) throws(ContinuityError) {
    let version = try found.version(meantBy: word)
    let aside = try ConflictKeeping(found.resolution, at: found.path).keep(version)
    let sentence = ConflictText.kept(version, found)
    if json {
      JSONOutput.say(KeptRow(found, version, aside, sentence))
    } else {
      ConflictText.say(sentence, aside)
    }
    guard let refusal = aside.compactMap(\.refusal).first else { return }
    throw ContinuityError(.documentDiverged, subject: found.path.shown, description: refusal)
  }
}

/// What a person reads.
enum ConflictText {
  static func say(_ list: ConflictList) {
    Terminal.say("\(list.path.shown) has \(list.resolution.versions.count) versions:")
    for (index, version) in list.resolution.versions.enumerated() {
      Terminal.say("  \(index + 1)  \(list.sentence(version))")
    }
    for offer in list.missing {
      Terminal.say("     \(offer.deviceName) offers another version, which is not here yet.")
    }
  }

  static func kept(_ version: ConflictVersion, _ list: ConflictList) -> String {
    version.isDocument
      ? "Kept \(list.path.shown) as it is."
      : "Kept \(DisplayText.shown(version.name)): it is \(list.path.shown) now."
  }

  static func say(_ sentence: String, _ aside: [ConflictKeeping.Aside]) {
    Terminal.say(sentence)
    for each in aside where each.refusal == nil {
      Terminal.say("\(each.version.isDocument ? "The former text" : "A copy") is in \(each.path.shown).")
    }
  }
}

/// What `resolve --keep --json` prints.
struct KeptRow: Encodable {
  struct Aside: Encodable {
    var name: String
    var path: String
    var url: String
    /// Why it was not put aside; nil when it was.
    var reason: String?
  }

  var path: String
  var url: String
  /// The name that the kept version had; nil when nothing was in conflict.
  var kept: String?
  var aside: [Aside]
  var message: String

  init(
    _ list: ConflictList, _ version: ConflictVersion?, _ aside: [ConflictKeeping.Aside], _ message: String
  ) {
    path = list.path.shown
    url = FileURL.text(of: list.path.bytes)
    kept = version.map { DisplayText.shown($0.name) }
    self.aside = aside.map { each in
      Aside(
        name: DisplayText.shown(each.version.name), path: each.path.shown,
        url: FileURL.text(of: each.path.bytes), reason: each.refusal.map { DisplayText.shown($0) })
    }
    self.message = DisplayText.shown(message)
  }
}
