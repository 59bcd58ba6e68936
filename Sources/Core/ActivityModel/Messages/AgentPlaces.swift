// SPDX-License-Identifier: MIT

/// Where one person's agent keeps its things, by the XDG base directory rules. Pure: reads only what it is
/// given.
public struct AgentPlaces: Hashable, Sendable {
  /// Keys, counters and folders; mode 0700. `$XDG_STATE_HOME/continuo`.
  public let stateDirectory: String
  /// Settings. `$XDG_CONFIG_HOME/continuo`.
  public let configurationDirectory: String
  /// The socket's directory; mode 0700. `$XDG_RUNTIME_DIR/continuo`, or `run` in the state directory.
  public let runtimeDirectory: String
  /// Where apps' manifests are looked for, in order: `<each>/<app-id>/Info.plist`.
  public let manifestDirectories: [String]

  /// The agent's socket.
  public var socket: String { runtimeDirectory + "/agent.sock" }
  /// Held locked by the running agent.
  public var lock: String { runtimeDirectory + "/agent.lock" }
  /// What the agent logs.
  public var log: String { stateDirectory + "/agent.log" }

  /// Places from environment variables. Relative values are ignored, as the XDG rules say.
  ///
  /// Throws `agentUnavailable` when neither `HOME` nor the variables give a place.
  public init(environment: [String: String]) throws(ContinuityError) {
    func absolute(_ name: String) -> String? {
      guard let value = environment[name], value.hasPrefix("/") else { return nil }
      return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
    }
    func base(_ variable: String, _ belowHome: String) throws(ContinuityError) -> String {
      if let value = absolute(variable) { return value }
      if let home = absolute("HOME") { return home + "/" + belowHome }
      throw ContinuityError(
        .agentUnavailable, subject: variable,
        description: "There is no place for continuo's files: set HOME, or \(variable), to an absolute path.")
    }
    stateDirectory = try base("XDG_STATE_HOME", ".local/state") + "/continuo"
    configurationDirectory = try base("XDG_CONFIG_HOME", ".config") + "/continuo"
    runtimeDirectory = absolute("XDG_RUNTIME_DIR").map { $0 + "/continuo" } ?? stateDirectory + "/run"
    let shared = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":")
    manifestDirectories =
      ([try base("XDG_DATA_HOME", ".local/share")] + shared.filter { $0.hasPrefix("/") }.map(String.init))
      .map { $0 + "/continuo/apps" }
  }
}
