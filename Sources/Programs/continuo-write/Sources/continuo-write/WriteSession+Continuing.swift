// SPDX-License-Identifier: MIT

import CGtk
import Continuo
import TextEditing

/// Other devices: their offers, what is awaited from them, and what came.
extension WriteSession {
  /// Offers of open documents go to their windows, the others to the window that the person is in.
  func showOffers() {
    let offers = application.offers.filter { !hidden.contains(Self.hiding($0)) }
    let owners = windows.map { ($0, application.offers(of: $0.document)) }
    let owned = owners.reduce(into: Set<OfferID>()) { $0.formUnion($1.1) }
    let (main, beside) = (mainWindow, application.openedBesideCounts)
    for (window, own) in owners {
      window.handle(
        .offers(
          offers.filter { own.contains($0.id) || (window === main && !owned.contains($0.id)) }, shown: own,
          beside: beside))
    }
  }

  /// The person does not want to see them now; a newer version is shown again.
  func hideOffers(shownIn window: EditorWindow) {
    let own = application.offers(of: window.document)
    let others = windows.filter { $0 !== window }.map { application.offers(of: $0.document) }
    for offer in application.offers
    where own.contains(offer.id) || !others.contains(where: { $0.contains(offer.id) }) {
      hidden.insert(Self.hiding(offer))
    }
  }

  private static func hiding(_ offer: Offer) -> HiddenOffer {
    HiddenOffer(id: offer.id, version: offer.version)
  }

  func accept(_ id: OfferID, withAll isAll: Bool, in window: EditorWindow) {
    acceptedFrom = application.offers.first { $0.id == id }?.deviceName
    for window in windows { window.document.continuationBegins() }
    window.request = application.accept(id, withAll: isAll)
  }

  func cancel(_ request: RequestID?) {
    if let request = awaited.continuation(in: application) ?? request {
      application.cancelContinuation(request)
    }
  }

  func choose(_ choice: ArrivalChoice, for request: RequestID?) {
    if let request = awaited.continuation(in: application) ?? request {
      application.choose(choice, for: request)
    }
  }

  private func showWait() {
    guard let wait = awaited.shown else { return }
    acceptedFrom = wait.offer.deviceName
    continuingWindow?.handle(AwaitedDocuments.event(of: wait, in: application))
  }

  /// A continuation ends, once whoever tells of it has: others may go on.
  private func endContinuation(in window: EditorWindow?) {
    acceptedFrom = nil
    window?.request = nil
    Task {
      awaited.forgetEnded(in: application)
      showWait()
    }
  }

  func noteFolder(of document: TextDocument) {
    document.noteFolder(in: application, knowsFolders: knowsFolders)
  }

  /// Shows that there is no agent, once that is certain; without a change nobody tells.
  func noteConnection() {
    guard !isConnectionKnown, application.connectionError != nil else { return }
    isConnectionKnown = true
    for window in windows { window.handle(.connection(false)) }
  }

  /// The window in which it is continued: where it was accepted, else the one that the person is in.
  private var continuingWindow: EditorWindow? { windows.first { $0.request != nil } ?? mainWindow }

  private func window(of document: Document) -> EditorWindow? { (document as? WindowDocument)?.window }
}

extension WriteSession: ApplicationDelegate {
  func applicationOffersDidChange(_ application: Application) { showOffers() }

  func applicationRootsDidChange(_ application: Application) {
    knowsFolders = true
    for window in windows {
      noteFolder(of: window.document)
      window.handle(.foldersChanged)
    }
    showOffers()
  }

  func applicationConnectionDidChange(_ application: Application) {
    isConnectionKnown = true
    for window in windows { window.handle(.connection(application.isConnected)) }
  }

  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    for window in windows { window.document.continuationBegins() }
    awaited.noteBegun(in: application)
    continuingWindow?.handle(.continuing)
    return true
  }

  func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus) {
    if awaited.note(offer, standing: status) { showWait() }
  }

  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {
    guard let text = document as? WindowDocument else { return }
    let waited = continuingWindow
    let (from, former) = (acceptedFrom, mainWindow)
    let comesAlong = awaited.comesAlong(in: application)
    endContinuation(in: waited)
    show(text)
    guard let window = text.window else { return }
    if let waited, waited !== window, !waited.isClosed { waited.handle(.failed(.continuedElsewhere)) }
    if comesAlong, let former, former !== window, !former.isClosed { write_window_present(former.widget) }
    window.handle(
      .continued(
        ContinuedDocument(
          deviceName: from, wasAlreadyOpen: wasAlreadyOpen, keptFrom: text.keptFrom,
          isPlaceGone: text.isPlaceGone)))
    if text.keptFrom == nil {
      window.face.lookAgain()
      window.face.markPlace()
    }
    showOffers()
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    let window = continuingWindow
    endContinuation(in: window)
    let known = error as? ContinuityError
    window?.handle(.failed(known ?? ContinuityError(.handoffFailed, description: error.sentence)))
  }

  func application(_ application: Application, shouldClose document: Document) async -> UnsavedChangesChoice {
    await window(of: document)?.askAboutChanges() ?? .save
  }

  /// Throws nothing: it is saved.
  func application(
    _ application: Application, shouldSave document: Document, requestedBy device: String
  ) async throws {
    guard let window = window(of: document) else { return }
    let done = document.fileURL == nil ? "handed over to" : "saved for"
    window.handle(.notice("\(window.document.textName) is \(done) \(device), which goes on with it."))
  }

  func application(_ application: Application, didFailToAutosave document: Document, error: any Error) {
    window(of: document)?.handle(.notSaved(reason: error.sentence, isChangedOnDisk: false))
  }

  func application(_ application: Application, continuationDidChange document: Document) {
    window(of: document)?.handle(.documentsChanged)
  }

  func application(_ application: Application, otherEditorsDidChange document: Document) {
    window(of: document)?.handle(.documentsChanged)
  }
}

extension WriteSession: ContinuationPresenting {
  func beginFeedback(forActivityType type: String) {}
  func endFeedback(forActivityType type: String) {}
  func present(_ error: any Error) { tell(error.sentence) }
}
