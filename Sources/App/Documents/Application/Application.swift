// SPDX-License-Identifier: MIT

import AppSession
import ActivityExchange
public import ActivityModel
package import Foundation
import LinuxSystem
package import UserActivities

/// The app as its agent sees it: `NSApplication`, as far as Handoff goes. Main actor only; one per process.
///
/// ```swift
/// let application = try Application(manifest: nil, embeddedManifest: PackageResources.jot_Info_plist)
/// application.delegate = jot
/// application.connect()
/// ```
@MainActor
public final class Application {
  /// The process's application; set by `init`, which must come first.
  public static var shared: Application {
    guard let current else { preconditionFailure("make an Application before asking for the shared one") }
    return current
  }
  static var current: Application?

  /// What the app declares.
  public let manifest: AppManifest
  /// Told of continuations, offers and connections. Not retained.
  public weak var delegate: (any ApplicationDelegate)?
  /// Shows feedback and errors that the delegate leaves to the framework. Not retained.
  public weak var presenter: (any ContinuationPresenting)?

  /// Continuations for which the framework shows feedback, and their types.
  var feedback: [RequestID: String] = [:]
  /// Continuations under way, and how much had been used when they began.
  var begun: [RequestID: Int] = [:]
  /// Set by the default of `application(_:continue:restorationHandler:)`: the app does not implement it.
  var isContinuingLeftToFramework = false
  /// The deliveries for which the app's own method was asked.
  var asked: Set<RequestID> = []

  /// Since when each offer is known to this process, by the other device's clock.
  var offeredSince: [OfferID: WallTime] = [:]

  let session: Session
  /// The files used last.
  private(set) var recents = RecentDocuments(nil)
  /// Where documents keep what they could not save; nil where there is no place.
  private(set) var autosavePlace: AutosavePlace?
  private var connection: AgentConnection?

  /// An application of `manifest`, else of its `Info.plist`: `<executable>.Info.plist` beside the executable,
  /// then `<app-id>/Info.plist` in the XDG directories of apps, then `embeddedManifest`.
  ///
  /// Throws `invalidManifest` for one that was found and cannot be used; no other is tried then.
  public convenience init(manifest: AppManifest?, embeddedManifest: [UInt8]? = nil) throws {
    let found =
      try manifest
      ?? ApplicationManifest.find(
        embedded: embeddedManifest, executable: ApplicationManifest.ownExecutable(),
        environment: ProcessInfo.processInfo.environment)
    let places = try? AgentPlaces(environment: ProcessInfo.processInfo.environment)
    self.init(session: Session(manifest: found), stateDirectory: places?.stateDirectory)
    if let places { keepAutosavedDocuments(in: places.stateDirectory) }
  }

  /// An application around a session that a test drives. Recent files are kept below `stateDirectory`;
  /// without one they are forgotten with the process, and the desktop hears of none.
  package init(session: Session, stateDirectory: String? = nil) {
    self.session = session
    recents = RecentDocuments(
      stateDirectory.flatMap { RecentFile(stateDirectory: $0, appID: session.manifest.appID) })
    manifest = session.manifest
    session.host = self
    Session.shared = session
    Self.current = self
  }

  /// Gives documents a place for what they could not save, below continuo's state directory.
  package func keepAutosavedDocuments(in stateDirectory: String) {
    autosavePlace = AutosavePlace(stateDirectory: stateDirectory, appID: manifest.appID)
  }

  /// Makes this the process's application again. Only a test has several, and lets them take turns.
  package func takeTurn() {
    Session.shared = session
    Self.current = self
  }

  /// Waits for saves that run, so that they end in the virtual time in which they began.
  package func finishSaves() { DocumentSave.finishAll() }

  /// Waits until the recent files are on the disk.
  package func finishRecents() { recents.finish() }

  /// This program's own file, for those who start it again.
  static let ownProgram = Array((ApplicationManifest.ownExecutable() ?? "").utf8)

  static var now: Instant { current?.session.now ?? Instant(nanoseconds: 0) }

  // MARK: The agent

  /// Connects to the agent, starting it when none runs, and stays connected: a lost connection is made again,
  /// and everything said again. Without an agent the app works all the same; `connectionError` says why there
  /// is none.
  public func connect() {
    guard connection == nil else { return }
    do throws(ContinuityError) {
      let places = try AgentPlaces(environment: ProcessInfo.processInfo.environment)
      let connection = AgentConnection(session: session, places: places)
      self.connection = connection
      connection.start()
    } catch {
      placesError = error
    }
  }

  /// Waits for saves that run, publishes what the current activity still has to say and sends what the socket
  /// still holds, for at most 500 ms. Nothing is withdrawn: what the person left open stays offered
  /// (semantics 18), and what is unsaved
  /// in open documents is kept for `DocumentController.restoreAutosavedDocuments()`; nobody is asked. A
  /// continuation that still waits is cancelled, so that the app's next start does not
  /// begin it anew.
  public func terminate() {
    DocumentSave.finishAll()
    for (request, _) in continuations { cancelContinuation(request) }
    session.finishRounds()
    recents.finish()
    for document in DocumentController.shared.documents { _ = document.autosaveElsewhere(isLast: true) }
    autosavePlace?.end()
    connection?.close(within: .milliseconds(500))
    connection = nil
  }

