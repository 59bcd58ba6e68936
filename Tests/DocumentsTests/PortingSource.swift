// SPDX-License-Identifier: MIT
//
// Each row of docs/authors/porting-from-appkit.md that says *same* or *kept*, as source on Apple's systems
// writes it. It is here to be compiled. Headings are those of the page, and a test looks for the names of
// each row below its heading.

import Foundation

#if canImport(AppKit)
  import AppKit
#else
  import AppKitNames
#endif

// ## `NSUserActivity` → `UserActivity`

@MainActor
func sourceOfAnActivity(_ delegate: any NSUserActivityDelegate) throws -> NSUserActivity {
  let first: NSUserActivity = NSUserActivity()
  let activity = NSUserActivity(activityType: first.activityType)
  activity.title = "Map"
  activity.userInfo = ["zoom": 3]
  activity.addUserInfoEntries(from: ["center": [46.5, 8.25], "names": Set(["huts"])])
  activity.requiredUserInfoKeys = ["zoom"]
  activity.needsSave = true
  activity.delegate = delegate
  activity.webpageURL = URL(string: "https://trails.example/map")
  activity.referrerURL = URL(string: "https://trails.example/")
  activity.expirationDate = Date.distantFuture
  activity.keywords = ["trail", "map"]
  activity.isEligibleForHandoff = true
  activity.isEligibleForSearch = true
  activity.isEligibleForPublicIndexing = false
  activity.isEligibleForPrediction = true
  activity.supportsContinuationStreams = false
  activity.getContinuationStreams(completionHandler: { input, _, _ in input?.open() })
  activity.targetContentIdentifier = "map"
  let identifier: NSUserActivityPersistentIdentifier = "map-1"
  activity.persistentIdentifier = identifier
  NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [identifier], completionHandler: {})
  NSUserActivity.deleteAllSavedUserActivities(completionHandler: {})
  try activity.setTypedPayload(["zoom": 3])
  let payload = try activity.typedPayload([String: Int].self)
  activity.becomeCurrent()
  activity.resignCurrent()
  if payload.isEmpty || activity.activityType == NSUserActivityTypeBrowsingWeb { activity.invalidate() }
  return activity
}

// ## `NSUserActivityDelegate` → `UserActivityDelegate`

final class SourceOfADelegate: NSObject, NSUserActivityDelegate {
  func userActivityWillSave(_ userActivity: NSUserActivity) { userActivity.userInfo = ["zoom": 3] }
  func userActivityWasContinued(_ userActivity: NSUserActivity) { userActivity.resignCurrent() }
  func userActivity(
    _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
  ) {
    inputStream.open()
    outputStream.open()
  }
}

// ## `NSResponder` → `Responder`

@MainActor
class SourceOfAResponder: NSResponder {
  override func updateUserActivityState(_ activity: NSUserActivity) {
    super.updateUserActivityState(activity)
    activity.addUserInfoEntries(from: ["zoom": 3])
  }
  override func restoreUserActivityState(_ activity: NSUserActivity) {
    super.restoreUserActivityState(activity)
    userActivity = activity
    nextResponder?.userActivity = nil
    if let owner: NSResponder = nextResponder { owner.nextResponder = nil }
  }
  override func presentError(_ error: any Error) -> Bool { super.presentError(error) }
  override func willPresentError(_ error: any Error) -> any Error { super.willPresentError(error) }
}

// ## `NSUserActivityRestoring` → `UserActivityRestoring`

final class SourceOfRestoring: NSObject, NSUserActivityRestoring {
  func restoreUserActivityState(_ userActivity: NSUserActivity) { userActivity.needsSave = false }
}

// ## `NSFileVersion` → `FileVersion`

func sourceOfAVersion(_ version: NSFileVersion) -> URL { version.url }

// ## `NSWindow` → `Window`

@MainActor
func sourceOfAWindow(_ window: NSWindow) -> Bool {
  let former: NSResponder? = window.firstResponder
  return window.makeFirstResponder(former) && window.isMainWindow
}

// ## `NSWindowController` → `WindowController`

@MainActor
func sourceOfAWindowController(_ window: NSWindow) -> NSWindowController {
  let controller = NSWindowController(window: window)
  controller.window = nil
  return controller
}

// ## `NSApplication` → `Application`

@MainActor
func sourceOfAnApplication(_ delegate: any NSApplicationDelegate) {
  NSApplication.shared.delegate = delegate
  NSApp.delegate = nil
}

// ## `NSApplicationDelegate` → `ApplicationDelegate`

@MainActor
final class SourceOfAnApplicationDelegate: NSObject, NSApplicationDelegate {
  func application(
    _ application: NSApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool { userActivityType.isEmpty }
  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    restorationHandler([])
    return true
  }
  func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {}
  func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {}
  func application(_ application: NSApplication, willPresentError error: any Error) -> any Error { error }
}

