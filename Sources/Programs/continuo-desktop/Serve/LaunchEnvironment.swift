// SPDX-License-Identifier: MIT

import CDesktopGLib

/// Variables by name, byte by byte.
typealias Variables = [[UInt8]: [UInt8]]

/// What a started program gets for its environment.
///
/// The agent may have been started by a socket or the bus, before there was a display. So what belongs to
/// the session is taken from who knows it best, name by name.
struct LaunchEnvironment {
  /// This program's, as it was started.
  var own: Variables
  /// That of the systemd user manager at this moment; empty without one.
  var manager: Variables = [:]
  /// That of the agent's client, as the order says.
  var client: Variables = [:]
  /// The address of the bus in the runtime folder, when its socket is there.
  var runtimeBus: [UInt8]?
  /// What the desktop wants to see, for the start to get the focus.
  var token: String?

  private static let bus = Array("DBUS_SESSION_BUS_ADDRESS".utf8)

  /// What tells of the session.
  static let session = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "SWAYSOCK",
    "XDG_SESSION_TYPE",
  ].map { Array($0.utf8) }

  /// What was said to this program or the agent alone.
  private static let ofOthers = [
    "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
    "INVOCATION_ID",
    "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID", "MAINPID",
  ].map { Array($0.utf8) }

  private static let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].map { Array($0.utf8) }

  var variables: Variables {
    var variables = own
    for name in Self.ofOthers + Self.tokens { variables[name] = nil }
    for name in Self.session {
      let said = sources.lazy.compactMap { $0[name] }.first
      variables[name] =
        name == Self.bus ? manager[name] ?? client[name] ?? runtimeBus ?? own[name] : said
    }
    if let token {
      for name in Self.tokens { variables[name] = Array(token.utf8) }
    }
    return variables
  }

  /// Who knows the display best, first. One that knows another display speaks of another session, and none of
  /// its variables counts.
  private var sources: [Variables] {
    let all = [manager, client, own]
    guard let first = all.first(where: { source in Self.displays.contains { source[$0] != nil } }) else {
      return all
    }
    return all.filter { source in
      let known = Self.displays.filter { source[$0] != nil }
      return known.isEmpty || known.contains { source[$0] == first[$0] }
    }
  }

  private static let displays = ["DISPLAY", "WAYLAND_DISPLAY"].map { Array($0.utf8) }

  /// Of `NAME=VALUE` each; the first of a name counts.
  static func variables(_ pairs: [[UInt8]]) -> Variables {
    var variables: Variables = [:]
    for pair in pairs {
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")), sign > 0 else { continue }
      let name = Array(pair[..<sign])
      if variables[name] == nil { variables[name] = Array(pair[(sign + 1)...]) }
    }
    return variables
  }

  /// This program's environment now.
  static func ofThisProcess() -> Variables {
    guard let pairs = g_get_environ() else { return [:] }
    defer { g_strfreev(pairs) }
    var found: [[UInt8]] = []
    var place = 0
    while let pair = pairs[place] {
      found.append(bytes(pair))
      place += 1
    }
    return variables(found)
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    while text[place] != 0 {
      bytes.append(UInt8(bitPattern: text[place]))
      place += 1
    }
    return bytes
  }
}
