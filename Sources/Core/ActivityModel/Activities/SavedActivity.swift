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

    /// The one that this app saved under that identifier.
    public init(appID: String, identifier: String) { (self.appID, self.identifier) = (appID, identifier) }

    /// The one of this name; nil for what is none.
    package init?(named name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let app = [UInt8](hexadecimal: parts[0]),
        let key = [UInt8](hexadecimal: parts[1]), let appID = String(validating: app, as: UTF8.self),
        let identifier = String(validating: key, as: UTF8.self)
      else { return nil }
      self.init(appID: appID, identifier: identifier)
    }

    /// One word of hexadecimal digits and a dot, for programs that give it back.
    package var name: String { Array(appID.utf8).hexadecimal + "." + Array(identifier.utf8).hexadecimal }
  }

  /// Whose it is.
  public var appID: String
  /// What is kept of it: see `ActivitySnapshot.forKeeping`.
  public var snapshot: ActivitySnapshot

  /// An activity of that app.
  public init(appID: String, snapshot: ActivitySnapshot) { (self.appID, self.snapshot) = (appID, snapshot) }
}