// ## `NSDocument` → `Document`

/// Xcode's template of a document, but for its nib or storyboard.
class SourceOfADocument: NSDocument {
  var text = ""

  override init() {
    super.init()
    // Add your subclass-specific initialization here.
  }
  override class var autosavesInPlace: Bool { return true }
  override func makeWindowControllers() {
    // Returns the Storyboard that contains your Document window.
    let windowController = NSWindowController(window: NSWindow())
    self.addWindowController(windowController)
  }
  override func data(ofType typeName: String) throws -> Data {
    guard let data = text.data(using: .utf8) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: unimpErr, userInfo: nil)
    }
    return data
  }
  override func read(from data: Data, ofType typeName: String) throws {
    guard let read = String(data: data, encoding: .utf8) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: unimpErr, userInfo: nil)
    }
    text = read
  }

  /// Many apps call a document by more than its file's name.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  override var displayName: String! {
    get { text.isEmpty ? super.displayName : super.displayName + " (\(text.count))" }
    set { super.displayName = newValue }
  }
}

@MainActor
func sourceOfDocuments(_ document: NSDocument, _ url: URL, then done: @escaping ((any Error)?) -> Void) throws
{
  let type: String = document.fileType ?? "Text"
  let shown: String = document.displayName
  document.displayName = shown.uppercased()
  document.displayName = nil
  document.fileURL = url
  document.updateChangeCount(.changeDone)
  if document.isDocumentEdited || document.hasUnautosavedChanges {
    document.autosave(withImplicitCancellability: false, completionHandler: done)
    document.autosave(withImplicitCancellability: true) { error in if let error { print(error) } }
  }
  document.move(to: url, completionHandler: nil)
  document.move(to: url, completionHandler: done)
  document.move(to: url) { _ in }
  let copy: NSDocument = try document.duplicate()
  for controller in document.windowControllers { copy.addWindowController(controller) }
  try document.revert(toContentsOf: url, ofType: type)
  document.userActivity?.addUserInfoEntries(from: [NSUserActivityDocumentURLKey: url])
  document.close()
}

func sourceOfDocumentsInAsynchronousCode(_ document: NSDocument, _ url: URL) async throws {
  try await document.move(to: url)
  try await document.autosave(withImplicitCancellability: false)
}

// ## `NSDocumentController` → `DocumentController`

@MainActor
func sourceOfAController(_ controller: NSDocumentController, _ url: URL) throws {
  let documents: [NSDocument] = controller.documents
  if let document = controller.document(for: url), document === controller.currentDocument {
    controller.removeDocument(document)
    controller.addDocument(document)
    controller.noteNewRecentDocument(document)
  }
  let type = try controller.typeForContents(of: url)
  let known: AnyClass? = controller.documentClass(forType: controller.defaultType ?? type)
  if known == nil || controller.documentClassNames.isEmpty || documents.isEmpty {
    controller.newDocument(nil)
  }
  let made = [
    try controller.openUntitledDocumentAndDisplay(true), try controller.makeUntitledDocument(ofType: type),
    try controller.makeDocument(withContentsOf: url, ofType: type),
  ]
  controller.openDocument(
    withContentsOf: url, display: true,
    completionHandler: { document, wasAlreadyOpen, error in
      if let error { controller.presentError(error) }
      if let document, !wasAlreadyOpen { print(document.displayName ?? "") }
    })
  if controller.hasEditedDocuments, !made.isEmpty { controller.saveAllDocuments(nil) }
  let folder: String = controller.currentDirectory ?? "/"
  controller.noteNewRecentDocumentURL(URL(fileURLWithPath: folder))
  if controller.recentDocumentURLs.count == controller.maximumRecentDocumentCount {
    controller.clearRecentDocuments(nil)
  }
}

func sourceOfOpening(_ controller: NSDocumentController, _ url: URL) async throws -> Bool {
  try await controller.openDocument(withContentsOf: url, display: true).1
}

final class SourceOfAControllersErrors: NSDocumentController {
  override func presentError(_ error: any Error) -> Bool { super.presentError(error) }
  override func willPresentError(_ error: any Error) -> any Error { super.willPresentError(error) }
}

// ## URLs

func sourceOfAScope(_ url: URL) throws -> Data {
  guard url.startAccessingSecurityScopedResource() else { return Data() }
  defer { url.stopAccessingSecurityScopedResource() }
  return try Data(contentsOf: url)
}

// ## Errors

func sourceOfAnError(_ error: any Error) -> String {
  switch (error as NSError).code {
  case NSUserActivityHandoffFailedError: "failed"
  case NSUserActivityConnectionUnavailableError: "unreachable"
  case NSUserActivityRemoteApplicationTimedOutError: "timed out"
  case NSUserActivityHandoffUserInfoTooLargeError: "too large"
  case NSUserCancelledError: "cancelled"
  case unimpErr: "not written yet"
  default: "another"
  }
}
