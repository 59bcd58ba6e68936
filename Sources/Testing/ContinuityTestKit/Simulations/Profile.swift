// SPDX-License-Identifier: MIT

/// Which world a history plays in.
public enum Profile: Hashable, Sendable {
  /// Engine and fault classes are drawn by each history.
  case swarm
  /// All histories have this engine; fault classes are drawn.
  case engine(EngineKind)

  /// "swarm", or an engine's name; nil for anything else.
  public init?(_ name: String) {
    if name == "swarm" {
      self = .swarm
    } else if let engine = EngineKind(rawValue: name) {
      self = .engine(engine)
    } else {
      return nil
    }
  }

  /// What `init(_:)` takes.
  public var name: String {
    switch self {
    case .swarm: "swarm"
    case .engine(let kind): kind.rawValue
    }
  }
}

/// Sync engines that the kit models, each fitted to recordings of the real one.
public enum EngineKind: String, Hashable, Sendable, CaseIterable {
  /// Temporary file, then the old file is removed and the new one renamed; conflict copies on all devices.
  case syncthing
  /// As Syncthing, times in whole seconds; the later change becomes a copy that stays where it was made.
  case nextcloud
  /// Temporary file renamed over; conflicts are skipped and both sides stay different.
  case unison
  /// Writes in place; in a conflict both get suffixes and the plain name goes away.
  case rclone
  /// Temporary file renamed over; the newer file overwrites the other.
  case rsync
  /// Writes over the old bytes in place.
  case rsyncInPlace = "rsync-inplace"
  /// Removes the file and writes it anew; conflicts are merged into a third text.
  case git
  /// Truncates and writes in place.
  case copy = "cp"
}

/// A class of faults. Each history draws which of them exist in it.
public enum Fault: String, Hashable, Sendable, CaseIterable {
  /// Deliveries take minutes instead of seconds.
  case delay
  /// Deliveries overtake each other.
  case reorder
  /// Deliveries are lost until the engine compares everything again.
  case drop
  /// Deliveries come twice, the second time late.
  case `repeat`
  /// The engine is killed in the middle of a file.
  case partial
  /// An old copy of a file takes the place of the new one, and spreads.
  case stale
  /// A second engine works in the same folder.
  case twoEngines = "two-engines"
  /// The engine stands still for minutes.
  case pause
  /// The queue of watch events is tiny, and its reader slow.
  case overflow
  /// The file system raises no events.
  case silent
  /// The kernel allows fewer watches than there are folders.
  case watchLimit = "watch-limit"
  /// Disks are full for a while.
  case full
  /// Disks are read-only for a while.
  case readOnly = "read-only"
  /// Disks fail for a while.
  case failing
  /// Machines lose their power between two operations.
  case power
  /// Device services end without warning and come back.
  case agentKill = "agent-kill"
  /// Processes that follow folders end without warning.
  case watchKill = "watch-kill"
  /// Editors die, with what was not saved.
  case appCrash = "app-crash"
  /// Connections of apps end and begin again.
  case flap
  /// Apps keep what was delivered and never answer.
  case mute
  /// Machines sleep.
  case suspend
  /// Wall clocks jump.
  case clock
  /// Folders are unmounted and come back.
  case unmount
  /// Somebody who can write the folder alters, replays, swaps and removes record files.
  case tamper
  /// Somebody who is not in the roster writes records.
  case thief
  /// Two machines run with one identity.
  case clone
  /// Documents are so large that reading them takes time.
  case large
  /// Devices remove each other; one may be stolen, whose thief lets another one in and removes somebody.
  case revocation
  /// People go back to earlier texts.
  case undo
  /// Documents are renamed and deleted by hand, with their folder at times, whose end is not always told.
  case move
}
