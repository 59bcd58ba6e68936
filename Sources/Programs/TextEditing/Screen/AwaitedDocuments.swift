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
  /// The offer whose document the person was in there, while what is open beside it is continued as well.
  private var front: OfferID?

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

  /// The continuation that the screen is about; nil for none. Main actor only.
  @MainActor public func continuation(in application: Application) -> RequestID? {
    shown.flatMap { application.continuation(of: $0.offer.id) } ?? application.continuation
  }

  /// What the screen is to say of it. Main actor only.
  @MainActor public static func event(of wait: Wait, in application: Application) -> EditorEvent {
    .waiting(
      title: wait.offer.shownTitle, wait.status,
      copies: wait.status.arrival == .diverged ? application.copies(of: wait.offer) : [],
      comesAlong: wait.offer.isOpenedBeside)
  }

  /// A continuation has begun. Main actor only.
  @MainActor public mutating func noteBegun(in application: Application) {
    let leading = application.offers.first {
      application.continuation(of: $0.id) != nil && !application.offersOpenedBeside($0.id).isEmpty
    }
    if let leading { front = leading.id }
  }

  /// Forgets those whose continuation has ended. Main actor only.
  @MainActor public mutating func forgetEnded(in application: Application) {
    waits.removeAll { application.continuation(of: $0.offer.id) == nil }
    if application.continuation == nil { front = nil }
  }

  /// Whether what opens now came along with the document that the person was in, which is open already: it
  /// takes the screen from nobody. Main actor only.
  @MainActor public func comesAlong(in application: Application) -> Bool {
    front.map { application.continuation(of: $0) == nil } ?? false
  }
}

extension ContinuityError {
  /// Ends what a screen says of a continuation whose document is shown elsewhere.
  public static var continuedElsewhere: Self {
    ContinuityError(.userCancelled, description: "It is shown in another window.")
  }
}

extension Application {
  /// Continues an offer here; with `isAll` what is open there beside it, too. Returns the offer's request.
  public func accept(_ id: OfferID, withAll isAll: Bool) -> RequestID? {
    isAll ? continueOfferWithOpenDocuments(id).last : continueOffer(id)
  }

  /// How many documents are open there beside that of an offer, where any are.
  public var openedBesideCounts: [OfferID: Int] {
    offers.reduce(into: [:]) { counts, offer in
      let count = offersOpenedBeside(offer.id).count
      if count > 0 { counts[offer.id] = count }
    }
  }
}
