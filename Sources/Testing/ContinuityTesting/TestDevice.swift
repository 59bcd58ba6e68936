// SPDX-License-Identifier: MIT

import AppSession
import ActivityExchange
public import ActivityModel
import ContinuityTestKit
public import Documents
public import Foundation
import UserActivities

/// One device of a `TestWorld`: a synced folder on disk, a simulated agent, and your app while it runs there.
/// Main actor only.
///
/// The person is at one device at a time: `launch`, `open` and `continueOffer` go to it. What your own
/// objects do goes through the application of the device where the person is; `comeForward` moves them.
@MainActor
public final class TestDevice {
  /// What the other devices, and sentences for people, call it.
  public nonisolated let name: String
  /// The synced folder: a real one. All regular files in it are read again at every step, so keep it small.
  public nonisolated let folder: URL
  /// The app, while it runs.
  public private(set) var application: Application?
  /// What is awaited and why, while a continuation waits here; nil otherwise.
  public internal(set) var status: ArrivalStatus?
  /// Errors that the framework presented, oldest first: those that your delegate leaves to it.
  public private(set) var presentedErrors: [any Error] = []

  let device: ManualDevice
  private let directory: ScratchDirectory
  let turns: Turns
  private var controller = DocumentController()
  private(set) var session: Session?
  /// Not retained by an application.
  private var delegate: (any ApplicationDelegate)?
  /// What the agent was told of the folder.
  var told: [RelativePath: Data] = [:]

  init(_ device: ManualDevice, folder: URL, directory: ScratchDirectory, turns: Turns) {
    name = device.name
    (self.device, self.folder, self.directory, self.turns) = (device, folder, directory, turns)
    device.root = Array(folder.path(percentEncoded: false).utf8)
    if device.root.last == UInt8(ascii: "/") { device.root.removeLast() }
    device.nextDeadline = { [weak self] in MainActor.assumeIsolated { self?.session?.app.nextDeadline } }
    device.tick = { [weak self] in MainActor.assumeIsolated { self?.tick() } }
    device.connectionDidChange = { [weak self] isUp in
      MainActor.assumeIsolated { self?.report(isUp: isUp) }
    }
    device.didReceive = { [weak self] report, hasFile in
      MainActor.assumeIsolated { self?.receive(report, hasFile: hasFile) }
    }
  }

  // MARK: The app

  /// Starts the app here, with its own document controller in `DocumentController.shared`; that takes a tenth
  /// of a second of virtual time, in which it finds its agent. `documents` are the classes by their
  /// `NSDocumentClass` names; the first one also serves types without that entry. The delegate is retained
  /// until the app ends.
  ///
  /// Throws `invalidRequest` while an app runs here.
  @discardableResult
  public func launch(
    _ manifest: AppManifest, documents: KeyValuePairs<String, Document.Type>,
    delegate: (any ApplicationDelegate)? = nil
  ) throws -> Application {
    guard application == nil else {
      throw ContinuityError(
        .invalidRequest, subject: name,
        description: "The app runs on \(name) already; let it quit or crash first.")
    }
    let device = device
    let session = Session(
      manifest: manifest,
      clock: SessionClock(now: { device.now }, wallTime: { device.wallTime }, isLive: false))
    session.link = FolderLink(self, device)
    comeForward()
    DocumentController.shared = DocumentController()
    let application = Application(session: session)
    for (name, documentClass) in documents { DocumentController.shared.register(documentClass, name: name) }
    application.delegate = delegate
    application.presenter = self
    (self.application, self.session, self.delegate) = (application, session, delegate)
    if device.hasAgent { device.connect() } else { connectLater(session) }
    turns.moment()
    return application
  }

  /// As above, with the bytes of an `Info.plist`; throws `invalidManifest` when they are none.
  @discardableResult
  public func launch(
    embeddedManifest bytes: [UInt8], documents: KeyValuePairs<String, Document.Type>,
    delegate: (any ApplicationDelegate)? = nil
  ) throws -> Application {
    let manifest = try ManifestReader.manifest(from: bytes, file: "the embedded Info.plist")
    return try launch(manifest, documents: documents, delegate: delegate)
  }

  private func connectLater(_ session: Session) {
    session.linkDidChange(isUp: false)
    device.connect()
  }

