// SPDX-License-Identifier: MIT

/// An app to be started, as the agent orders it.
struct StartOrder: Equatable {
  /// How.
  enum Way: Equatable {
    /// By the desktop entry of that ID.
    case entry(String)
    /// By an argument vector, for the app of that ID.
    case vector([String], appID: String, inTerminal: Bool)
  }

  var way: Way
  /// The notification that was pressed for it.
  var pressed: UInt64?
  /// Variables of other processes of the session, the ones that count first.
  var variables: [String]
  /// The terminal that the person wants; empty for the usual ones.
  var terminal: [String]

  /// From the fields behind the request's number; nil when they are cut.
  init?(_ fields: ArraySlice<String>) {
    var rest = fields
    guard let pressed = rest.popFirst(), let kind = rest.popFirst() else { return nil }
    self.pressed = UInt64(pressed)
    switch kind {
    case "entry":
      guard let id = rest.popFirst() else { return nil }
      way = .entry(id)
    case "exec":
      guard let appID = rest.popFirst(), let inTerminal = rest.popFirst(), let vector = Self.list(&rest),
        !vector.isEmpty
      else { return nil }
      way = .vector(vector, appID: appID, inTerminal: inTerminal == "1")
    default: return nil
    }
    guard let variables = Self.list(&rest), let terminal = Self.list(&rest), rest.isEmpty else { return nil }
    (self.variables, self.terminal) = (variables, terminal)
  }

  private static func list(_ rest: inout ArraySlice<String>) -> [String]? {
    guard let count = rest.popFirst().flatMap({ Int($0) }), (0...rest.count).contains(count) else {
      return nil
    }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// What a started program gets as its environment: this process's variables, and those of the display and
/// the bus from whoever knows them best. Pure.
struct LaunchEnvironment {
  /// What says where a window goes. All else is as this process has it.
  static let display = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE", "SWAYSOCK",
  ]

  /// `NAME=VALUE` in order: the user manager's, then those that came with the order, then the runtime
  /// directory's bus, and last this process's own start.
  static func variables(
    manager: [String], order: [String], userBus: String?, own: [String: String], token: String?
  ) -> [(name: String, value: String)] {
    var found = own.filter { !display.contains($0.key) }
    let bus = userBus.map { ["DBUS_SESSION_BUS_ADDRESS=unix:path=" + $0] } ?? []
    let own = own.filter { display.contains($0.key) }.map { "\($0.key)=\($0.value)" }
    for entry in manager + order + bus + own {
      guard let sign = entry.firstIndex(of: "="), entry.index(after: sign) != entry.endIndex else { continue }
      let name = String(entry[..<sign])
      if display.contains(name), found[name] == nil {
        found[name] = String(entry[entry.index(after: sign)...])
      }
    }
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] { found[name] = token }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The words before a program that runs in a terminal; nil where there is none. `find` tells whether a
  /// name is in PATH.
  static func terminal(_ wanted: [String], find: (String) -> Bool) -> [String]? {
    if wanted.isEmpty, find("xdg-terminal-exec") { return ["xdg-terminal-exec"] }
    if !wanted.isEmpty { return wanted }
    let known = [
      ["foot"], ["kitty"], ["alacritty", "-e"], ["wezterm", "start", "--"], ["gnome-terminal", "--"],
      ["kgx", "-e"],
      ["konsole", "-e"], ["xfce4-terminal", "-x"], ["mate-terminal", "-x"], ["lxterminal", "-e"],
      ["x-terminal-emulator", "-e"], ["xterm", "-e"],
    ]
    return known.first { find($0[0]) }
  }
}
