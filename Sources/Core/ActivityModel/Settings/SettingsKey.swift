// SPDX-License-Identifier: MIT

/// Every setting there is. Reading, `continuo set`, its list and the page for users go by this table.
public enum SettingsKey: String, CaseIterable, Sendable {
  /// Whether anything is shown.
  case notificationsEnabled = "notifications.enabled"
  /// Whether titles are kept from notifications.
  case hideTitles = "notifications.hide-titles"
  /// Activity types of which nothing is shown.
  case offTypes = "notifications.off-types"
  /// Folders of which nothing is shown.
  case offFolders = "notifications.off-folders"
  /// Devices of which nothing is shown.
  case offDevices = "notifications.off-devices"
  /// The terminal that programs are started in.
  case terminal = "apps.terminal"
  /// The app that takes an activity type.
  case prefer = "apps.prefer"
  /// Whether other devices may connect over the network.
  case lanEnabled = "lan.enabled"
  /// Where they connect.
  case lanPort = "lan.port"
  /// Whether the circle is told public addresses.
  case publicAddresses = "lan.public-addresses"
  /// Interfaces of which the circle is told no address.
  case offNetworks = "lan.off-networks"
  /// Whether what was handed over can be found again.
  case keepHandedOver = "search.keep-handed-over"
  /// How many activities of one app are kept.
  case keptActivities = "search.activities"
  /// How much of one app's is kept.
  case keptMegabytes = "search.megabytes"
  /// How much of all apps' is kept.
  case keptTotalMegabytes = "search.total-megabytes"
  /// For how long what has no expiration date is kept.
  case keptDays = "search.days"

  /// What may be set for a key.
  public enum Kind: Hashable, Sendable {
    /// `true` or `false`.
    case boolean
    /// A list of texts.
    case strings
    /// A table of texts, by names that a person chooses.
    case table
    /// A port of TCP, or 0.
    case port
    /// A whole number of that range.
    case number(ClosedRange<Int>)

    /// To follow "is".
    public var told: String {
      switch self {
      case .boolean: "true or false"
      case .strings: "a list of texts in quotes, such as [\"one\", \"two\"]"
      case .table:
        "a table: write an activity type in quotes, = and an app's ID in quotes below [apps.prefer]"
      case .port: "a port from \(Reachability.lowestPort) to 65535, or 0 for any that is free"
      case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
      }
    }
  }

  /// As it is written in a file and on the command line.
  public var name: String { rawValue }

  /// The table and the key in it.
  public var path: [String] { rawValue.split(separator: ".").map(String.init) }

  /// What may be set.
  public var kind: Kind {
    switch self {
    case .notificationsEnabled, .hideTitles, .lanEnabled, .publicAddresses, .keepHandedOver: .boolean
    case .offTypes, .offFolders, .offDevices, .terminal, .offNetworks: .strings
    case .prefer: .table
    case .lanPort: .port
    case .keptActivities: .number(100...SavedActivityLimits.widest.count)
    case .keptMegabytes: .number(1...SavedActivityLimits.widest.bytes >> 20)
    case .keptTotalMegabytes: .number(1...SavedActivityLimits.widest.totalBytes >> 20)
    case .keptDays: .number(1...SavedActivityLimits.widest.days)
    }
  }

  /// What it is for: one sentence.
  public var help: String {
    switch self {
    case .notificationsEnabled: "Whether the desktop shows what can be continued here."
    case .hideTitles: "Whether notifications leave titles out, for a screen that others see."
    case .offTypes: "Activity types for which nothing is shown."
    case .offFolders: "Names of folders for which nothing is shown."
    case .offDevices: "Names of devices for which nothing is shown."
    case .terminal: "The terminal, and its arguments, in which programs without windows are started."
    case .prefer: "Which app, by its ID, takes an activity type."
    case .lanEnabled: "Whether your other devices may connect to this one over the network."
    case .lanPort: "Where they connect; 0 for the port of the last time, or any that is free."
    case .publicAddresses: "Whether your other devices are told addresses of the public network, too."
    case .offNetworks: "Interfaces whose networks are off: your other devices are told no address there."
    case .keepHandedOver: "Whether what was handed over to or from this device can be found again, too."
    case .keptActivities: "How many activities of one app can be found again; the oldest goes first."
    case .keptMegabytes: "How many MiB of one app's activities are kept."
    case .keptTotalMegabytes: "How many MiB of all apps' activities are kept."
    case .keptDays: "For how many days an activity without an expiration date is kept."
    }
  }

  /// What holds when nothing is set.
  public var defaultValue: SettingsValue { AgentSettings().value(of: self) }
}
