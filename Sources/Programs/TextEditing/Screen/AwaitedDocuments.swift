// SPDX-License-Identifier: MIT

public import Continuo

/// The documents that are awaited from other devices, several where all that was open there is continued; and
/// which of them a screen is about.
public struct AwaitedDocuments: Sendable {
  /// One of them.
  public struct Wait: Sendable {
    /// What is awaited.
    public var offer: Offer
    /// How it stands.
    public var status: ArrivalStatus
  }

  private var waits: [Wait] = []

  /// Nothing is awaited.
  public init() {}

  /// The one that the screen is about: one that needs the person comes first, else the one told of last.
  public var shown: Wait? { waits.first { $0.status.arrival == .diverged } ?? waits.last }

  /// How the document of an offer stands. Returns whether the screen is about it now.
  public mutating func note(_ offer: Offer, standing status: ArrivalStatus) -> Bool {
    waits.removeAll { $0.offer.id == offer.id }
    waits.append(Wait(offer: offer, status: status))
    return shown?.offer.id == offer.id
  }

  /// Forgets those whose continuation has ended. Main actor only.
  @MainActor public mutating func forgetEnded(in application: Application) {
    waits.removeAll { application.continuation(of: $0.offer.id) == nil }
  }

  /// Whether the document came along with the one that the person asked for, after a wait: it takes the
  /// screen from nobody. Main actor only.
  @MainActor public func comesAlong(_ document: TextDocument, in application: Application) -> Bool {
    waits.contains { $0.offer.isOpenedBeside && application.isDocument(document, of: $0.offer) }
  }
}

extension ContinuityError {
  /// Ends what a screen says of a continuation whose document is shown elsewhere.
  public static var continuedElsewhere: Self {
    ContinuityError(.userCancelled, description: "It is shown in another window.")
  }
}

extension Application {
  /// How many documents are open there beside that of an offer, where any are.
  public var openedBesideCounts: [OfferID: Int] {
    offers.reduce(into: [:]) { counts, offer in
      let count = offersOpenedBeside(offer.id).count
      if count > 0 { counts[offer.id] = count }
    }
  }
}
