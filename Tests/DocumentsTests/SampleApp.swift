// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Documents
import Foundation
import Glibc
import Testing
import UserActivities

/// A process has one application and one document controller, so these tests take turns.
@Suite(.serialized)
enum OneApplicationAtATime {}

/// An app with a text document class, an agent in memory, a clock that the test advances, and a synced folder
/// on disk.
@MainActor
final class SampleApp: ApplicationDelegate, ContinuationPresenting {
  let agent = MemoryAgent()
  let application: Application
  let folder = SampleFolder()
  private let time = SampleTime()
  private let session: Session

  var takes = false
  private(set) var calls: [String] = []
  private(set) var opened: [(document: Document, wasAlreadyOpen: Bool)] = []
  private(set) var errors: [ContinuityError] = []
  private(set) var restorations: [RestorationOutcome] = []
  private(set) var editorNews: [[OtherEditor]] = []
  /// What `willContinue` returns.
  var showsFeedback = false
  var onUpdate: ((UserActivity) -> Void)?
  var onError: ((any Error) -> any Error)?
  /// The documents that somebody asked about closing, what the person says, and what happens meanwhile.
  private(set) var questions: [Document] = []
  var answer = UnsavedChangesChoice.save
  var onQuestion: ((Document) async -> Void)?
  /// What the delegate was given last.
  private(set) var draft: Data?
  var keptHandler: (([any UserActivityRestoring]) -> Void)?
  /// What the app does where another device asks for a save.
  var onSaveRequest: ((Document, String) async throws -> Void)?

  static let type = "public.text-editing"

  init(
    isSynced: Bool = true, isConnected: Bool = true, manifest: AppManifest? = nil,
    stateDirectory: String? = nil
  ) {
    _ = CapturedLog.isOn
    let time = time
    session = Session(
      manifest: manifest ?? Self.manifest(),
      clock: SessionClock(
        now: { time.now },
        wallTime: { WallTime(milliseconds: time.wallOffset + time.now.nanoseconds / 1_000_000) },
        isLive: false))
    session.link = agent
    DocumentController.shared = DocumentController()
    DocumentController.shared.register(TextFile.self, name: "TextFile")
    application = Application(session: session, stateDirectory: stateDirectory)
    application.delegate = self
    application.presenter = self
    if isConnected { session.linkDidChange(isUp: true) }
    if isSynced { report(.roots([folder.root])) }
  }

  /// Text documents with an activity, logs without.
  static func manifest() -> AppManifest {
    var entry = AppManifest.DocumentType(name: "Text")
    entry.extensions = ["txt", "md"]
    entry.documentClass = "TextFile"
    entry.activityType = type
    var plain = AppManifest.DocumentType(name: "Log")
    plain.extensions = ["log"]
    var outline = AppManifest.DocumentType(name: "Outline")
    outline.extensions = ["opml"]
    outline.activityType = type
    return AppManifest(
      appID: "org.example.editor", name: "editor", activityTypes: ["org.example.reading"],
      documentTypes: [entry, plain, outline])
  }

  func report(_ report: AgentReport, descriptor: Int32? = nil) {
    session.receive(report, descriptor: descriptor)
  }

  func advance(_ pause: Duration) {
    time.now = time.now + pause
    session.tick()
  }

  /// Time that passes while something runs: no timer comes in between.
  func pass(_ pause: Duration) { time.now = time.now + pause }

  var pendingDeletions: Int { session.pendingRequests }

  /// Connects to another agent than the one in memory.
  func useAgent(_ agent: any AgentLink) {
    // A real agent knows the date, by which activities expire.
    time.wallOffset = UInt64(Date().timeIntervalSince1970 * 1000)
    session.link = agent
    session.linkDidChange(isUp: true)
  }

  func disconnect() { session.linkDidChange(isUp: false) }
  func connect() { session.linkDidChange(isUp: true) }

  func open(_ name: String, _ text: String) async throws -> TextFile {
    folder.write(name, text)
    let (document, _) = try await DocumentController.shared.openDocument(
      withContentsOf: folder.url(name), display: true)
    return try #require(document as? TextFile)
  }

  /// An offer that is accepted and delivered with the file's descriptor.
  @discardableResult
  func deliver(
    _ name: String?, arrival: Arrival = .current, info: UserInfo = [.text("line"): .int(3)],
    size: UInt64? = nil, webpageURL: String? = nil, content: String? = nil, meanwhile: () -> Void = {}
  ) -> RequestID {
    var snapshot = ActivitySnapshot(
      id: .random(), type: Self.type, appID: "org.example.editor", changedAt: WallTime(milliseconds: 1))
    snapshot.title = "Plan"
    snapshot.userInfo = info
    snapshot.webpageURL = webpageURL
    snapshot.targetContentIdentifier = content
    if let name, let size { snapshot.document = reference(name, size: size) }
    let offer = Offer(
      id: OfferID(device: .random(), activity: snapshot.id), deviceName: "desktop", snapshot: snapshot,
      folderName: "notes", status: ArrivalStatus(arrival))
    report(.offers([offer]))
    let request = application.continueOffer(offer.id)
    let descriptor = name.map { Glibc.open(folder.path($0), O_RDONLY | O_CLOEXEC) }
    meanwhile()
    let delivery = Delivery(
      activity: snapshot, path: name.map { Array(folder.path($0).utf8) }, status: ArrivalStatus(arrival),
      deviceName: "desktop")
    report(.deliver(request, delivery), descriptor: descriptor)
    return request
  }

