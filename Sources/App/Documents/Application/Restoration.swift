// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import UserActivities

/// The handler given to the delegate: each object is asked once, politely, and a second call restores nothing
/// (semantics 42, 44). Main actor only.
@MainActor
final class Restoration {
  let activity: UserActivity
  private weak var application: Application?
  /// The count of uses when the continuation began.
  private let begun: Int
  private var isDone = false

  init(_ activity: UserActivity, in application: Application, begun: Int) {
    self.activity = activity
    self.application = application
    self.begun = begun
  }

  /// The handler itself. It is not `Sendable`, so the compiler keeps it on the main actor in code that checks
  /// concurrency; other code gets a line in the log on another thread, and nothing happens.
  var handler: ([any UserActivityRestoring]) -> Void {
    { @Sendable [self] objects in
      guard MainQueue.isCurrent else {
        return ActivityLog.error(
          "A restorationHandler was called on another thread; nothing was restored. Call it on the main "
            + "actor."
        )
      }
      nonisolated(unsafe) let objects = objects
      MainActor.assumeIsolated { restoreAll(objects) }
    }
  }

  private func restoreAll(_ objects: [any UserActivityRestoring]) {
    guard !isDone else {
      return ActivityLog.error(
        "A restorationHandler was called a second time; nothing was restored again. Pass all objects at "
          + "once.")
    }
    isDone = true
    var seen: Set<ObjectIdentifier> = []
    for object in objects where seen.insert(ObjectIdentifier(object)).inserted { restore(object) }
  }

  /// Asks one object, unless the person uses it since the continuation began, and says which it was.
  func restore(_ object: any UserActivityRestoring) {
    let responder = object as? Responder
    let outcome: RestorationOutcome = responder?.isUsed(since: begun) == true ? .kept : .restored
    responder?.lastRestoration = outcome
    switch outcome {
    case .restored: object.restoreUserActivityState(activity)
    case .kept: responder?.keepUserActivityState(insteadOf: activity)
    }
    guard let application else { return }
    application.delegate?.application(application, didRestore: activity, in: object, outcome: outcome)
  }
}

/// Whether the caller runs on the main actor's queue, asked without ending the program when it does not.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// A program whose main function is asynchronous leaves its first thread, so the thread alone says nothing.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread }
}
