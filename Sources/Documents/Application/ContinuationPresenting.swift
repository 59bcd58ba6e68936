// SPDX-License-Identifier: MIT

import ActivityModel
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
  /// A continuation failed, and the delegate does not say so (semantics 43). Never a cancelled one.
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
      present(error)
    }
  }

  /// Shows an error that the delegate does not show; a cancelled continuation is none (semantics 38).
  func present(_ error: any Error) {
    if (error as? ContinuityError)?.code == .userCancelled { return }
    if let presenter { presenter.present(error) } else { ActivityLog.error("\(error)") }
  }
}
