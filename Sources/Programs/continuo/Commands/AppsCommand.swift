// SPDX-License-Identifier: MIT

import ActivityModel
import Agent
import ArgumentParser
import LinuxSystem
import SettingsFile

struct AppsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps",
    abstract: "List the apps that are installed here or connected, check an Info.plist, or prefer an app.",
    subcommands: [List.self, Connected.self, Check.self, Prefer.self], defaultSubcommand: List.self)

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what an Info.plist declares, and what in it is probably not meant.",
      discussion: CommandEnd.help(
        ends: [
          .done: "the file can be used, warnings or not",
          .failed: "it cannot, and the sentence names key, value and line",
        ]))

    @Argument(help: "The Info.plist: XML, at most 256 KiB.", completion: .file(extensions: ["plist"]))
    var file: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        let checked = try ManifestFile(path: file).check()
        if json {
          JSONOutput.say(ManifestRow(file: file, checked))
        } else {
          ManifestPage(checked).lines.forEach(Terminal.say)
        }
      }
    }
  }

  struct Prefer: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say which app takes an activity type, when several could.",
      discussion: CommandEnd.help("The choice stands in settings.toml, below [apps.prefer]."))

    @Argument(help: "The activity type.", completion: Completions.activityTypes)
    var type: String

    @Argument(help: "The app's ID, as the list of apps has it.", completion: Completions.apps)
    var app: String?

    @Flag(help: "Leave the choice to the agent again.")
    var unset = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
      try Failure.told { () throws(ContinuityError) in
        guard (app == nil) == unset else {
          throw ContinuityError(
            .invalidRequest, subject: type,
            description: "Name an app's ID for \(type), or --unset: continuo apps prefer TYPE APP-ID.")
        }
        let file = try SettingsFile.ofThisUser()
        do throws(SettingsProblem) { try file.prefer(app, forType: type) } catch {
          throw ContinuityError(.invalidRequest, subject: error.key, description: error.description)
        }
        if json {
          JSONOutput.say(PreferenceRow(type: DisplayText.shown(type), app: app.map { DisplayText.shown($0) }))
        }
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "List what lies in the XDG directories of apps, the first of one name, and what is connected.",
      discussion: CommandEnd.help(
        ends: [.done: "each can be used", .failed: "one cannot, and the sentence says why"]))

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
      let found = InstalledApps(environment: CurrentProcess.environment).all
      let connected = Connected.ofRunningAgent()
      let rows = found.map { $0.row(connected: connected) }
      if json { JSONOutput.say(rows.compactMap(\.self)) }
      for app in found {
        switch app.checked {
        case .success(let checked) where !json:
          Terminal.say("\(checked.manifest.appID)  \(checked.manifest.name)  \(app.file)")
        case .success: break
        case .failure(let error): Terminal.complain(error.description)
        }
      }
      if !json { for app in connected { Terminal.say("Connected  \(app.row)") } }
      if found.isEmpty { Terminal.hint("No app is installed: \(InstalledApps.place)") }
      if rows.contains(where: { $0 == nil }) { throw Failure.failed }
    }
  }
}

/// What `apps prefer --json` prints: the app that is preferred from now on, none after `--unset`.
struct PreferenceRow: Encodable {
  var type: String
  var app: String?
}

extension InstalledApps.App {
  /// Nil for one that cannot be used.
  func row(connected: [ClientApp]) -> ManifestRow? {
    guard let checked = try? checked.get() else { return nil }
    var row = ManifestRow(file: file, checked)
    row.connected = connected.filter { $0.appID == checked.manifest.appID }.map(ConnectedAppRow.init)
    return row
  }
}
