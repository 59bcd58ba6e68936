// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser

extension AppsCommand {
  struct Connected: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the apps that are connected to the agent, and the program that each of them is.",
      discussion: CommandEnd.help(
        """
        ID and name are what the app calls itself. Process, executable and sandbox are the kernel's word, \
        now: a script is its interpreter, and an editor whose plugin starts continuo serve is continuo.
        """))

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        guard case .apps(let apps) = try AgentSession().ask(.apps) else { return }
        if json { return JSONOutput.say(apps.map(ConnectedAppRow.init)) }
        for app in apps { Terminal.say(app.row) }
        if apps.isEmpty { Terminal.hint("No app is connected.") }
      }
    }

    /// None where no agent runs, or it does not answer.
    static func ofRunningAgent() -> [ClientApp] {
      guard let session = try? AgentSession(startsAgent: false),
        case .apps(let apps)? = try? session.ask(.apps, limit: .seconds(2))
      else { return [] }
      return apps
    }
  }
}

extension ClientApp {
  /// For people, in one row.
  var row: String {
    guard let program else { return "\(appID)  \(name)  its program has ended, or cannot be told" }
    let sandbox =
      switch program.sandbox {
      case nil: "no sandbox"
      case .flatpak(let id): "Flatpak \(id ?? "without a name")"
      case .snap(let name): "Snap \(name)"
      }
    return "\(appID)  \(name)  \(Terminal.shown(program.executable))  process \(program.process)  \(sandbox)"
  }
}

/// An app that is connected, as `apps connected --json` prints it.
struct ConnectedAppRow: Encodable {
  var identifier: String
  var name: String
  /// 64 hexadecimal digits.
  var team: String?
  /// Absent where its process has ended, or may not be looked at.
  var program: Program?

  struct Program: Encodable {
    var process: UInt64
    var executable: String
    /// Of the executable, with every byte.
    var url: String
    /// `none`, `flatpak` or `snap`.
    var sandbox: String
    /// The app's ID in Flatpak, or the snap's name.
    var sandboxName: String?
  }

  init(_ app: ClientApp) {
    identifier = DisplayText.shown(app.appID)
    name = DisplayText.shown(app.name)
    team = app.team.map(ManifestPage.hexadecimal)
    program = app.program.map { program in
      let (sandbox, name): (String, String?) =
        switch program.sandbox {
        case nil: ("none", nil)
        case .flatpak(let id): ("flatpak", id)
        case .snap(let name): ("snap", name)
        }
      return Program(
        process: program.process, executable: Terminal.shown(program.executable),
        url: FileURL.text(of: program.executable), sandbox: sandbox,
        sandboxName: name.map { DisplayText.shown($0) })
    }
  }
}
