// SPDX-License-Identifier: MIT

public import ActivityModel

/// When hints are passed on: at once, but the creation of a file waits a moment for its closing, so that both
/// wake the reader once. A value without a clock.
public struct HintPace: Sendable {
  /// How long a creation waits at most.
  public static let patience = Duration.milliseconds(1)

  private enum Held {
    case nothing
    case creations(until: Instant)
    case other
  }

  private var held = Held.nothing

  /// Nothing is held.
  public init() {}

  /// A hint is held; `now` is asked for only with the first one, when that is the creation of a file.
  public mutating func hold(isCreation: Bool, at now: @autoclosure () -> Instant) {
    if !isCreation {
      held = .other
    } else if case .nothing = held {
      held = .creations(until: now() + Self.patience)
    }
  }

  /// What is held was passed on.
  public mutating func passOn() { held = .nothing }

  /// When what is held is to be passed on although nothing follows; nil when there is nothing to wait for.
  public var due: Instant? { if case .creations(let moment) = held { moment } else { nil } }

  /// Whether it is time to pass on what is held.
  public func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? true }
}
