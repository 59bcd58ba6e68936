// SPDX-License-Identifier: MIT

import Continuo
import Foundation
import TextEditing

extension EditorSession {
  func accept(_ id: OfferID, withAll isAll: Bool) {
    acceptedFrom = application.offers.first { $0.id == id }?.deviceName
    document.continuationBegins()
    request = application.accept(id, withAll: isAll)
  }

  private func showWait() {
    guard let wait = awaited.shown else { return }
    acceptedFrom = wait.offer.deviceName
    handle(AwaitedDocuments.event(of: wait, in: application))
  }

  /// A continuation ends, once whoever tells of it has: others may go on.
  private func endContinuation() {
    (request, acceptedFrom) = (nil, nil)
    Task {
      awaited.forgetEnded(in: application)
      showWait()
    }
  }

  /// Shows that there is no agent, once that is certain; without a change nobody tells.
  func noteConnection() {
    guard !isConnectionKnown, application.connectionError != nil else { return }
    isConnectionKnown = true
    handle(.connection(false))
  }

  func cancel() {
    if let request = awaited.continuation(in: application) ?? request {
      application.cancelContinuation(request)
    }
  }

  func choose(_ choice: ArrivalChoice) {
    if let request = awaited.continuation(in: application) ?? request {
      application.choose(choice, for: request)
    }
  }
}

extension EditorSession: ApplicationDelegate {
  func applicationOffersDidChange(_ application: Application) {
    handle(
      .offers(
        application.offers, shown: application.offers(of: document), beside: application.openedBesideCounts))
  }

  func applicationRootsDidChange(_ application: Application) {
    knowsFolders = true
    for document in documents { noteFolder(of: document) }
    handle(.foldersChanged)
    applicationOffersDidChange(application)
  }

  func application(_ application: Application, didFailToAutosave document: Document, error: any Error) {
    handle(.notSaved(reason: error.sentence, isChangedOnDisk: false))
  }

  /// Throws nothing: it is saved.
  func application(
    _ application: Application, shouldSave document: Document, requestedBy device: String
  ) async throws {
    guard let document = document as? TextDocument else { return }
    let done = document.fileURL == nil ? "handed over to" : "saved for"
    handle(.notice("\(document.textName) is \(done) \(device), which goes on with it."))
  }

  func application(_ application: Application, continuationDidChange document: Document) {
    handle(.documentsChanged)
  }

  func application(_ application: Application, otherEditorsDidChange document: Document) {
    handle(.documentsChanged)
  }

  func applicationConnectionDidChange(_ application: Application) {
    isConnectionKnown = true
    handle(.connection(application.isConnected))
  }

  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    document.continuationBegins()
    awaited.noteBegun(in: application)
    handle(.continuing)
    return true
  }

  func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus) {
    if awaited.note(offer, standing: status) { showWait() }
  }

  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {
    guard let document = document as? TextDocument else { return }
    defer { endContinuation() }
    if awaited.comesAlong(in: application) {
      let number = add(document)
      handle(.failed(.continuedElsewhere))
      return handle(.notice("\(document.textName) is open now\(number < 10 ? ", Alt-\(number)" : "")"))
    }
    show(document)
    handle(
      .continued(
        ContinuedDocument(
          deviceName: acceptedFrom, wasAlreadyOpen: wasAlreadyOpen, keptFrom: document.keptFrom,
          isPlaceGone: document.isPlaceGone)))
    applicationOffersDidChange(application)
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    defer { endContinuation() }
    let known = error as? ContinuityError
    handle(.failed(known ?? ContinuityError(.handoffFailed, description: error.sentence)))
  }
}
