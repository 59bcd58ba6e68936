// SPDX-License-Identifier: MIT

import ActivityModel
import CDesktopGLib
import LinuxSystem

/// Starts apps: by the bus where their desktop entry says so, else as programs of their own, and never
/// through a shell. Main thread only.
final class AppStarter {
  private let bus: SessionBus
  private static let manager = "org.freedesktop.systemd1"
  private static let managerPath = "/org/freedesktop/systemd1"

  init(bus: SessionBus) { self.bus = bus }

  /// Answers once: nil, or why it was not started.
  func start(_ order: StartOrder, token: String?, answer: @escaping (String?) -> Void) {
    switch order.way {
    case .entry(let id):
      guard let info = g_desktop_app_info_new(id + ".desktop") else {
        return answer("There is no desktop entry \(id).desktop: install its app, or mend its Info.plist.")
      }
      let isActivated = g_desktop_app_info_get_boolean(info, "DBusActivatable") != 0
      if isActivated {
        g_object_unref(gpointer(info))
        return activate(id, token, answer)
      }
      environment(order, token) { [weak self] variables in
        defer { g_object_unref(gpointer(info)) }
        answer(self?.launch(info, id: id, order, variables))
      }
    case .vector(let vector, let appID, let inTerminal):
      environment(order, token) { [weak self] variables in
        guard let self else { return }
        var words = vector
        if inTerminal {
          guard let terminal = Self.terminal(order) else { return answer(Self.noTerminal) }
          words = terminal + vector
        }
        answer(self.spawn(words, appID: appID, variables))
      }
    }
  }

  // MARK: By the bus

  private func activate(_ id: String, _ token: String?, _ answer: @escaping (String?) -> Void) {
    let path = "/" + id.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    let data = token.map { token in
      ["activation-token", "desktop-startup-id"].map { ($0, BusValue.string(token)) }
    }
    bus.call(
      SessionBus.Call(
        name: id, path: path, interface: "org.freedesktop.Application", method: "Activate",
        arguments: BusValue.tuple([BusValue.dictionary(data ?? [])]), patience: 25_000)
    ) { _, failure in answer(failure.map { "\(id) could not be started by the bus: \($0)" }) }
  }

  // MARK: As a program

  private static let noTerminal =
    "It runs in a terminal, and no terminal was found: install xdg-terminal-exec or a terminal, or set "
    + "apps.terminal."

  private static func terminal(_ order: StartOrder) -> [String]? {
    LaunchEnvironment.terminal(order.terminal) { name in
      InstalledProgram.inSearchPath(name).contains { FilePath($0).allows(.execute) }
    }
  }

  /// The user manager is asked at this moment: what it was started with may be another session's.
  private func environment(
    _ order: StartOrder, _ token: String?, _ body: @escaping ([(name: String, value: String)]) -> Void
  ) {
    bus.call(
      SessionBus.Call(
        name: Self.manager, path: Self.managerPath, interface: "org.freedesktop.DBus.Properties",
        method: "Get",
        arguments: BusValue.tuple([
          BusValue.string("org.freedesktop.systemd1.Manager"), BusValue.string("Environment"),
        ]), patience: 2000, startsService: false)
    ) { reply, _ in
      let directory = CurrentProcess.variable("XDG_RUNTIME_DIR").map { $0 + "/bus" }
      let userBus = directory.flatMap { (try? FilePath($0).status())?.kind == .socket ? $0 : nil }
      body(
        LaunchEnvironment.variables(
          manager: BusValue.texts(in: reply), order: order.variables, userBus: userBus,
          own: CurrentProcess.environment, token: token))
    }
  }

