// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import LinuxSystem

/// This computer's desktop, through `continuo-desktop`. Loop thread only.
final class LocalDesktop: Desktop {
  /// What is asked once, a process each.
  let questions: DesktopQuestions
  private let loop: EventLoop
  /// This process's variables; nil where nobody is to be told anything and nothing is started.
  private let environment: [String: String]?
  /// Finds `continuo-desktop`.
  var program: () -> String?
  private lazy var service = DesktopSupervisor(
    loop: loop, program: { [weak self] in self?.program() },
    environment: { [weak self] in self?.busVariables ?? [:] },
    language: { [weak self] in self?.language ?? .english }, onEvent: { [weak self] in self?.onEvent($0) })
  /// What the connected clients know of a display and of the language there, the newest last.
  private var clients: [(number: UInt64, variables: [String], language: ReasonLanguage?)] = []
  /// The terminal that apps without a window are started in; empty for the usual ones.
  private var terminal: [String] = []

  var onEvent: (DesktopEvent) -> Void = { _ in }

  init(
    loop: EventLoop, environment: [String: String]?,
    program: @escaping () -> String? = { InstalledProgram.path(of: "continuo-desktop") }
  ) {
    self.loop = loop
    self.environment = environment
    self.program = program
    questions = DesktopQuestions(loop: loop)
  }

  func askType(
    of name: [UInt8], beginning: [UInt8], among candidates: [String],
    answer: @escaping (Result<[String], ContinuityError>) -> Void
  ) { questions.askType(of: name, beginning: beginning, among: candidates, answer: answer) }

  func noteUse(of path: [UInt8], by application: String, program: [UInt8]) {
    questions.noteUse(of: path, by: application, program: program)
  }

  /// Ends what was started for the desktop's sake; what is shown goes.
  func stop() { service.stop() }

  // MARK: Clients

  /// A client's process may know a display that this one does not.
  func connected(_ client: UInt64, process: Int32) {
    guard let environment else { return }
    let entries = DisplayVariables.entries(of: process, in: environment)
    let variables = DisplayVariables.among(entries)
    if !variables.isEmpty { clients.append((client, variables, DisplayVariables.language(of: entries))) }
    service.reconsider()
  }

  /// In which language people are spoken to: as this process was told, else as the session of the client
  /// that connected last.
  private var language: ReasonLanguage {
    let own = environment.flatMap { ReasonLanguage(askedBy: $0) }
    return own ?? clients.last { $0.language != nil }?.language ?? .english
  }

  func ended(_ client: UInt64) {
    guard clients.contains(where: { $0.number == client }) else { return }
    clients.removeAll { $0.number == client }
    service.reconsider()
  }

  /// What an app needs to find its display, in the order in which it counts: as the client has it that
  /// asked, then, where that one has no display, as the one with a display that connected last. The displays
  /// of two sessions are never mixed.
  private func displayVariables(for client: UInt64?) -> [String] {
    let asked = clients.first { $0.number == client }?.variables ?? []
    if DisplayVariables.haveDisplay(asked) { return asked }
    let newest = clients.last { DisplayVariables.haveDisplay($0.variables) } ?? clients.last
    return asked + (newest?.variables ?? [])
  }

  /// Where the session's bus is, for `continuo-desktop` itself: that of the client that connected last, and
  /// sooner of one with a display.
  private var busVariables: [String: String?] {
    let name = DisplayVariables.bus
    let buses = clients.filter { DisplayVariables.haveDisplay($0.variables) }.reversed() + clients.reversed()
    let found = buses.lazy.flatMap(\.variables).first { $0.hasPrefix(name + "=") }
    if let found { return [name: String(found.dropFirst(name.count + 1))] }
    // Without the variable it looks in the runtime directory, and that comes before this process's own
    // start.
    return userBus == nil ? [:] : [name: nil]
  }

