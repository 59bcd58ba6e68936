// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem

struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until a document is here in the newest version that was announced.",
    discussion: CommandEnd.help(
      """
      For scripts that work on a synced document: `continuo wait plan.md && make`. Ends at once when no \
      other device offers the document. What it waits for is told on standard error.
      """,
      ends: [
        .done: "it is here, or nobody announced another version",
        .failed: "it cannot come, or it is not here and nobody offers it",
        .late: "it did not come in time",
      ]))

  @Argument(
    help: "A document in a registered folder; it need not be there yet. A link is followed.",
    completion: .file())
  var file: String

  @Option(help: ArgumentHelp("How long to wait; without it, as long as it takes.", valueName: "SECONDS"))
  var timeout: Int?

  @Flag(help: "Print a JSON object at the end.")
  var json = false

  func validate() throws {
    guard (timeout ?? 0) >= 0 else { throw ValidationError("A time-out is not negative.") }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let path = try awaited()
      let session = try AgentSession()
      guard case .folders(let roots) = try session.ask(.listFolders) else { return }
      let (root, relative) = try DocumentPath.root(of: path, among: roots)
      var wait = DocumentWait(folderName: root.name, path: relative)
      let sentence = try wait.finish(OfferWatch(session: session), timeout: timeout)
      guard wait.newest != nil || FilePath(bytes: path).allows() else {
        throw ContinuityError(
          .documentMissing, subject: relative.displayName,
          description: "\(relative.displayName) is not here, and no other device offers it: check its name; "
            + "`continuo offers` lists what is offered.")
      }
      json ? JSONOutput.say(WaitRow(path, sentence, wait.newest)) : Terminal.say(sentence)
    }
  }

  /// What is here has to be a document; a link is followed, as `publish` follows it.
  private func awaited() throws(ContinuityError) -> [UInt8] {
    let path = try DocumentPath.resolve(file)
    let isThere = (try? FilePath(bytes: path).status(followingLinks: false)) != nil
    return isThere ? try NamedFile(typed: file).path : path
  }
}

/// Whether a document is here in the newest version that another device announced.
struct DocumentWait {
  let folderName: String
  let path: RelativePath
  /// The one offer that counts; nil for the newest of the document.
  let offer: OfferID?
  /// The offer that was waited for last.
  private(set) var newest: Offer?

  init(folderName: String, path: RelativePath, offer: OfferID? = nil) {
    self.folderName = folderName
    self.path = path
    self.offer = offer
  }

  /// The sentence to end with. Throws what keeps the version from coming, or `versionNeverArrived` after
  /// `timeout` seconds.
  mutating func finish(_ watch: OfferWatch, timeout: Int?) throws(ContinuityError) -> String {
    let start = Instant.now
    // The first list is no waiting: also `--timeout 0` asks the agent.
    var offers = try watch.next(until: start + .seconds(30))
    var told: Reason?
    var line = WaitingLine()
    defer { line.erase() }
    while let list = offers {
      switch receive(list) {
      case .here(let sentence): return sentence
      case .gone(let error): throw error
      case .waits(let reason):
        line.tell(reason, of: path.displayName)
        told = reason
      }
      offers = try watch.next(until: timeout.map { start + .seconds($0) })
    }
    throw ContinuityError(
      .versionNeverArrived, subject: path.displayName,
      because: told ?? .told("The agent did not say what is offered: `continuo status` asks it."))
  }

  /// What a list of offers means for the document.
  enum Verdict {
    case here(String)
    case waits(Reason?)
    case gone(ContinuityError)
  }

  mutating func receive(_ offers: [Offer]) -> Verdict {
    let name = path.displayName
    let found = offers.filter { $0.folderName == folderName && $0.path == path }
      .filter { offer == nil || $0.id == offer }
      .max { $0.changedAt < $1.changedAt }
    guard let newest = found else {
      guard let announcer = newest?.deviceName else {
        return .here("No other device offers another version of \(name).")
      }
      return .gone(
        ContinuityError(
          .handoffFailed, subject: name,
          description:
            "\(announcer) no longer offers \(name), and its version was not here: open it there again."))
    }
    self.newest = newest
    switch newest.status.arrival {
    case .current: return .here("\(name) is here in the version of \(newest.deviceName).")
    case .ahead: return .here("\(name) here goes on from the version of \(newest.deviceName).")
    case .behind, .diverged, .missing, .unreadable, .folderUnknown: return .waits(newest.status.cause)
    }
  }
}

/// How waiting for a document ended, as `wait --json` prints it.
struct WaitRow: Encodable {
  var path: String
  /// The path, every byte of it.
  var url: String
  /// How the file here stands to the version that was announced; nil when nobody announced one.
  var arrival: String?
  /// The device that announced it.
  var device: String?
  /// SHA-256 of that version.
  var version: String?
  var message: String

  init(_ path: [UInt8], _ message: String, _ offer: Offer?) {
    self.path = Terminal.shown(path)
    url = FileURL.text(of: path)
    arrival = offer?.status.arrival.name
    device = offer?.deviceName
    version = offer?.version?.digest.description
    self.message = DisplayText.shown(message)
  }
}
