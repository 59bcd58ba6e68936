// SPDX-License-Identifier: MIT

public import ActivityModel

/// An app that was started for an offer and is not connected yet: what outlives the agent of that.
public struct StartedApp: Hashable, Sendable {
  /// What the person wants in it.
  public var offer: OfferID
  /// The app: its ID, its name and its team.
  public var app: AppManifest
  /// When it was started, by this device's clock.
  public var startedAt: WallTime

  /// An app that was started then; of its manifest only who it is is kept.
  public init(offer: OfferID, app: AppManifest, startedAt: WallTime) {
    self.offer = offer
    self.app = AppManifest(appID: app.appID, name: app.name)
    self.app.team = app.team
    self.startedAt = startedAt
  }
}
