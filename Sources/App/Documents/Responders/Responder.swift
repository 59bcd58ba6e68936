// SPDX-License-Identifier: MIT

public import Observation
public import UserActivities

/// An object of the responder chain that may take part in a user activity: `NSResponder`, as far as Handoff
/// goes. Main actor only.
@MainActor
open class Responder: UserActivityRestoring, Observable {
  /// Who is asked after this one. Not retained.
  public weak var nextResponder: Responder? {
    didSet { if nextResponder !== oldValue { Application.current?.activityOwnerDidChange() } }
  }

  /// The activity that this object shares. Setting it makes the activity managed; when its last owner lets
  /// go, or is released, it is invalidated (semantics 31). Can be observed with `withObservationTracking`:
  /// KVO does not exist here.
  public var userActivity: UserActivity? {
    get {
      registrar.access(self, keyPath: \.userActivity)
      return sharedActivity
    }
    set {
      guard newValue !== sharedActivity else { return }
      let former = sharedActivity
      registrar.withMutation(of: self, keyPath: \.userActivity) { sharedActivity = newValue }
      newValue?.addOwner(self)
      former?.removeOwner(self)
      Application.current?.activityOwnerDidChange()
    }
  }

  /// What the framework did when it last asked this object to restore an activity; nil before.
  public internal(set) var lastRestoration: RestorationOutcome?

  private var sharedActivity: UserActivity?
  private let registrar = ObservationRegistrar()
  /// When the person last used this object, counted in uses of anything.
  private var lastUse = 0
  private static var uses = 0

  /// A responder without an activity.
  public init() {}

  isolated deinit { sharedActivity?.removeOwner(self) }

  /// Puts this object's part of the state into `activity`; called once per update round, after `userInfo` was
  /// emptied.
  open func updateUserActivityState(_ activity: UserActivity) {}

  /// Shows what a continued `activity` says. The framework calls it only where that disturbs nobody: see
  /// `noteUse()`.
  open func restoreUserActivityState(_ activity: UserActivity) {}

  /// Called instead of `restoreUserActivityState` when the person has used this object since they asked for
  /// the continuation: nothing is to be moved, but where the other device was may be shown.
  open func keepUserActivityState(insteadOf activity: UserActivity) {}

  /// Presents an error, after `willPresentError(_:)`: it goes up the chain, and from its end to
  /// `Application.presentError(_:)`. Always false, for nobody here recovers from an error.
  @discardableResult
  open func presentError(_ error: any Error) -> Bool {
    let error = willPresentError(error)
    guard let nextResponder else { return Application.presentLast(error) }
    return nextResponder.presentError(error)
  }

  /// What is to be presented instead of `error`; that error itself unless overridden.
  open func willPresentError(_ error: any Error) -> any Error { error }

  /// Says that the person moved, scrolled or typed here: from now on a continuation that is already under
  /// way moves nothing in this object (semantics 44). Documents note their edits by themselves.
  public func noteUse() {
    Self.uses += 1
    lastUse = Self.uses
  }

  /// The count of uses now; a continuation keeps it from its beginning.
  static var useCount: Int { uses }

  func isUsed(since count: Int) -> Bool { lastUse > count }
}

extension Responder: ActivityOwner {
  package var isDocument: Bool { self is Document }

  package var chainLength: Int {
    var length = 0
    var next = nextResponder
    while let responder = next, length < 1024 {
      length += 1
      next = responder.nextResponder
    }
    return length
  }
}

/// What restoring did with one object (semantics 44).
public enum RestorationOutcome: Hashable, Sendable {
  /// It was asked to show the other device's state.
  case restored
  /// It was left as it is: the person had begun to use it.
  case kept
}
