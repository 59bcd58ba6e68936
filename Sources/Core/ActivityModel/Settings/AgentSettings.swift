// SPDX-License-Identifier: MIT

/// What a person set for the agent; pure. What a file leaves out, or gets wrong, keeps its default.
public struct AgentSettings: Hashable, Sendable {
  /// What is shown on the desktop.
  public struct Notifications: Hashable, Sendable {
    /// `notifications.enabled`.
    public var isEnabled = true
    /// `notifications.hide-titles`.
    public var hidesTitles = false
    /// `notifications.off-types`.
    public var offTypes: [String] = []
    /// `notifications.off-folders`.
    public var offFolders: [String] = []
    /// `notifications.off-devices`.
    public var offDevices: [String] = []

    /// The defaults.
    public init() {}

    /// Whether anything is shown of the offer.
    public func tells(of offer: Offer) -> Bool {
      isEnabled && !offTypes.contains(offer.type) && !offFolders.contains(offer.folderName)
        && !offDevices.contains(offer.deviceName)
    }
  }

  /// What can be found again.
  public struct Search: Hashable, Sendable {
    /// `search.keep-handed-over`.
    public var keepsHandedOver = false
    /// `search.activities`, `search.megabytes`, `search.total-megabytes`, `search.days`.
    public var limits = SavedActivityLimits()
    /// False while a line of it is wrong: what that was to say is not known, and nothing is deleted for it.
    public var isWhole = true

    /// The defaults.
    public init() {}
  }

  /// What is shown on the desktop.
  public var notifications = Notifications()
  /// `apps.terminal`: its program and arguments; empty for none in particular.
  public var terminal: [String] = []
  /// `apps.prefer`: app IDs by activity type.
  public var preferredApps: [String: String] = [:]
  /// `lan.enabled`.
  public var isLanEnabled = false
  /// `lan.port`, `lan.public-addresses`, `lan.off-networks`.
  public var network = NetworkSettings()
  /// What can be found again.
  public var search = Search()

  /// The defaults.
  public init() {}

  /// What the entries of a file come to. Each that cannot be used is told in `problems`, in the order of
  /// lines, and changes nothing.
  public init(entries: [SettingsEntry], problems: inout [SettingsProblem]) {
    var found: [SettingsProblem] = []
    for entry in entries { read(entry, below: [], &found) }
    let search = SettingsKey.keepHandedOver.path[0]
    self.search.isWhole = !found.contains { $0.key == search || $0.key.hasPrefix(search + ".") }
    problems += found.sorted { ($0.line ?? 0, $0.key) < ($1.line ?? 0, $1.key) }
  }

  /// What holds for `key`.
  public func value(of key: SettingsKey) -> SettingsValue {
    switch key {
    case .notificationsEnabled: .boolean(notifications.isEnabled)
    case .hideTitles: .boolean(notifications.hidesTitles)
    case .offTypes: .strings(notifications.offTypes)
    case .offFolders: .strings(notifications.offFolders)
    case .offDevices: .strings(notifications.offDevices)
    case .terminal: .strings(terminal)
    case .prefer:
      .table(
        preferredApps.sorted { $0.key < $1.key }.map { SettingsEntry($0.key, value: .string($0.value)) },
        isInline: true)
    case .lanEnabled: .boolean(isLanEnabled)
    case .lanPort: .other("\(network.port)")
    case .publicAddresses: .boolean(network.tellsPublicAddresses)
    case .offNetworks: .strings(network.offInterfaces.sorted())
    case .keepHandedOver: .boolean(search.keepsHandedOver)
    case .keptActivities: .other("\(search.limits.count)")
    case .keptMegabytes: .other("\(search.limits.bytes >> 20)")
    case .keptTotalMegabytes: .other("\(search.limits.totalBytes >> 20)")
    case .keptDays: .other("\(search.limits.days)")
    }
  }

  /// Sets what `entry` holds, whose key is not looked at; for `prefer` the types in it count beside those
  /// there are. Gives what of it cannot be used.
  public mutating func set(_ key: SettingsKey, to entry: SettingsEntry) -> [SettingsProblem] {
    let line = entry.place.line
    switch (key.kind, entry.value) {
    case (.boolean, .boolean(let value)):
      setBoolean(key, to: value)
      return []
    case (.port, .other(let digits)):
      guard let port = UInt16(digits), port == 0 || port >= Reachability.lowestPort else { break }
      network.port = port
      return []
    case (.number(let range), .other(let digits)):
      guard let number = Int(digits), range.contains(number) else { break }
      setNumber(key, to: number)
      return []
    case (.strings, .list(let elements)):
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element.value else {
          return [.wrong(key.name, key.kind.told, entry.value, line: element.place.line)]
        }
        guard Self.isUsable(text) else { return [.unusable(key.name, line: element.place.line)] }
        texts.append(text)
      }
      setStrings(key, to: texts)
      return []
    case (.table, .table(let entries, _)): return entries.compactMap { prefer($0) }
    default: break
    }
    return [.wrong(key.name, key.kind.told, entry.value, line: line)]
  }

  private mutating func read(
    _ entry: SettingsEntry, below path: [String], _ problems: inout [SettingsProblem]
  ) {
    let path = path + [entry.key]
    let name = path.map(SettingsValue.writtenKey).joined(separator: ".")
    if let key = SettingsKey.allCases.first(where: { $0.path == path }) {
      problems += set(key, to: entry)
    } else if !SettingsKey.allCases.contains(where: { $0.path.starts(with: path) }) {
      problems.append(.unknown(name, line: entry.place.line))
    } else if case .table(let entries, _) = entry.value {
      for entry in entries { read(entry, below: path, &problems) }
    } else {
      problems.append(.noTable(name, line: entry.place.line))
    }
  }

  private mutating func prefer(_ entry: SettingsEntry) -> SettingsProblem? {
    let line = entry.place.line
    let type = SettingsValue.writtenKey(entry.key)
    let name = SettingsKey.prefer.name + "." + type
    switch entry.value {
    case .string(let app):
      guard Self.isUsable(app), Self.isUsable(entry.key) else { return .unusable(name, line: line) }
      preferredApps[entry.key] = app
      return nil
    case .table: return .unquotedType(type, line: line)
    default: return .wrong(name, "the ID of an app in quotes", entry.value, line: line)
    }
  }

  private mutating func setBoolean(_ key: SettingsKey, to value: Bool) {
    switch key {
    case .notificationsEnabled: notifications.isEnabled = value
    case .hideTitles: notifications.hidesTitles = value
    case .lanEnabled: isLanEnabled = value
    case .publicAddresses: network.tellsPublicAddresses = value
    case .keepHandedOver: search.keepsHandedOver = value
    default: break
    }
  }

  private mutating func setNumber(_ key: SettingsKey, to value: Int) {
    switch key {
    case .keptActivities: search.limits.count = value
    case .keptMegabytes: search.limits.bytes = value << 20
    case .keptTotalMegabytes: search.limits.totalBytes = value << 20
    case .keptDays: search.limits.days = value
    default: break
    }
  }

  private mutating func setStrings(_ key: SettingsKey, to texts: [String]) {
    switch key {
    case .offTypes: notifications.offTypes = texts
    case .offFolders: notifications.offFolders = texts
    case .offDevices: notifications.offDevices = texts
    case .terminal: terminal = texts
    case .offNetworks: network.offInterfaces = Set(texts)
    default: break
    }
  }

  private static func isUsable(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }
}
