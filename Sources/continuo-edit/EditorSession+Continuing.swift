// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import TextEditing

extension EditorSession {
  func accept(_ id: OfferID) {
    acceptedFrom = application.offers.first { $0.id == id }?.deviceName
    document.continuationBegins()
    request = application.continueOffer(id)
  }

  func cancel() {
    if let request { application.cancelContinuation(request) }
  }

  /// The offers whose document is the one on the screen.
  private var shownOffers: Set<OfferID> {
    guard let path = document.fileURL?.path(percentEncoded: false) else { return [] }
    let bytes = Array(path.utf8)
    let shown = application.offers.filter { offer in
      offer.path.map { path in
        application.roots.contains { $0.name == offer.folderName && $0.absolutePath(of: path) == bytes }
      } ?? false
    }
    return Set(shown.map(\.id))
  }
}

extension EditorSession: ApplicationDelegate {
  func applicationOffersDidChange(_ application: Application) {
    handle(.offers(application.offers, shown: shownOffers))
  }

  func applicationConnectionDidChange(_ application: Application) {
    handle(.connection(application.isConnected))
  }

  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    document.continuationBegins()
    handle(.continuing)
    return true
  }

  func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus) {
    acceptedFrom = offer.deviceName
    handle(.waiting(title: offer.path?.displayName ?? offer.displayTitle, status))
  }

  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {
    guard let document = document as? TextDocument else { return }
    request = nil
    show(document)
    handle(
      .continued(
        ContinuedDocument(
          deviceName: acceptedFrom, wasAlreadyOpen: wasAlreadyOpen, keptFrom: document.keptFrom)))
    applicationOffersDidChange(application)
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    request = nil
    let known = error as? ContinuityError
    handle(.failed(known ?? ContinuityError(.handoffFailed, Self.sentence(error))))
  }
}
