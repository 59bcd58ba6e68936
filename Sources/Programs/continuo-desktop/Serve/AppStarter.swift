// SPDX-License-Identifier: MIT

import CDesktopGLib

/// Starts apps, and has files and addresses opened. Each request is answered once, by `done` or `failed`.
final class AppStarter {
  /// Goes to the agent.
  var onEvent: ([String]) -> Void = { _ in }
  /// What came with the action of a notification.
  var takeToken: (Int?) -> String? = { _ in nil }

  private let bus: SessionBus
  private let own: Variables
  private let runtimeFolder: [UInt8]?

  /// An app may need this long to be started by the bus, which gives up by itself then.
  private static let activationTime: gint = 25_000
  /// The user manager is at hand or hangs.
  private static let managerTime: gint = 2000

  /// - Parameter own: The environment that this program was started with.
  init(_ bus: SessionBus, own: Variables) {
    self.bus = bus
    self.own = own
    runtimeFolder = own[Array("XDG_RUNTIME_DIR".utf8)]
  }

  // MARK: What the agent orders

  func start(_ what: DesktopOrder.Program, _ request: DesktopOrder.Request) {
    let token = takeToken(request.notification)
    switch what {
    case .entry(let id):
      guard let entry = DesktopEntry.named(id) else {
        return fail(request, "There is no app \(id), or its program is missing; install it again.")
      }
      start(entry, with: [], request, token)
    case .command(let app, let needsTerminal, let arguments):
      environment(request, token) { [weak self] environment in
        self?.report(request, as: app) { () throws(DesktopFault) in
          let prefix = needsTerminal ? try Terminals(setting: request.terminal).prefix() : []
          return try ProgramStart.run(prefix + arguments, environment)
        }
      }
    }
  }

  /// Has a file opened by the app for its type; one that is not said is looked up: by the name first, so
  /// that it is the app that `nameDefault` named.
  func open(_ path: [UInt8], type: String, _ request: DesktopOrder.Request) {
    let token = takeToken(request.notification)
    guard path.first == UInt8(ascii: "/"), let uri = withText(path, { g_filename_to_uri($0, nil, nil) })
    else {
      return fail(request, "A file is opened by its absolute path.")
    }
    defer { g_free(uri) }
    let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    let type = type.isEmpty ? ContentType.guess(name) ?? FileBeginning.type(of: path) : type
    guard !ContentType.isProgram(type) else { return fail(request, Self.isProgram) }
    guard let entry = DesktopEntry.forType(type) else { return fail(request, Self.nobody(for: type)) }
    start(entry, with: [String(cString: uri)], request, token)
  }

  /// Tells the name of the app that a file of that name and type is opened by.
  func nameDefault(for name: [UInt8], type: String, _ request: DesktopOrder.Request) {
    let type = type.isEmpty ? ContentType.guess(name, []) : type
    guard !ContentType.isProgram(type) else { return fail(request, Self.isProgram) }
    guard let entry = DesktopEntry.forType(type) else { return fail(request, Self.nobody(for: type)) }
    onEvent(["done", request.name, entry.name])
  }

  /// Has a web page opened.
  func browse(_ url: String, _ request: DesktopOrder.Request) {
    let token = takeToken(request.notification)
    guard let scheme = Self.webScheme(of: url) else {
      return fail(request, "Only addresses that begin with http:// or https:// are opened.")
    }
    let call = SessionBus.Call(
      destination: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
      interface: "org.freedesktop.portal.OpenURI", method: "OpenURI",
      arguments: [
        .text(""), .text(url), .dictionary(token.map { [("activation_token", .text($0))] } ?? []),
      ])
    bus.call(call) { [weak self] in
      guard let self else { return }
      if case .success = $0 { return self.onEvent(["done", request.name, ""]) }
      guard let entry = DesktopEntry.forType("x-scheme-handler/\(scheme)") else {
        return self.fail(
          request, "There is no browser; install one, or choose one in your desktop's settings.")
      }
      self.start(entry, with: [url], request, token)
    }
  }

  private static let isProgram =
    "The file would be executed, or start what it names; look at it in its folder first."