  /// The person quits the app: what it still has to say is said, and what it offered stands. That takes a
  /// tenth of a second of virtual time.
  public func quit() {
    guard let application else { return }
    comeForward()
    application.terminate()
    forget()
    // What it said last still arrives.
    turns.moment()
    device.disconnect()
  }

  /// The app dies where it is. Its objects are still in memory, for a test cannot take them away; forget
  /// them.
  public func crash() {
    forget()
    device.disconnect()
  }

  private func forget() {
    session?.link = nil
    (application, session, delegate, status) = (nil, nil, nil, nil)
  }

  // MARK: The person

  /// The person is at this device now: what the app's objects do goes through its application, and
  /// `Application.shared` and `DocumentController.shared` are those of this device.
  public func comeForward() {
    turns.device?.controller = DocumentController.shared
    turns.device = self
    DocumentController.shared = controller
    application?.takeTurn()
  }

  /// Opens the document at `path`, relative to the folder, as `File > Open` would, and makes it the main one
  /// unless the app has a main window; that takes a tenth of a second of virtual time.
  ///
  /// Throws `invalidRequest` while no app runs here, and what opening throws.
  public func open(_ path: String) async throws -> Document {
    let application = try running()
    comeForward()
    let url = folder.appending(path: path)
    let (document, _) = try await DocumentController.shared.openDocument(withContentsOf: url, display: true)
    if application.mainWindow == nil { application.mainDocument = document }
    turns.moment()
    return document
  }

  /// What other devices offer to the app here.
  public var offers: [Offer] { application?.offers ?? [] }

  /// The person takes the first offer. Throws `invalidRequest` when there is none.
  @discardableResult
  public func continueOffer() throws -> RequestID {
    let (application, offer) = (try running(), try firstOffer())
    comeForward()
    return application.continueOffer(offer.id)
  }

  /// What the other app has open beside the document of the first offer, by name.
  public var offersOpenedBeside: [Offer] {
    offers.first.flatMap { application?.offersOpenedBeside($0.id) } ?? []
  }

  /// The person takes the first offer, and what is open there beside it. Throws `invalidRequest` when there
  /// is none.
  @discardableResult
  public func continueOfferWithOpenDocuments() throws -> [RequestID] {
    let (application, offer) = (try running(), try firstOffer())
    comeForward()
    return application.continueOfferWithOpenDocuments(offer.id)
  }

  private func firstOffer() throws -> Offer {
    guard let offer = offers.first else {
      throw ContinuityError(
        .invalidRequest, subject: name,
        description:
          "Nothing is offered on \(name): let the other app save, carry the records, and let time pass."
      )
    }
    return offer
  }

  /// The document that the app here has open at `path`, relative to the folder.
  public func document(_ path: String) -> Document? {
    let controller = turns.device === self ? DocumentController.shared : controller
    let file = folder.appending(path: path).path(percentEncoded: false)
    return controller.documents.first { $0.fileURL?.path(percentEncoded: false) == file }
  }

  private func running() throws(ContinuityError) -> Application {
    if let application { return application }
    throw ContinuityError(
      .invalidRequest, subject: name, description: "No app runs on \(name); launch it first.")
  }

  // MARK: The agent

  /// Kills the agent, and the watch process with it. An app waits 30 seconds for another one.
  public func killAgent() { device.killAgent() }

  /// Starts an agent again, as a real app does by itself; the app finds it at once.
  public func startAgent() { device.startAgent() }

  // MARK: Files

  /// Another program, or the sync engine, puts these bytes at `path`, relative to the folder: by a temporary
  /// file and a rename. Throws what writing throws.
  public func write(_ data: Data, to path: String) throws {
    let place = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: place, options: .atomic)
  }

  /// As above, with the UTF-8 of a text. Throws the error of the file system.
  public func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

  /// What the file at `path` holds, relative to the folder; nil when there is none.
  public func data(of path: String) -> Data? {
    FileManager.default.contents(atPath: folder.appending(path: path).path(percentEncoded: false))
  }
}

extension TestDevice: ContinuationPresenting {
  /// Shows nothing.
  public func beginFeedback(forActivityType type: String) {}
  /// Shows nothing.
  public func endFeedback(forActivityType type: String) {}
  /// Keeps the error in `presentedErrors`.
  public func present(_ error: any Error) { presentedErrors.append(error) }
}
