// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem

/// `continuo setup` on a terminal: four questions at most, and the first hand-off.
struct SetupConversation {
  let session: AgentSession
  let home: [UInt8]
  /// For each of both waits, in seconds.
  let timeout: Int

  func hold(about plan: SetupPlan, _ problems: [String]) throws(ContinuityError) {
    show(plan, problems)
    try register(from: plan)
    let folders = try FolderChange.folders(session)
    guard !folders.isEmpty else {
      return Self.next(isUsed: false, canAdd: !plan.ready.isEmpty, devices: 1).forEach(Terminal.hint)
    }
    if try circle().count < 2 {
      guard let way = try pair() else { return }
      try offerNetwork()
      if way == .byTyping { return Self.tellFirstEdit(in: folders[0]) }
    } else {
      Terminal.say("Paired with \(try others()).")
      try offerNetwork()
    }
    try showFirstHandOff(in: folders)
  }

  // MARK: Folders

  private func show(_ plan: SetupPlan, _ problems: [String]) {
    problems.forEach(Terminal.complain)
    if plan.places.isEmpty {
      Terminal.say("No sync engine of this device keeps a folder, as far as can be seen.")
    } else {
      Terminal.say("Folders that sync engines keep here:")
    }
    var number = 0
    for place in plan.places {
      let isReady = place.state == .ready
      if isReady { number += 1 }
      for line in SetupFolderRow(place).lines { Terminal.say("  \(isReady ? "\(number)" : "-")  \(line)") }
      for warning in place.warnings { Terminal.say("     Mind: \(warning)") }
    }
  }

  private func register(from plan: SetupPlan) throws(ContinuityError) {
    let ready = plan.ready
    let isUsed = try !FolderChange.folders(session).isEmpty
    if ready.isEmpty, isUsed { return }
    while true {
      let question =
        ready.isEmpty
        ? "Which folder does your sync engine keep? [its path, or Enter for none] "
        : "Which shall be used? [Enter: all; numbers; a path; n: none] "
      guard let typed = answer(to: question) else { return }
      switch SetupChoice(typed, count: ready.count) {
      case .none: return
      case .unclear: Terminal.hint("Type numbers of the list, a path that begins with / or ~, or n.")
      case .all: if add(ready.map(\.path)) { return }
      case .some(let positions): if add(positions.map { ready[$0].path }) { return }
      case .path(let path): if add([absolute(path)]) { return }
      }
    }
  }

  private func absolute(_ typed: String) -> [UInt8] {
    typed == "~" || typed.hasPrefix("~/") ? home + typed.utf8.dropFirst() : Terminal.absolutePath(typed)
  }

  /// True when each was registered; a refusal is told.
  private func add(_ paths: [[UInt8]]) -> Bool {
    var isDone = true
    for path in paths {
      do throws(ContinuityError) {
        if case .done(let sentence) = try session.ask(.addFolder(path: path, name: nil)) {
          Terminal.say(sentence)
        }
      } catch {
        Terminal.complain(error.description)
        isDone = false
      }
    }
    return isDone
  }

  // MARK: Devices

  private func circle() throws(ContinuityError) -> [CircleDevice] {
    guard case .devices(let devices) = try session.ask(.devices) else { return [] }
    return devices.filter { $0.removal == nil }
  }

  private func others() throws(ContinuityError) -> String {
    try circle().filter { !$0.isThisDevice }.map(\.name).joined(separator: ", ")
  }

  /// Which device showed the words: it waits for the first offer of the one on which they were typed.
  private enum Pairing { case byShowing, byTyping }

