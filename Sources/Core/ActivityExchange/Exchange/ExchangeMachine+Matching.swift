// SPDX-License-Identifier: MIT

public import ActivityModel

/// Which app continues an offer.
public struct AppChoice: Sendable {
  /// The app that the person chose for each activity type, by its ID.
  public var preferred: [String: String]

  /// A choice in which `preferred` counts.
  public init(preferred: [String: String] = [:]) { self.preferred = preferred }

  /// The best of `apps`, of which those that stand earlier are taken first; nil when none may continue it.
  ///
  /// A page of a browser goes to an app that shows that domain itself. Else the app that made it comes first,
  /// then one of its team, then the one that the person prefers, then any that takes the type: of these,
  /// first those that claim the document's extension.
  public func best(for offer: Offer, among apps: [AppManifest]) -> Int? {
    apps.indices.filter { ExchangeMachine.matches(offer, manifest: apps[$0]) }
      .min { (rank(offer, apps[$0]), $0) < (rank(offer, apps[$1]), $1) }
  }

  /// How an offer stands to `apps`: which may continue it, or why none may.
  public func reason(for offer: Offer, among apps: [AppManifest]) -> Reason {
    if let best = best(for: offer, among: apps) {
      return .continuable(app: DisplayText.shown(apps[best].name))
    }
    let maker = DisplayText.shown(offer.appID)
    // Where neither names a team, each app is a team of its own.
    guard let other = apps.first(where: { $0.continues(offer.type) }) else {
      return .noApp(type: DisplayText.shown(offer.type), maker: maker)
    }
    return .otherTeam(app: DisplayText.shown(other.name), maker: maker)
  }

  private func rank(_ offer: Offer, _ app: AppManifest) -> Int {
    if offer.isPage(of: app) { return -1 }
    if app.appID == offer.appID, app.team == offer.team { return 0 }
    if app.team != nil, app.team == offer.team { return 1 }
    if preferred[offer.type] == app.appID { return 2 }
    let name = offer.path?.components.last
    return name.flatMap { app.documentType(claiming: $0) } == nil ? 4 : 3
  }
}

extension ExchangeMachine {
  /// Whether the app may continue the offer: it declares the type, and the type belongs to everybody or was
  /// made by the app's team. Where neither app names a team it must be the same app (semantics 35).
  public static func matches(_ offer: Offer, manifest: AppManifest) -> Bool {
    if offer.isPage(of: manifest) { return true }
    guard manifest.continues(offer.type) else { return false }
    // Any browser goes on with what another one shows.
    if offer.type == AppManifest.browsingWeb { return true }
    if offer.type.hasPrefix("public.") { return true }
    if offer.team == nil, manifest.team == nil { return offer.appID == manifest.appID }
    return offer.team == manifest.team
  }
}

extension Offer {
  /// Whether it is a page in a browser, of a domain that the app shows itself.
  fileprivate func isPage(of app: AppManifest) -> Bool {
    type == AppManifest.browsingWeb && webpageURL.map(app.isAssociated) ?? false
  }
}
