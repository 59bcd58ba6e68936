// SPDX-License-Identifier: MIT

/// An activity that an app had kept for later, to be searched and deleted under its persistent identifier
/// (semantics 11).
public struct SavedActivity: Hashable, Sendable {
  /// Whose it is.
  public var appID: String
  /// What is kept of it: see `ActivitySnapshot.forKeeping`.
  public var snapshot: ActivitySnapshot

  /// An activity of that app.
  public init(appID: String, snapshot: ActivitySnapshot) { (self.appID, self.snapshot) = (appID, snapshot) }
}