  /// Nil when the person wants no other device now.
  private func pair() throws(ContinuityError) -> Pairing? {
    let question =
      "Does your other device show twelve words already? [y: type them; Enter: show words here; n: later] "
    guard let typed = answer(to: question)?.lowercased() else { return nil }
    if typed.hasPrefix("n") {
      Self.next(isUsed: true, canAdd: false, devices: 1).forEach(Terminal.hint)
      return nil
    }
    if typed.hasPrefix("y") {
      let (_, devices) = try JoinCommand.join(with: TypedWords.asked(), as: nil, session)
      Terminal.say("Paired. Devices: \(devices.joined(separator: ", ")).")
      return .byTyping
    }
    guard case .words(let words) = try session.ask(.pair(deviceName: nil)) else { return nil }
    show(words.joined(separator: " "))
    let start = Instant.now
    var line = WaitingLine()
    defer { line.erase() }
    while try circle().count < 2 {
      guard Instant.now < start + .seconds(timeout) else {
        throw ContinuityError(
          .versionNeverArrived, subject: "pairing",
          description: "No device has answered in \(timeout) s. The words stay good for 24 hours: "
            + "`continuo devices` tells when it has come.")
      }
      session.turn(waiting: .seconds(1))
      line.draw("Waiting for the other device … \((Instant.now - start).components.seconds) s")
    }
    line.erase()
    Terminal.say("Paired with \(try others()).")
    return .byShowing
  }

  private func show(_ words: String) {
    Terminal.hint("Run `continuo setup` on the other device, and type these words when it asks for them.")
    Terminal.hint("Whoever knows them can join: tell them to nobody.")
    Terminal.say(words)
    let code = QRCode.rows(of: words)
    code.forEach(Terminal.say)
    if code.isEmpty { Terminal.hint("With the package qrencode they are shown as a QR code, too.") }
  }

  // MARK: The network

  /// Nothing listens before a person says so. What cannot be is told, and is no reason to stop here.
  private func offerNetwork() throws(ContinuityError) {
    guard try !LanAnswer.ask(.status, session).isOn else { return }
    Terminal.hint(
      "Your devices can also reach each other on the network: offers then come at once, not in seconds. "
        + "This one listens for them then; only they can connect.")
    let typed = answer(to: "Switch that on here? [y: yes; Enter: no] ")?.lowercased() ?? ""
    guard typed.hasPrefix("y") else {
      return Terminal.hint("`continuo lan on` switches it on later, on each device.")
    }
    do throws(ContinuityError) {
      LanAnswer.tellSwitchedOn(try LanAnswer.switchOn(port: nil, session))
    } catch {
      Terminal.complain(error.description)
    }
  }

  // MARK: The first hand-off

  private static func tellFirstEdit(in folder: SyncedRoot) {
    Terminal.hint(
      "Now edit a document in \(folder.name) here; the other device tells when it is offered there:")
    Terminal.hint("continuo-edit \(Terminal.shown(folder.path))/plan.md")
  }

  private func showFirstHandOff(in folders: [SyncedRoot]) throws(ContinuityError) {
    let name = folders[0].name
    Terminal.hint("Now edit a document in \(name) on the other device, as with: continuo-edit plan.md")
    let watch = OfferWatch(session: try AgentSession())
    let start = Instant.now
    var line = WaitingLine()
    defer { line.erase() }
    while Instant.now < start + .seconds(timeout) {
      if let offer = try watch.next(until: Instant.now + .seconds(1))?.first(where: { !$0.isOpenedBeside }) {
        line.erase()
        let id = offer.id.description.prefix(8)
        Terminal.say(
          "\(offer.deviceName) offers \(offer.displayTitle): `continuo resume \(id)` continues it here.")
        return
      }
      line.draw("Waiting for its first offer … \((Instant.now - start).components.seconds) s")
    }
    throw ContinuityError(
      .versionNeverArrived, subject: name,
      description: "Nothing was offered in \(timeout) s: `continuo status` says what does not work, "
        + "`continuo offers` what is offered.")
  }

  /// What a person does next, where nobody is asked.
  static func next(isUsed: Bool, canAdd: Bool, devices: Int, isLanOn: Bool = true) -> [String] {
    guard isUsed else {
      return [
        canAdd
          ? "`continuo setup --yes` registers what was found; `continuo folder add PATH` one folder."
          : "`continuo folder add PATH` registers a folder that your sync engine keeps."
      ]
    }
    let network = "`continuo lan on`, on each device, lets them reach each other on the network, too."
    return [
      devices < 2
        ? "`continuo pair` here and `continuo join` on the other device make them know each other."
        : "`continuo offers` lists what the other devices offer."
    ] + (devices < 2 || isLanOn ? [] : [network])
  }

  /// Nil at the end of the input.
  private func answer(to question: String) -> String? {
    Terminal.ask(question)
    return readLine()
  }
}
