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
  }

  /// Whose it is.
  public var appID: String
  /// What is kept of it: see `ActivitySnapshot.forKeeping`.
  public var snapshot: ActivitySnapshot

  /// An activity of that app.
  public init(appID: String, snapshot: ActivitySnapshot) { (self.appID, self.snapshot) = (appID, snapshot) }
}
