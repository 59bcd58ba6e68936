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
  private let program: () -> String?
  private lazy var service = DesktopService(
    loop: loop, program: program, environment: { [weak self] in self?.busVariables ?? [:] },
    onEvent: { [weak self] in self?.onEvent($0) })
  /// What the connected clients know of a display, the newest last.
  private var clients: [(number: UInt64, variables: [String])] = []
  /// In which language people are spoken to.
  private let language = ReasonLanguage.english
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
    let variables = DisplayVariables.of(process: process, in: environment)
    if !variables.isEmpty { clients.append((client, variables)) }
  }

  func ended(_ client: UInt64) { clients.removeAll { $0.number == client } }

  /// What an app needs to find its display, in the order in which it counts: as the client has it that
  /// asked, then as the one that connected last.
  private func displayVariables(for client: UInt64?) -> [String] {
    let asked = clients.filter { $0.number == client }
    let newest = clients.last { $0.number != client }
    return (asked + [newest].compactMap { $0 }).flatMap(\.variables)
  }

  /// Where the session's bus is, for `continuo-desktop` itself.
  private var busVariables: [String: String?] {
    let name = DisplayVariables.bus
    let found = displayVariables(for: nil).first { $0.hasPrefix(name + "=") }
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
    let display = displayVariables(for: client)
    let fields =
      ["start", pressed.map { "\($0.rawValue)" } ?? ""] + what + ["\(display.count)"] + display
      + ["\(terminal.count)"] + terminal
    service.ask(fields) { answer($0.map { _ in }) }
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
  private static func time(_ moment: WallTime) -> String {
    guard let then = LocalTime(moment) else { return "" }
    return LocalTime(.now)?.date == then.date ? then.clock : "\(then.date) \(then.clock)"
  }
}

/// The variables by which a program finds its display and its bus.
enum DisplayVariables {
  static let bus = "DBUS_SESSION_BUS_ADDRESS"
  private static let names = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", bus, "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "SWAYSOCK",
  ]

  /// Those that a process was started with, as `NAME=VALUE`; none where they cannot be read. A process with
  /// another runtime directory than `environment` names belongs to another session.
  static func of(process: Int32, in environment: [String: String]) -> [String] {
    guard let file = try? FilePath("/proc/\(process)/environ").open([.readOnly]),
      let bytes = try? file.readToEnd(limit: 1 << 20)
    else { return [] }
    let entries = bytes.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
    let session = "XDG_RUNTIME_DIR="
    let directory = entries.first { $0.hasPrefix(session) }?.dropFirst(session.count)
    guard directory.map(String.init) == environment["XDG_RUNTIME_DIR"] else { return [] }
    return entries.filter { entry in
      names.contains { entry.hasPrefix($0 + "=") && entry.utf8.count > $0.utf8.count + 1 }
    }
  }
}
