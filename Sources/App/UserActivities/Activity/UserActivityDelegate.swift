// SPDX-License-Identifier: MIT

public import ActivityModel
public import Foundation

/// What an activity tells whoever made it. Everything comes on the main actor; every method has a default.
@MainActor
public protocol UserActivityDelegate: AnyObject {
  /// The activity is about to be published: bring `userInfo` up to date. Only for activities that no document
  /// or responder owns, and only when `needsSave` was set (semantics 21, 22).
  func userActivityWillSave(_ userActivity: UserActivity)
  /// Another device continued it; it stays valid (semantics 23), and `continuedOn` says who has it.
  func userActivityWasContinued(_ userActivity: UserActivity)
  /// Whoever continued the activity asked for streams. Both come unopened, and only while
  /// `supportsContinuationStreams` (semantics 24).
  func userActivity(
    _ userActivity: UserActivity, didReceive inputStream: InputStream, outputStream: OutputStream)
  /// The activity is not offered as it is, and the error says what to change: a required key is missing, or
  /// it is too large. Told once, until the reason is another one. Ours.
  func userActivity(_ userActivity: UserActivity, wasNotOffered error: ContinuityError)
  /// An entry of `userInfo` and was left out; the rest was published (semantics 3).
  func userActivity(_ userActivity: UserActivity, didOmit error: ContinuityError)
}

extension UserActivityDelegate {
  /// Does nothing.
  public func userActivityWillSave(_ userActivity: UserActivity) {}
  /// Does nothing.
  public func userActivityWasContinued(_ userActivity: UserActivity) {}
  /// Leaves the streams closed.
  public func userActivity(
    _ userActivity: UserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
  ) {}
  /// Does nothing.
  public func userActivity(_ userActivity: UserActivity, wasNotOffered error: ContinuityError) {}
  /// Does nothing.
  public func userActivity(_ userActivity: UserActivity, didOmit error: ContinuityError) {}
}

/// What can take up a continued activity: documents, responders, or an object of the app's own.
@MainActor
public protocol UserActivityRestoring: AnyObject {
  /// Show what `activity` says, politely: what the person has begun here is not disturbed (semantics 44).
  func restoreUserActivityState(_ activity: UserActivity)
}

/// A document or responder that shares an activity: it is asked for its part of the state in each round.
@MainActor
package protocol ActivityOwner: AnyObject {
  /// Documents are asked before responders.
  var isDocument: Bool { get }
  /// How many responders follow; the first responder has the most.
  var chainLength: Int { get }
  /// Puts the owner's part of the state into `activity`.
  func updateUserActivityState(_ activity: UserActivity)
}