  /// GLib reads the entry's command line; a terminal is put before it.
  private func launch(
    _ info: OpaquePointer, id: String, _ order: StartOrder, _ variables: [(name: String, value: String)]
  ) -> String? {
    var problem: UnsafeMutablePointer<GError>?
    var launched = info
    var made: OpaquePointer?
    defer { if let made { g_object_unref(gpointer(made)) } }
    if g_desktop_app_info_get_boolean(info, "Terminal") != 0 {
      guard let terminal = Self.terminal(order) else { return Self.noTerminal }
      let words = terminal.map { word -> String in
        guard let quoted = g_shell_quote(word) else { return word }
        defer { g_free(quoted) }
        return String(cString: quoted)
      }
      let command = g_app_info_get_commandline(info).map { String(cString: $0) } ?? ""
      made = g_app_info_create_from_commandline(
        words.joined(separator: " ") + " " + command, id, G_APP_INFO_CREATE_NONE, &problem)
      guard let made else { return Self.sentence(problem) }
      launched = made
    }
    let context = g_app_launch_context_new()
    defer { g_object_unref(gpointer(context)) }
    Self.set(variables, in: context)
    let started = Started()
    let flags = GSpawnFlags(
      rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_STDOUT_TO_DEV_NULL.rawValue
        | G_SPAWN_STDERR_TO_DEV_NULL.rawValue)
    let isStarted = g_desktop_app_info_launch_uris_as_manager(
      launched, nil, context, flags, Self.inOwnSession, nil,
      { _, process, context in
        if let context { Unmanaged<Started>.fromOpaque(context).takeUnretainedValue().process = process }
      }, Unmanaged.passUnretained(started).toOpaque(), &problem)
    guard isStarted != 0 else { return Self.sentence(problem) }
    if let process = started.process { putIntoScope(process, appID: id) }
    return nil
  }

  private final class Started { var process: GPid? }

  /// Of its environment the launched program gets exactly these.
  private static func set(
    _ variables: [(name: String, value: String)], in context: UnsafeMutablePointer<GAppLaunchContext>?
  ) {
    for name in LaunchEnvironment.display + ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
      g_app_launch_context_unsetenv(context, name)
    }
    for (name, value) in variables { g_app_launch_context_setenv(context, name, value) }
  }

  private func spawn(_ words: [String], appID: String, _ variables: [(name: String, value: String)])
    -> String?
  {
    var arguments = words.map { g_strdup($0) } + [nil]
    var environment = variables.map { g_strdup("\($0.name)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { g_free($0) } }
    var process: GPid = 0
    var problem: UnsafeMutablePointer<GError>?
    let flags = GSpawnFlags(
      rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_STDOUT_TO_DEV_NULL.rawValue
        | G_SPAWN_STDERR_TO_DEV_NULL.rawValue)
    let home = CurrentProcess.variable("HOME")
    guard
      g_spawn_async(
        home.flatMap { FilePath($0).isFolder ? $0 : nil }, &arguments, &environment, flags, Self.inOwnSession,
        nil, &process, &problem) != 0
    else { return Self.sentence(problem) }
    putIntoScope(process, appID: appID)
    return nil
  }

  /// Runs in the child: signals of this process's terminal are not its own.
  private static let inOwnSession: GSpawnChildSetupFunc = { _ in CurrentProcess.beginSession() }

  /// Portals read an app's ID from the name of its scope. Where there is no user manager nothing happens.
  private func putIntoScope(_ process: GPid, appID: String) {
    let name = appID.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? String($0) : "_" }
      .joined()
    let unit = "app-continuo-\(name)-\(UInt32.random(in: .min ... .max)).scope"
    let properties = [
      ("PIDs", BusValue.array("u", [BusValue.uint32(UInt32(bitPattern: process))])),
      ("Slice", BusValue.string("app.slice")), ("CollectMode", BusValue.string("inactive-or-failed")),
    ]
    bus.call(
      SessionBus.Call(
        name: Self.manager, path: Self.managerPath, interface: "org.freedesktop.systemd1.Manager",
        method: "StartTransientUnit",
        arguments: BusValue.tuple([
          BusValue.string(unit), BusValue.string("fail"),
          BusValue.array(
            "(sv)", properties.map { BusValue.tuple([BusValue.string($0.0), g_variant_new_variant($0.1)]) }),
          BusValue.array("(sa(sv))", []),
        ]), startsService: false)
    ) { _, _ in }
  }

  private static func sentence(_ problem: UnsafeMutablePointer<GError>?) -> String {
    guard let problem else { return "It gave no reason." }
    defer { g_error_free(problem) }
    return problem.pointee.message.map { String(cString: $0) + "." } ?? "It gave no reason."
  }
}
