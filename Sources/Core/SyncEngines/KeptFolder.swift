// SPDX-License-Identifier: MIT

/// A program that keeps folders alike on several devices, and whose configuration this room reads.
public enum SyncEngine: String, Sendable, CaseIterable {
  /// `config.xml`, and `.stignore` in each folder.
  case syncthing = "Syncthing"
  /// `nextcloud.cfg`, and `sync-exclude.lst` beside it.
  case nextcloud = "Nextcloud"
  /// Profiles, `~/.unison/NAME.prf`.
  case unison = "Unison"
  /// The listings that `rclone bisync` keeps.
  case rclone
  /// `~/.dropbox/info.json`.
  case dropbox = "Dropbox"
}

/// A folder that an engine keeps, as its configuration on this device says.
public struct KeptFolder: Hashable, Sendable {
  /// Whose configuration names it.
  public var engine: SyncEngine
  /// What the engine's user calls it; empty where the engine has no names.
  public var label: String
  /// Where it lies, absolute.
  public var path: [UInt8]
  /// The engine does not keep it at this time, because its user said so.
  public var isPaused: Bool
  /// Why the engine does not carry `.continuo`, as far as the configuration says; nil where it does.
  public var omission: Omission?

  /// A folder at `path`, which is kept whole.
  public init(
    engine: SyncEngine, label: String = "", path: [UInt8], isPaused: Bool = false, omission: Omission? = nil
  ) {
    self.engine = engine
    self.label = label
    self.path = path
    self.isPaused = isPaused
    self.omission = omission
  }
}

/// Why an engine leaves `.continuo` out.
public struct Omission: Hashable, Sendable {
  /// The pattern or the setting, as the person wrote it.
  public var pattern: String
  /// Where it stands, for people.
  public var file: String
  /// What carries `.continuo` again, as a clause that follows a colon.
  public var fix: String
}

/// What one configuration says.
public struct EngineReading: Hashable, Sendable {
  /// In the order of the configuration.
  public var folders: [KeptFolder] = []
  /// What could not be read of it, in sentences.
  public var problems: [String] = []

  /// Nothing was found.
  public init() {}

  /// A configuration that is too large to be one, and more folders than anybody has, are not read.
  public enum Limit {
    /// Of one file, in bytes.
    public static let bytes: UInt64 = 16 << 20
    /// Of one configuration.
    public static let folders = 10_000
  }

  mutating func add(_ folder: KeptFolder) {
    if folders.count < Limit.folders, !folder.path.contains(0) { folders.append(folder) }
  }
}

/// What lies in a synced folder for Continuo; docs/records.md has the names.
enum ContinuoFiles {
  static let folder = ".continuo"

  /// The folder, and one file of each kind: an engine has to carry all of them.
  static let paths: [String] = {
    let digits = "abcdefghijklmnopqrstuvwx23"
    let files = ["d-\(digits).rec", "r-\(digits).rst", "i-\(digits).inv", "f-\(digits).id"]
    return [folder] + files.map { "\(folder)/\($0)" }
  }()
}

/// A path as configurations write it.
enum ConfiguredPath {
  /// Absolute, without a slash at its end; nil for one that is neither absolute nor begins with `~/`.
  static func absolute(_ text: String, home: [UInt8]) -> [UInt8]? { absolute(Array(text.utf8), home: home) }

  static func absolute(_ bytes: [UInt8], home: [UInt8]) -> [UInt8]? {
    var path = bytes
    if path.first == UInt8(ascii: "~"), path.count == 1 || path[1] == UInt8(ascii: "/") {
      path = home + path.dropFirst()
    }
    guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
    while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
    return path
  }
}
