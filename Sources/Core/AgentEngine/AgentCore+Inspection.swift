// SPDX-License-Identifier: MIT

package import ActivityModel

// For a world that checks what the agent decided.
extension AgentCore {
  /// What the other devices offer, as the command line lists it.
  package var offers: [Offer] { allOffers() }
  /// The offers whose documents are followed.
  package var followedOffers: [OfferID] { tracker.offers }
}