  /// The bus of the person's runtime directory, where there is one.
  private var userBus: String? {
    guard let directory = environment?["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
    let path = directory + "/bus"
    return (try? FilePath(path).status())?.kind == .socket ? path : nil
  }

  // MARK: Apps

  func use(terminal: [String]) { self.terminal = terminal }

  func startableApps() -> [AppManifest] {
    environment.map { InstalledApps(environment: $0).startable } ?? []
  }

  func associatedDomains(of app: AppManifest) -> [String] {
    let installed = environment.flatMap { InstalledApps(environment: $0).manifest(of: app.appID) }
    return installed?.team == app.team ? installed?.associatedDomains ?? [] : []
  }

  func start(
    _ app: AppManifest, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) {
    let what: [String]
    switch app.start {
    case .desktopEntry(let id): what = ["entry", id]
    case .executable(let vector, let inTerminal):
      what = ["exec", app.appID, inTerminal ? "1" : "0", "\(vector.count)"] + vector
    case nil:
      return answer(
        .failure(
          ContinuityError(
            .agentUnavailable, subject: app.appID,
            description:
              "Its Info.plist does not say how it is started: add ContinuoDesktopEntry or ContinuoExecutable."
          ))
      )
    }
    order((["start", Self.number(of: pressed)] + what).map(Self.field), for: client, answer: answer)
  }

  func askDefaultApp(of name: [UInt8], answer: @escaping (String?) -> Void) {
    // By the name alone: the document may not be here yet.
    service.ask([Self.field("default"), name, []]) { answer(try? $0.get()) }
  }

  func open(
    _ path: [UInt8], pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) {
    order(["open", Self.number(of: pressed)].map(Self.field) + [path, []], for: client, answer: answer)
  }

  func browse(
    _ address: String, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) {
    order(["browse", Self.number(of: pressed), address].map(Self.field), for: client, answer: answer)
  }

  /// Orders what starts a program: with what that needs to find its display, and a terminal.
  private func order(
    _ fields: [[UInt8]], for client: UInt64?, answer: @escaping (Result<Void, ContinuityError>) -> Void
  ) {
    let display = displayVariables(for: client)
    let session = ["\(display.count)"] + display + ["\(terminal.count)"] + terminal
    service.ask(fields + session.map(Self.field)) { answer($0.map { _ in }) }
  }

  private static func field(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func number(of pressed: NotificationNumber?) -> String {
    pressed.map { "\($0.rawValue)" } ?? ""
  }

  // MARK: Notifications

  /// Where there is no session, nobody sits.
  var canTell: Bool {
    guard let environment else { return false }
    return environment[DisplayVariables.bus]?.isEmpty == false || !clients.isEmpty || userBus != nil
  }

  func hasSomethingToTell(_ has: Bool) { service.need(has) }

  func show(_ notification: OfferNotification, as number: NotificationNumber, isSilent: Bool) {
    let text = notification.text(in: language, time: Self.time)
    // The body of a notification is a button without words.
    let isPressable = text.buttons.contains { $0.key == .resume }
    let actions =
      (isPressable ? ["default", text.buttons[0].label] : [])
      + text.buttons.flatMap { [$0.key.rawValue, $0.label] }
    service.send(
      ["show", "\(number.rawValue)", text.summary, text.body, "", isSilent ? "1" : "0"]
        + [text.percent.map { "\($0)" } ?? "", "\(actions.count / 2)"] + actions)
  }

  func withdraw(_ number: NotificationNumber) { service.send(["withdraw", "\(number.rawValue)"]) }

  /// As the clock on the wall shows it, with the date where it was another day.
  private static func time(_ moment: WallTime) -> String { LocalTime.shown(moment)?.text ?? "" }
}

/// The variables by which a program finds its display and its bus.
enum DisplayVariables {
  static let bus = "DBUS_SESSION_BUS_ADDRESS"
  private static let names = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", bus, "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "SWAYSOCK",
  ]

  /// What a process was started with, as `NAME=VALUE`; nothing where that cannot be read. A process with
  /// another runtime directory than `environment` names belongs to another session.
  static func entries(of process: Int32, in environment: [String: String]) -> [String] {
    guard let file = try? FilePath("/proc/\(process)/environ").open([.readOnly]),
      let bytes = try? file.readToEnd(limit: 1 << 20)
    else { return [] }
    let entries = bytes.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
    let session = "XDG_RUNTIME_DIR="
    let directory = entries.first { $0.hasPrefix(session) }?.dropFirst(session.count)
    return directory.map(String.init) == environment["XDG_RUNTIME_DIR"] ? entries : []
  }

  static func among(_ entries: [String]) -> [String] {
    entries.filter { entry in
      names.contains { entry.hasPrefix($0 + "=") && entry.utf8.count > $0.utf8.count + 1 }
    }
  }

  /// Whether these name a display.
  static func haveDisplay(_ variables: [String]) -> Bool {
    variables.contains { $0.hasPrefix("DISPLAY=") || $0.hasPrefix("WAYLAND_DISPLAY=") }
  }

  static func language(of entries: [String]) -> ReasonLanguage? {
    let asked = entries.compactMap { entry in
      ReasonLanguage.variables.first { entry.hasPrefix($0 + "=") }
        .map { ($0, String(entry.dropFirst($0.count + 1))) }
    }
    return ReasonLanguage(askedBy: Dictionary(asked) { first, _ in first })
  }
}
