// SPDX-License-Identifier: MIT

public import ActivityModel

/// What identifies a saved activity, for its deletion.
public typealias NSUserActivityPersistentIdentifier = String

/// The type of an activity that stands for a page in a browser: its `webpageURL` is all it holds. Apple's
/// name and value.
public let NSUserActivityTypeBrowsingWeb = AppManifest.browsingWeb

// Saved activities: semantics 11. What the agent keeps is this app's, by its identifier in `Info.plist`.
extension UserActivity {
  /// Deletes this app's saved activities with one of `identifiers`; returns when that is durable.
  ///
  /// While the agent is away this waits, and is said again when it is back. Throws `connectionUnavailable`
  /// after 30 seconds without an answer, and what the agent's disk refused.
  public static func deleteSavedUserActivities(
    withPersistentIdentifiers identifiers: [NSUserActivityPersistentIdentifier]
  ) async throws(ContinuityError) {
    if let error = await deletion(of: identifiers) { throw error }
  }

  /// Deletes all of this app's saved activities, and nobody else's; returns when that is durable. Throws as
  /// `deleteSavedUserActivities(withPersistentIdentifiers:)`.
  public static func deleteAllSavedUserActivities() async throws(ContinuityError) {
    if let error = await deletion(of: nil) { throw error }
  }

  /// As the asynchronous method, with Apple's handler, which knows no error: it is called once, on the main
  /// actor, when the deletion is durable or has failed. A failure is logged.
  public static func deleteSavedUserActivities(
    withPersistentIdentifiers identifiers: [NSUserActivityPersistentIdentifier],
    completionHandler: @escaping @MainActor () -> Void
  ) {
    delete(identifiers) { error in
      if let error { ActivityLog.error(error.description) }
      completionHandler()
    }
  }

  /// As the asynchronous method, with Apple's handler: called once, on the main actor, when the deletion is
  /// durable or has failed. A failure is logged.
  public static func deleteAllSavedUserActivities(completionHandler: @escaping @MainActor () -> Void) {
    delete(nil) { error in
      if let error { ActivityLog.error(error.description) }
      completionHandler()
    }
  }

  private static func deletion(of identifiers: [String]?) async -> ContinuityError? {
    await withCheckedContinuation { continuation in
      delete(identifiers) { continuation.resume(returning: $0) }
    }
  }

  private static func delete(
    _ identifiers: [String]?, then done: @escaping @MainActor (ContinuityError?) -> Void
  ) {
    guard let session = Session.shared else {
      let error = ContinuityError(
        .invalidRequest, subject: "application",
        description: "Make an Application before deleting saved activities.")
      Task { @MainActor in done(error) }
      return
    }
    session.deleteSaved(identifiers, then: done)
  }
}