  /// Whether an agent answers.
  public var isConnected: Bool { session.app.isConnected }
  /// Why there is no connection, in one sentence; nil while there is one.
  public var connectionError: ContinuityError? { placesError ?? connection?.lastError }
  private var placesError: ContinuityError?
  /// The synced folders here.
  public var roots: [SyncedRoot] { session.app.roots }
  /// What other devices offer to this app; what is open there beside one is in `offersOpenedBeside(_:)`.
  public var offers: [Offer] { session.app.offers }
  /// The documents that the app there has open beside the one of that offer, by name; empty where it lists
  /// none (semantics 52).
  public func offersOpenedBeside(_ id: OfferID) -> [Offer] { session.app.openedBeside(id) }

  // MARK: Continuing

  /// Continues `id` here; a continuation that still waits is cancelled by that (semantics 38).
  @discardableResult
  public func continueOffer(_ id: OfferID) -> RequestID {
    let request = RequestID.random()
    session.handle(.accept(id, request))
    return request
  }

  /// Continues `id` here and, each by itself, what is open there beside it (semantics 52): a document that is
  /// not here yet, or has to be asked for, keeps no other from being opened. The delegate hears of each as of
  /// any continuation. Returns the requests, that of `id` last.
  @discardableResult
  public func continueOfferWithOpenDocuments(_ id: OfferID) -> [RequestID] {
    session.acceptAll(id)
  }

  /// Ends a waiting continuation with `userCancelled`.
  public func cancelContinuation(_ request: RequestID) { session.handle(.cancel(request)) }

  /// Waits so many seconds longer for the version.
  public func extendWait(_ request: RequestID, seconds: UInt64) {
    session.handle(.extend(request, seconds: seconds))
  }

  /// Says what the person decided about a version that is not here.
  public func choose(_ choice: ArrivalChoice, for request: RequestID) {
    session.handle(.choose(request, choice))
  }

  /// The continuation that waits or is being shown, the one that began last where documents that were open
  /// together come together; nil when there is none.
  public var continuation: RequestID? { continuations.last?.request }
  var continuations: [(request: RequestID, offer: OfferID)] = []

  /// The continuation of that offer which waits or is being shown; nil when there is none.
  public func continuation(of offer: OfferID) -> RequestID? {
    continuations.last { $0.offer == offer }?.request
  }

  // MARK: Becoming current

  /// The window that the person is in, as the host says. The first activity from its first responder up
  /// becomes current, else that of its controller's document (semantics 30). Not retained.
  public weak var mainWindow: Window? { didSet { if mainWindow !== oldValue { personDidMove() } } }
  /// For a host without windows: the document that the person is in, as the host says. Its activity becomes
  /// current; a main window comes before it.
  public var mainDocument: Document? { didSet { personDidMove() } }
  private weak var madeCurrent: UserActivity?

  /// An owner has another activity, or the chain other links.
  func activityOwnerDidChange() { findCurrentActivity(again: false) }

  /// The person is somewhere else: what they are in becomes current even if the app made another one current
  /// meanwhile.
  func personDidMove() { findCurrentActivity(again: true) }

  func documentDidClose(_ document: Document) {
    for controller in document.windowControllers { controller.document = nil }
    if mainDocument === document { mainDocument = nil }
  }

  /// One made current here resigns when nothing takes its place; one that the app made current by itself is
  /// left alone.
  private func findCurrentActivity(again: Bool) {
    let wanted = activityOfThePerson
    if let wanted {
      if again || wanted !== madeCurrent, !wanted.isCurrent { wanted.becomeCurrent() }
    } else {
      madeCurrent?.resignCurrent()
    }
    madeCurrent = wanted
  }

  private var activityOfThePerson: UserActivity? {
    guard let mainWindow else { return Self.valid(mainDocument) }
    var responder = mainWindow.firstResponder
    var steps = 0
    while let next = responder, steps < 1024 {
      if let activity = Self.valid(next) { return activity }
      responder = next.nextResponder
      steps += 1
    }
    return Self.valid(mainWindow.windowController?.document)
  }

  /// The document of the main window, or the one that a host without windows named.
  var currentDocument: Document? {
    guard let mainWindow else { return mainDocument }
    return mainWindow.windowController?.document
  }

  private static func valid(_ owner: Responder?) -> UserActivity? {
    owner?.userActivity.flatMap { $0.isValid ? $0 : nil }
  }

  /// What the offered activity lists is another set of documents: who goes on with it elsewhere keeps it.
  func listingDidChange() { madeCurrent?.followFile() }

  // MARK: Documents in synced folders

  /// Whether a file, which need not be there yet, lies in a synced folder that the agent has told of, every
  /// link followed; nil where its own folder is not there. Looks at the disk.
  package func isInSyncedFolder(_ url: URL) -> Bool? {
    FilePath(url)?.resolved.map { isInSyncedFolder($0) }
  }

  private func isInSyncedFolder(_ path: FilePath) -> Bool {
    roots.contains { $0.relativePath(of: path.bytes) != nil }
  }

  /// The activity type that a document at `path` has by itself; nil outside every synced folder, or when its
  /// type's entry names none (semantics 26, 27).
  func activityType(for path: FilePath?, ofType fileType: String?) -> String? {
    path.flatMap { session.app.activityType(ofDocumentAt: $0.bytes, ofType: fileType) }
  }

  /// The activity type of a document of that type which has no file.
  func activityType(ofUntitled type: String) -> String? {
    session.app.activityType(ofFileAt: [], ofType: type)
  }

  func didFailToAutosave(_ document: Document, _ error: any Error) {
    delegate?.application(self, didFailToAutosave: document, error: error)
  }
}
