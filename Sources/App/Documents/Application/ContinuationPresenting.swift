// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import UserActivities

/// What the framework shows by itself when the delegate leaves it to it. The library has no windows, so the
/// host installs one under `Application.presenter`; without one the same is written to the log. Main actor
/// only.
@MainActor
public protocol ContinuationPresenting: AnyObject {
  /// A continuation of an activity of `type` began, and the delegate shows no feedback (semantics 36).
  func beginFeedback(forActivityType type: String)
  /// That continuation was handed over, or ended; comes once for each beginning.
  func endFeedback(forActivityType type: String)
  /// Something failed, and the app does not say so by itself: a continuation (semantics 43), or what
  /// `presentError(_:)` was called with. Never what the person cancelled.
  func present(_ error: any Error)
}

extension Application {
  func beginFeedback(_ request: RequestID, type: String) {
    feedback[request] = type
    if let presenter {
      presenter.beginFeedback(forActivityType: type)
    } else {
      ActivityLog.debug("An activity of type \(type) is being continued.")
    }
  }

  func endFeedback(_ request: RequestID) {
    guard let type = feedback.removeValue(forKey: request) else { return }
    presenter?.endFeedback(forActivityType: type)
  }

  /// The one answer of a continuation that ends without a delivery.
  func tellFailure(_ type: String, _ error: ContinuityError) {
    if let delegate {
      delegate.application(self, didFailToContinueUserActivityWithType: type, error: error)
    } else {
      presentError(error)
    }
  }

  /// Shows an error, after the delegate's `application(_:willPresentError:)`: the end of the way that
  /// responders, documents and the document controller send theirs. What the person cancelled is not shown
  /// (semantics 38). Always false, for nobody here recovers from an error.
  @discardableResult
  public func presentError(_ error: any Error) -> Bool {
    if Self.isCancellation(error) { return false }
    let error = delegate?.application(self, willPresentError: error) ?? error
    if Self.isCancellation(error) { return false }
    if let presenter { presenter.present(error) } else { ActivityLog.error("\(error)") }
    return false
  }

  /// Before there is an application the log has to do.
  static func presentLast(_ error: any Error) -> Bool {
    if let current { return current.presentError(error) }
    ActivityLog.error("\(error)")
    return false
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    if let error = error as? ContinuityError { return error.code == .userCancelled }
    let bridged = error as NSError
    return bridged.domain == NSCocoaErrorDomain && bridged.code == NSUserCancelledError
  }
}
