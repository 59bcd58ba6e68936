// SPDX-License-Identifier: MIT

public import ActivityModel

extension ExchangeMachine {
  /// Whether the app may continue the offer: it declares the type, and the type belongs to everybody or was
  /// made by the app's team. Where neither app names a team it must be the same app (semantics 35).
  public static func matches(_ offer: Offer, manifest: AppManifest) -> Bool {
    guard manifest.continues(offer.type) else { return false }
    if offer.type.hasPrefix("public.") { return true }
    if offer.team == nil, manifest.team == nil { return offer.appID == manifest.appID }
    return offer.team == manifest.team
  }
}