  private func reference(_ name: String, size: UInt64) -> DocumentReference? {
    guard let path = RelativePath(name),
      let digest = ContentDigest(bytes: [UInt8](repeating: 7, count: 32))
    else { return nil }
    let version = DocumentVersion(digest: digest, size: size)
    return DocumentReference(folder: folder.root.id, path: path, version: version)
  }

  // MARK: ApplicationDelegate

  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    calls.append("will \(type)")
    return showsFeedback
  }

  func application(
    _ application: Application, continue activity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool {
    calls.append("continue \(activity.userInfo?["line"] as? Int ?? 0)")
    keptHandler = restorationHandler
    draft = activity.draftContents
    return takes
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) {
    calls.append("fail")
    if let error = error as? ContinuityError { errors.append(error) }
  }

  func application(_ application: Application, didUpdate activity: UserActivity) { onUpdate?(activity) }

  func application(_ application: Application, willPresentError error: any Error) -> any Error {
    onError?(error) ?? error
  }

  func application(
    _ application: Application, didRestore activity: UserActivity, in object: any UserActivityRestoring,
    outcome: RestorationOutcome
  ) { restorations.append(outcome) }

  // MARK: ContinuationPresenting

  private(set) var presented: [String] = []

  func beginFeedback(forActivityType type: String) { presented.append("begin \(type)") }
  func endFeedback(forActivityType type: String) { presented.append("end \(type)") }

  func present(_ error: any Error) {
    presented.append("error")
    if let error = error as? ContinuityError { errors.append(error) }
  }

  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {
    opened.append((document, wasAlreadyOpen))
  }

  func application(_ application: Application, otherEditorsDidChange document: Document) {
    editorNews.append(document.otherEditors)
  }

  func application(_ application: Application, shouldClose document: Document) async -> UnsavedChangesChoice {
    questions.append(document)
    await onQuestion?(document)
    return answer
  }

  func application(
    _ application: Application, shouldSave document: Document, requestedBy device: String
  ) async throws {
    calls.append("should save for \(device)")
    try await onSaveRequest?(document, device)
  }

  func application(_ application: Application, didFailToAutosave document: Document, error: any Error) {
    calls.append("autosave failed")
  }
}

private final class SampleTime {
  var now = Instant(nanoseconds: 3_600_000_000_000)
  var wallOffset: UInt64 = 0
}

/// An agent that only listens; what came beside an update is read at once.
@MainActor
final class MemoryAgent: AgentLink {
  private(set) var requests: [AgentRequest] = []
  private(set) var savedTexts: [String] = []
  /// What it does about a request.
  var onRequest: ((AgentRequest) -> Void)?

  nonisolated func send(_ request: AgentRequest, descriptor: Int32?) {
    MainActor.assumeIsolated {
      requests.append(request)
      onRequest?(request)
      guard let descriptor else { return }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(descriptor, &buffer, buffer.count)
      savedTexts.append(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
    }
  }

  /// What was said since the last call.
  func take() -> [AgentRequest] {
    defer { requests = [] }
    return requests
  }

  /// The last state that was offered.
  var update: ActivitySnapshot? {
    requests.reversed().lazy.compactMap { if case .update(let snapshot, _) = $0 { snapshot } else { nil } }
      .first
  }

  var withdrawals: Int { requests.filter { if case .withdraw = $0 { true } else { false } }.count }

  var outcomes: [ContinuationOutcome] {
    requests.compactMap { if case .outcome(_, let outcome) = $0 { outcome } else { nil } }
  }
}

/// A document that is its text and a line.
@MainActor
class TextFile: Document {
  var text = ""
  var line = 1
  private(set) var changes: [DocumentChange] = []

  override func read(from data: Data, ofType typeName: String) throws {
    guard let text = String(data: data, encoding: .utf8) else {
      throw ContinuityError(.documentUnreadable, subject: "text", description: "It is not UTF-8; convert it.")
    }
    self.text = text
  }

  override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

  override func updateUserActivityState(_ activity: UserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["line": line])
  }

  override func restoreUserActivityState(_ activity: UserActivity) {
    line = activity.userInfo?["line"] as? Int ?? line
  }

  override func fileDidChange(_ change: DocumentChange) {
    changes.append(change)
    super.fileDidChange(change)
  }

  func type(_ more: String) {
    text += more
    updateChangeCount(.changeDone)
  }
}
