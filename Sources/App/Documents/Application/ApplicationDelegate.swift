// SPDX-License-Identifier: MIT

public import ActivityModel
public import UserActivities

/// What an app decides and shows. Everything comes on the main actor; every method has a default.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// A continuation begins; only its type is known. True when the app shows feedback itself (semantics 36).
  func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool
  /// The activity is here. True when the app takes it; objects given to `restorationHandler`, now or later,
  /// are asked to restore it, on the main actor. False leaves it to the framework, which opens its document
  /// (semantics 39-42). The handler has no actor in its type, as on Apple's systems: a method whose type
  /// differs would silently not be called.
  func application(
    _ application: Application, continue activity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool
  /// A continuation ended without `continue`. `userCancelled` is not to be shown (semantics 38). When the app
  /// does not implement it, the framework presents the error (semantics 43).
  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error)
  /// A managed activity was brought up to date: the last chance to add to it (semantics 20).
  func application(_ application: Application, didUpdate activity: UserActivity)
  /// An error is about to be presented; what is returned is shown instead. One of the code `userCancelled`
  /// shows nothing.
  func application(_ application: Application, willPresentError error: any Error) -> any Error
  /// `offers` changed. Ours.
  func applicationOffersDidChange(_ application: Application)
  /// The version is awaited; `status.reason` is a sentence to show. Ours.
  func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus)
  /// The framework opened a continued document, and restored it: show it. Ours.
  func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool)
  /// `object` was asked to restore a continued activity, or left alone because the person uses it
  /// (semantics 44). Ours.
  func application(
    _ application: Application, didRestore activity: UserActivity, in object: any UserActivityRestoring,
    outcome: RestorationOutcome)
  /// `isConnected` changed. Ours.
  func applicationConnectionDidChange(_ application: Application)
  /// `roots` changed. Ours.
  func applicationRootsDidChange(_ application: Application)
  /// `document.continuedOn` changed: another device goes on with it, or the person does so here again. Ours.
  func application(_ application: Application, continuationDidChange document: Document)
  /// `document.otherEditors` changed: another device began or ended editing it. Nothing is blocked. Ours.
  func application(_ application: Application, otherEditorsDidChange document: Document)
  /// `document` is about to be closed and has changes that no file holds: ask the person what is to become of
  /// them. Asked by `Document.canClose()`; how the person is asked is the host's. Ours.
  func application(_ application: Application, shouldClose document: Document) async -> UnsavedChangesChoice
  /// On `device` a person goes on with `document`, which has changes that no file holds: it saves itself in
  /// place first, if its class does that at all. Throws to refuse it: the error's description is shown there.
  /// Called once for each acceptance; after 9 s the other device goes on without an answer. Ours.
  func application(
    _ application: Application, shouldSave document: Document, requestedBy device: String) async throws
  /// An edited document could not save itself; its text is still unsaved. Ours.
  func application(_ application: Application, didFailToAutosave document: Document, error: any Error)
}

extension ApplicationDelegate {
  /// Leaves feedback to the framework.
  public func application(_ application: Application, willContinueUserActivityWithType type: String) -> Bool {
    false
  }
  /// Leaves the activity to the framework.
  public func application(
    _ application: Application, continue activity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]) -> Void
  ) -> Bool {
    application.isContinuingLeftToFramework = true
    return false
  }
  /// Leaves the error to the framework, which presents it.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) { application.presentError(error) }
  /// Adds nothing.
  public func application(_ application: Application, didUpdate activity: UserActivity) {}
  /// Leaves the error as it is.
  public func application(_ application: Application, willPresentError error: any Error) -> any Error {
    error
  }
  /// Shows nothing.
  public func applicationOffersDidChange(_ application: Application) {}
  /// Shows nothing.
  public func application(_ application: Application, isWaitingFor offer: Offer, status: ArrivalStatus) {}
  /// Shows nothing.
  public func application(_ application: Application, didOpen document: Document, wasAlreadyOpen: Bool) {}
  /// Says nothing.
  public func application(
    _ application: Application, didRestore activity: UserActivity, in object: any UserActivityRestoring,
    outcome: RestorationOutcome
  ) {}
  /// Shows nothing.
  public func applicationConnectionDidChange(_ application: Application) {}
  /// Shows nothing.
  public func applicationRootsDidChange(_ application: Application) {}
  /// Saves. A document without a file stays open then, and the error that is presented says why.
  public func application(
    _ application: Application, shouldClose document: Document
  ) async -> UnsavedChangesChoice { .save }
  /// Shows nothing.
  public func application(_ application: Application, continuationDidChange document: Document) {}
  /// Has it saved; throws nothing.
  public func application(
    _ application: Application, shouldSave document: Document, requestedBy device: String
  ) async throws {}
  /// Shows nothing.
  public func application(_ application: Application, otherEditorsDidChange document: Document) {}
  /// Shows nothing.
  public func application(_ application: Application, didFailToAutosave document: Document, error: any Error)
  {}
}