  private static func nobody(for type: String) -> String {
    "No app opens files of the type \(type); install one, or choose one in your desktop's settings."
  }

  /// `http` or `https`; nil for all that is no address of the web.
  static func webScheme(of url: String) -> String? {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }),
      let uri = g_uri_parse(url, G_URI_FLAGS_NONE, nil)
    else { return nil }
    defer { g_uri_unref(uri) }
    let scheme = String(cString: g_uri_get_scheme(uri)).lowercased()
    guard ["http", "https"].contains(scheme), let host = g_uri_get_host(uri), host.pointee != 0 else {
      return nil
    }
    return scheme
  }

  // MARK: Starting

  private func start(
    _ entry: DesktopEntry, with uris: [String], _ request: DesktopOrder.Request, _ token: String?
  ) {
    guard entry.isActivatable, bus.isConnected, let call = Self.activation(of: entry.id, uris, token) else {
      return execute(entry, with: uris, request, token)
    }
    bus.call(call) { [weak self] in
      guard let self else { return }
      switch $0 {
      case .success: self.onEvent(["done", request.name, ""])
      case .failure(let fault) where fault.isNobodyThere && entry.isExecutable:
        self.execute(entry, with: uris, request, token)
      case .failure(let fault):
        self.fail(request, "\(entry.id) cannot be started: \(fault.reason).")
      }
    }
  }

  /// Nil when no program can have that name on the bus.
  static func activation(of id: String, _ uris: [String], _ token: String?) -> SessionBus.Call? {
    let path = "/" + String(id.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    guard g_dbus_is_name(id) != 0, g_dbus_is_unique_name(id) == 0, g_variant_is_object_path(path) != 0 else {
      return nil
    }
    let platform = BusValue.dictionary(
      token.map { [("activation-token", .text($0)), ("desktop-startup-id", .text($0))] } ?? [])
    return SessionBus.Call(
      destination: id, path: path, interface: "org.freedesktop.Application",
      method: uris.isEmpty ? "Activate" : "Open",
      arguments: uris.isEmpty ? [platform] : [.texts(uris), platform], isStarting: true,
      milliseconds: activationTime)
  }

  private func execute(
    _ entry: DesktopEntry, with uris: [String], _ request: DesktopOrder.Request, _ token: String?
  ) {
    environment(request, token) { [weak self] environment in
      self?.report(request, as: entry.id) { () throws(DesktopFault) in
        let entry =
          entry.needsTerminal ? try entry.inTerminal(Terminals(setting: request.terminal).prefix()) : entry
        return try entry.launch(uris, environment)
      }
    }
  }

  /// Asks the user manager for its own at this moment.
  private func environment(
    _ request: DesktopOrder.Request, _ token: String?, then: @escaping (Variables) -> Void
  ) {
    var environment = LaunchEnvironment(own: own, client: request.client, token: token)
    if let runtimeFolder {
      let socket = runtimeFolder + Array("/bus".utf8)
      if withText(socket, { g_file_test($0, G_FILE_TEST_EXISTS) }) != 0 {
        environment.runtimeBus = SessionBus.address(ofSocket: socket)
      }
    }
    let call = SessionBus.Call(
      destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
      interface: "org.freedesktop.DBus.Properties", method: "Get",
      arguments: [.text("org.freedesktop.systemd1.Manager"), .text("Environment")],
      milliseconds: Self.managerTime)
    bus.call(call) {
      let pairs = (try? $0.get()[0].texts) ?? []
      environment.manager = LaunchEnvironment.variables(pairs.map { Array($0.utf8) })
      then(environment.variables)
    }
  }

  private func report(
    _ request: DesktopOrder.Request, as app: String, _ start: () throws(DesktopFault) -> Int32
  ) {
    do throws(DesktopFault) {
      let process = try start()
      onEvent(["done", request.name, "\(process)"])
      AppScope.enter(process, of: app, on: bus)
    } catch { fail(request, error.sentence) }
  }

  private func fail(_ request: DesktopOrder.Request, _ sentence: String) {
    onEvent(["failed", request.name, sentence])
  }
}
