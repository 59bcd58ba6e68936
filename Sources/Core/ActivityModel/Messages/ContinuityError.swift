// SPDX-License-Identifier: MIT

/// What went wrong, about what, and what to do: the error of every door of the framework.
public struct ContinuityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The class of the failure; stable.
  public let code: Code
  /// What it is about: a path, a type, a folder's name. May be empty.
  public let subject: String
  /// What went wrong, as a case where it is one that the machines tell apart; else as it was told.
  public let cause: Reason
  /// One sentence for a person, with the remedy if there is one.
  public var description: String { cause.sentence }

  /// An error about `subject`, told in one sentence; both are cleaned for display.
  public init(_ code: Code, subject: String = "", description: String) {
    self.init(code, subject: subject, because: .told(DisplayText.shown(description)))
  }

  /// An error about `subject`, which is cleaned for display, for a reason.
  public init(_ code: Code, subject: String = "", because cause: Reason) {
    self.code = code
    self.subject = DisplayText.shown(subject)
    self.cause = cause
  }

  /// Error codes; Apple's numbers where Apple has the case (Foundation's `NSUserActivity…Error`).
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt64
    /// A code by number; unknown ones are kept.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// `NSUserActivityHandoffFailedError`.
    public static let handoffFailed = Self(rawValue: 4608)
    /// `NSUserActivityConnectionUnavailableError`.
    public static let connectionUnavailable = Self(rawValue: 4609)
    /// `NSUserActivityRemoteApplicationTimedOutError`.
    public static let remoteTimedOut = Self(rawValue: 4610)
    /// `NSUserActivityHandoffUserInfoTooLargeError`.
    public static let userInfoTooLarge = Self(rawValue: 4611)
    /// `NSUserCancelledError`; not shown to the person.
    public static let userCancelled = Self(rawValue: 3072)
    /// No file is at the document's place.
    public static let documentMissing = Self(rawValue: 4621)
    /// The local document is neither the version meant nor one of its ancestors.
    public static let documentDiverged = Self(rawValue: 4622)
    /// The version did not come before the deadline.
    public static let versionNeverArrived = Self(rawValue: 4623)
    /// The document lies in a folder that this device does not have.
    public static let folderUnknown = Self(rawValue: 4624)
    /// No part of the app took the activity.
    public static let declined = Self(rawValue: 4625)
    /// The file changed between checking and opening.
    public static let changedWhileOpening = Self(rawValue: 4626)
    /// The document cannot be read or written.
    public static let documentUnreadable = Self(rawValue: 4627)
    /// What the caller asked for makes no sense, or is not allowed.
    public static let invalidRequest = Self(rawValue: 4630)
    /// `Info.plist` cannot be used.
    public static let invalidManifest = Self(rawValue: 4631)
    /// Bytes that break the format.
    public static let invalidBytes = Self(rawValue: 4632)
    /// A folder is not there, not writable, or not registered.
    public static let folderUnavailable = Self(rawValue: 4633)
    /// Wrong words, no invitation, or one that is void.
    public static let pairingFailed = Self(rawValue: 4634)
    /// Another agent runs, or the agent's place cannot be used.
    public static let agentUnavailable = Self(rawValue: 4635)

    /// The activity carries no typed payload.
    public static let typedPayloadMissing = Self(rawValue: 4636)
    /// The typed payload is not of the type asked for.
    public static let typedPayloadUnreadable = Self(rawValue: 4637)

    /// The number in decimal.
    public var description: String { "\(rawValue)" }
  }
}
