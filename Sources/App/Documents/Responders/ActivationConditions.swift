// SPDX-License-Identifier: MIT

public import Foundation
import UserActivities

/// Which content a window is for, as far as an activity names it by its `targetContentIdentifier`:
/// `UISceneActivationConditions`, for a window. Set it once the window knows what it shows.
///
///     window.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
///       #Predicate { $0 == "trail-7" }
public struct ActivationConditions: Sendable {
  /// Whether the window may be chosen for content of that identifier; any at first. One that throws says no.
  public var canActivateForTargetContentIdentifierPredicate: Predicate<String> = .true
  /// Whether it is a better one than others for that content; for none at first. One that throws says no.
  public var prefersToActivateForTargetContentIdentifierPredicate: Predicate<String> = .false

  /// Those of a window that may be chosen for anything, and is preferred for nothing.
  public init() {}

  func canActivate(for identifier: String) -> Bool {
    holds(canActivateForTargetContentIdentifierPredicate, for: identifier)
  }

  func prefersToActivate(for identifier: String) -> Bool {
    holds(prefersToActivateForTargetContentIdentifierPredicate, for: identifier)
  }

  private func holds(_ predicate: Predicate<String>, for identifier: String) -> Bool {
    do {
      return try predicate.evaluate(identifier)
    } catch {
      ActivityLog.error("A window's activation condition failed, and counts as no: \(error)")
      return false
    }
  }
}

extension Application {
  /// The window to continue an activity in that names its content so: of those that may be chosen, the first
  /// that is preferred for it, else the first that shows an activity with that identifier; the main window
  /// comes before others, older ones before newer. Nil where no window is for that content (semantics 8c).
  /// The framework asks for what the delegate leaves to it; an app that continues by itself can ask, too.
  public func window(forTargetContentIdentifier identifier: String) -> Window? {
    let possible = windows.filter { $0.activationConditions.canActivate(for: identifier) }
    return possible.first { $0.activationConditions.prefersToActivate(for: identifier) }
      ?? possible.first { $0.shows(identifier) }
  }

  /// The windows that there are, the main one first, the others in the order in which they were made.
  public var windows: [Window] {
    let all = Window.all.compactMap(\.window)
    return all.filter { $0 === mainWindow } + all.filter { $0 !== mainWindow }
  }
}

extension Window {
  /// Whether an activity of its responders or its document names that content.
  fileprivate func shows(_ identifier: String) -> Bool {
    var owners: [Responder] = []
    var next = firstResponder
    while let owner = next, !owners.contains(where: { $0 === owner }) {
      owners.append(owner)
      next = owner.nextResponder
    }
    let document = windowController?.document
    return (owners + [self, document].compactMap { $0 }).contains {
      $0.userActivity?.targetContentIdentifier == identifier
    }
  }
}
