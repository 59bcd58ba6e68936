// SPDX-License-Identifier: MIT

/// One thing that somebody does, or that happens to a machine, at a virtual time.
///
/// Everything random that follows from it comes from its own seed, so that a history without it goes on as
/// before.
public struct Command: Hashable, Sendable {
  /// When, in virtual nanoseconds.
  public var time: UInt64
  /// The number of the machine or person concerned.
  public var device: Int
  /// The deed or mishap.
  public var action: Action
  /// The seed of all that is random in it.
  public var seed: UInt64

  /// Something that is done or happens, complete.
  public init(time: UInt64, device: Int, action: Action, seed: UInt64) {
    self.time = time
    self.device = device
    self.action = action
    self.seed = seed
  }

  /// What may be done. The names are those of the text form.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Open a document that lies in the folder.
    case open
    /// Type into the document in front.
    case edit
    /// Save it by hand.
    case save
    /// Go back to an earlier text.
    case undo
    /// Close a document.
    case close
    /// Let another document, or none, come to the front.
    case switchDocument = "switch"
    /// Continue what another device offers.
    case accept
    /// Do not wait any longer.
    case cancel
    /// Take the local version although another was meant.
    case openHere = "open-here"
    /// Be patient when asked.
    case keepWaiting = "keep-waiting"
    /// End the wait when asked.
    case giveUp = "give-up"
    /// Wait longer.
    case extend
    /// Rename a document by hand.
    case rename
    /// Delete a document by hand.
    case delete
    /// The app crashes and starts again.
    case appCrash = "app-crash"
    /// The app's connection ends and begins again.
    case flap
    /// The agent is killed and starts again.
    case agentKill = "agent-kill"
    /// The watch process is killed and starts again.
    case watchKill = "watch-kill"
    /// The power goes at one of the next operations.
    case power
    /// The machine sleeps.
    case suspend
    /// The wall clock jumps.
    case clock
    /// The disk is full for a while.
    case full
    /// The disk is read-only for a while.
    case readOnly = "read-only"
    /// The disk fails for a while.
    case failing
    /// The folder is unmounted for a while.
    case unmount
    /// The engine stands still for a while.
    case pause
    /// The engine is killed in the middle of its files.
    case partial
    /// An old copy comes back.
    case stale
    /// Somebody alters record files.
    case tamper
    /// Somebody without membership writes a record.
    case thief
    /// Events are lost.
    case overflow
    /// The device falls into a thief's hands, who lets another one in and removes somebody.
    case steal
    /// Somebody takes another device out of the circle.
    case revoke
    /// A device that was stolen or removed removes another one, if its agent still lets it.
    case retaliate

    /// The class of faults without which a history has no such command; nil for what people do every day.
    var fault: Fault? {
      switch self {
      case .open, .edit, .save, .close, .switchDocument, .accept, .cancel, .openHere, .keepWaiting,
        .giveUp, .extend:
        nil
      case .undo: .undo
      case .rename, .delete: .move
      case .appCrash: .appCrash
      case .flap: .flap
      case .agentKill: .agentKill
      case .watchKill: .watchKill
      case .power: .power
      case .suspend: .suspend
      case .clock: .clock
      case .full: .full
      case .readOnly: .readOnly
      case .failing: .failing
      case .unmount: .unmount
      case .pause: .pause
      case .partial: .partial
      case .stale: .stale
      case .tamper: .tamper
      case .thief: .thief
      case .overflow: .overflow
      case .steal, .revoke, .retaliate: .revocation
      }
    }

    /// How often it is drawn, beside the others.
    var weight: Int {
      switch self {
      case .edit: 34
      case .accept: 18
      case .open, .save, .switchDocument: 6
      case .tamper: 6
      case .cancel, .openHere, .keepWaiting, .giveUp, .extend, .close, .rename, .delete, .clock: 2
      case .overflow, .stale, .partial, .thief, .undo, .appCrash, .flap, .agentKill: 4
      // Drawn apart from the others, so that histories without it are as before.
      case .steal, .revoke, .retaliate: 0
      default: 3
      }
    }
  }
}
