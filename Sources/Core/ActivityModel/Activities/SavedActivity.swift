// SPDX-License-Identifier: MIT

/// An activity that an app had kept for later, to be searched and deleted under its persistent identifier
/// (semantics 11).
public struct SavedActivity: Hashable, Sendable {
  /// Which one is meant: whose, and under which identifier it was saved.
  public struct Key: Hashable, Sendable {
    /// The app's identifier.
    public var appID: String
    /// Under which the app saved it.
    public var identifier: String
    /// The other device that has it; nil for this one.
    public var device: DeviceID?

    /// The one that this app saved under that identifier, on this device or on `device`.
    public init(appID: String, identifier: String, device: DeviceID? = nil) {
      (self.appID, self.identifier, self.device) = (appID, identifier, device)
    }

    /// The one of this name; nil for what is none.
    package init?(named name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), let app = [UInt8](hexadecimal: parts[0]),
        let key = [UInt8](hexadecimal: parts[1]), let appID = String(validating: app, as: UTF8.self),
        let identifier = String(validating: key, as: UTF8.self)
      else { return nil }
      let device = parts.count < 3 ? nil : [UInt8](hexadecimal: parts[2]).flatMap { DeviceID(bytes: $0) }
      guard parts.count < 3 || device != nil else { return nil }
      self.init(appID: appID, identifier: identifier, device: device)
    }

    /// One word of hexadecimal digits and dots, for programs that give it back.
    package var name: String {
      Array(appID.utf8).hexadecimal + "." + Array(identifier.utf8).hexadecimal
        + (device.map { "." + $0.bytes.hexadecimal } ?? "")
    }
  }

  /// Whose it is.
  public var appID: String
  /// What is kept of it: see `ActivitySnapshot.forKeeping`.
  public var snapshot: ActivitySnapshot
  /// The other device that has it; nil for this one.
  public var device: DeviceID?

  /// An activity of that app, on this device or on `device`.
  public init(appID: String, snapshot: ActivitySnapshot, device: DeviceID? = nil) {
    (self.appID, self.snapshot, self.device) = (appID, snapshot, device)
  }

  /// Which one it is; nil without an identifier.
  public var key: Key? {
    snapshot.persistentIdentifier.map { Key(appID: appID, identifier: $0, device: device) }
  }
}
