// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import ArgumentParser
import LinuxSystem
import SyncEngines

struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Find synced folders, register them, and pair another device.",
    discussion: CommandEnd.help(
      """
      Looks into the settings of Syncthing, Nextcloud, Unison, rclone and Dropbox for the folders that they \
      keep, and whether they carry .continuo, the folder through which devices talk. On a terminal it asks \
      which to register, pairs this device with another one by twelve words, also shown as a QR code where \
      qrencode is installed, asks whether the devices may reach each other on the network, and waits for the \
      first document that the other device offers.

      Without a terminal, and with --json, --yes, --add or --lan, it asks nothing and pairs nobody: it tells \
      what was found and what would be done, registers the folders of --yes and --add, and switches the LAN \
      on for --lan alone. The settings of the engines are never changed.
      """,
      ends: [
        .done: "it was done, or told",
        .failed:
          "a folder was not registered, no device paired, or the LAN not switched on, and the sentence "
          + "says why",
        .late: "the other device, or its first offer, did not come in time",
      ]))

  @Flag(help: "Print a JSON object.")
  var json = false

  @Flag(help: "Register every folder that was found, is there and is not paused.")
  var yes = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Register these folders, found or not.", valueName: "PATH"), completion: .directory)
  var add: [String] = []

  @Flag(help: "Let your devices reach each other on the network, as `continuo lan on` does.")
  var lan = false

  @Option(
    help: ArgumentHelp("How long to wait for the other device, and for its offer.", valueName: "SECONDS"))
  var timeout = 600

  func validate() throws {
    guard timeout >= 0 else { throw ValidationError("A time-out is not negative.") }
  }

  func run() throws {
    try Failure.told { () throws(ContinuityError) in
      var search = EngineSearch(environment: CurrentProcess.environment)
      let found = search.look()
      let session = try AgentSession()
      let plan = SetupPlan(
        found.folders, registered: try FolderChange.folders(session), resolve: Self.folder)
      let isAsked = !json && !yes && add.isEmpty && !lan
      if isAsked, BorrowedDescriptor.standardInput.isTerminal, BorrowedDescriptor.standardError.isTerminal {
        let conversation = SetupConversation(session: session, home: search.home, timeout: timeout)
        return try conversation.hold(about: plan, found.problems)
      }
      try tell(plan, found.problems, session)
    }
  }

  /// Where the folder lies, every link followed; nil for what is none.
  static func folder(_ path: [UInt8]) -> [UInt8]? {
    guard let real = try? FilePath(bytes: path).realPath(), real.isFolder else { return nil }
    return real.bytes
  }

  // MARK: Without questions

  private func tell(
    _ plan: SetupPlan, _ problems: [String], _ session: AgentSession
  ) throws(ContinuityError) {
    var rows: [SetupFolderRow] = []
    let registered = try FolderChange.folders(session)
    let named = add.map { Self.folder(Terminal.absolutePath($0)) ?? Terminal.absolutePath($0) }
    for place in plan.places {
      let isWanted = named.contains(place.path) || yes && place.state == .ready
      rows.append(Self.register(place, if: isWanted, session))
    }
    for path in named where !plan.places.contains(where: { $0.path == path }) {
      let place = SetupPlan.place(at: path, registered: registered, isThere: Self.folder(path) != nil)
      rows.append(Self.register(place, if: true, session))
    }
    guard case .devices(let devices) = try session.ask(.devices) else { return }
    let isUsed = try !FolderChange.folders(session).isEmpty
    let circle = devices.filter { $0.removal == nil }
    let network = lan ? try LanAnswer.switchOn(port: nil, session) : try LanAnswer.ask(.status, session)
    let next = SetupConversation.next(
      isUsed: isUsed, canAdd: !plan.ready.isEmpty, devices: circle.count, isLanOn: network.isOn)
    if json {
      JSONOutput.say(
        SetupRow(
          folders: rows, problems: problems.map { DisplayText.shown($0) },
          devices: circle.map(DeviceRow.init), lan: LanRow(network), next: next))
    } else {
      for row in rows { row.lines.forEach(Terminal.say) }
      for row in rows { row.warnings.forEach(Terminal.hint) }
      problems.forEach(Terminal.complain)
      if rows.isEmpty {
        Terminal.hint("No sync engine of this device keeps a folder, as far as can be seen.")
      }
      next.forEach(Terminal.hint)
    }
    for row in rows { if let error = row.error, !json { Terminal.complain(error) } }
    guard rows.allSatisfy({ $0.error == nil }) else {
      if json { CurrentProcess.exitAtOnce(CommandEnd.failed.rawValue) }
      throw ContinuityError(.folderUnavailable, description: "Not every folder was registered.")
    }
  }

  private static func register(
    _ place: SetupPlan.Place, if isWanted: Bool, _ session: AgentSession
  ) -> SetupFolderRow {
    var row = SetupFolderRow(place)
    guard isWanted else { return row }
    do throws(ContinuityError) {
      _ = try session.ask(.addFolder(path: place.path, name: nil))
      if case .registered = place.state { return row }
      row.isAdded = true
    } catch {
      row.error = error.description
    }
    return row
  }
}

/// What `setup --json` prints.
struct SetupRow: Encodable {
  var folders: [SetupFolderRow]
  /// What could not be read, in sentences.
  var problems: [String]
  /// The circle, this device first.
  var devices: [DeviceRow]
  /// As `lan status --json` prints it.
  var lan: LanRow
  /// What a person does next, in sentences.
  var next: [String]
}

/// A folder as `setup --json` prints it.
struct SetupFolderRow: Encodable {
  var path: String
  /// The path, every byte of it.
  var url: String
  /// Which engines keep it; none for one that was only named.
  var engines: [String]
  /// What the engine's user calls it.
  var label: String
  /// `ready`, `registered`, `within`, `missing` or `paused`, before anything was done.
  var state: String
  /// Whether `--yes` registers it.
  var wouldAdd: Bool
  /// Whether it was registered now.
  var isAdded = false
  /// Why it was not registered though it was to be.
  var error: String?
  /// What keeps `.continuo` from being carried, each with what to do.
  var warnings: [String]
  private var clause = ""

  enum CodingKeys: String, CodingKey {
    case path, url, engines, label, state, wouldAdd, isAdded, error, warnings
  }

  init(_ place: SetupPlan.Place) {
    path = Terminal.shown(place.path)
    url = FileURL.text(of: place.path)
    engines = place.engines.map(\.rawValue)
    label = DisplayText.shown(place.label)
    state = place.state.name
    wouldAdd = place.state == .ready
    warnings = place.warnings
    clause = place.state.clause
  }

  /// For people, without a number.
  var lines: [String] {
    let engines = engines.isEmpty ? "" : "  \(engines.joined(separator: ", "))"
    let label = label.isEmpty ? "" : " (\(label))"
    let state = isAdded ? "  registered now" : clause.isEmpty ? "" : "  \(clause)"
    return ["\(path)\(engines)\(label)\(state)"]
  }
}
