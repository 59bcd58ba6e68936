// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser

struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until a document is here in the newest version that was announced.",
    discussion: """
      For scripts that work on a synced document: `continuo wait plan.md && make`. Ends at once when no \
      other device offers the document. What it waits for is told on standard error.

      Exit codes: 0 it is here, or nobody announced another version; 1 it cannot come; \
      2 it did not come in time.
      """)

  @Argument(help: "A document in a registered folder; it need not be there yet.")
  var file: String

  @Option(help: ArgumentHelp("How long to wait; without it, as long as it takes.", valueName: "SECONDS"))
  var timeout: Int?

  func validate() throws {
    guard (timeout ?? 0) >= 0 else { throw ValidationError("A time-out is not negative.") }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      let path = try DocumentPath.resolve(file)
      let session = try AgentSession()
      guard case .folders(let roots) = try session.ask(.listFolders) else { return }
      let (root, relative) = try DocumentPath.root(of: path, among: roots)
      var wait = DocumentWait(folderName: root.name, path: relative)
      Terminal.say(try finish(&wait, OfferWatch(session: session)))
    }
  }

  /// The sentence to end with.
  private func finish(_ wait: inout DocumentWait, _ watch: OfferWatch) throws(ContinuityError) -> String {
    let start = MonotonicClock.now
    // The first list is no waiting: also `--timeout 0` asks the agent.
    var offers = try watch.next(until: start + .seconds(30))
    var told = ""
    while let list = offers {
      switch wait.take(list) {
      case .here(let sentence): return sentence
      case .gone(let error): throw error
      case .waits(let reason):
        if reason != told { Terminal.hint(reason) }
        told = reason
      }
      offers = try watch.next(until: timeout.map { start + .seconds($0) })
    }
    throw ContinuityError(
      .versionNeverArrived, subject: file,
      told.isEmpty ? "The agent did not say what is offered: `continuo status` asks it." : told)
  }
}

/// Whether a document is here in the newest version that another device announced.
struct DocumentWait {
  let folderName: String
  let path: RelativePath
  private var announcer: String?

  init(folderName: String, path: RelativePath) {
    self.folderName = folderName
    self.path = path
  }

  /// What a list of offers means for the document.
  enum Verdict {
    case here(String)
    case waits(String)
    case gone(ContinuityError)
  }

  mutating func take(_ offers: [Offer]) -> Verdict {
    let name = path.displayName
    let newest = offers.filter { $0.folderName == folderName && $0.path == path }
      .max { $0.changedAt < $1.changedAt }
    guard let newest else {
      guard let announcer else { return .here("No other device offers another version of \(name).") }
      return .gone(
        ContinuityError(
          .handoffFailed, subject: name,
          "\(announcer) no longer offers \(name), and its version was not here: open it there again."))
    }
    announcer = newest.deviceName
    switch newest.status.arrival {
    case .current: return .here("\(name) is here in the version of \(newest.deviceName).")
    case .ahead: return .here("\(name) here goes on from the version of \(newest.deviceName).")
    case .behind, .diverged, .missing, .unreadable, .folderUnknown: return .waits(newest.status.reason)
    }
  }
}
