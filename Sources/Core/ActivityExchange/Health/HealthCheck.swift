// SPDX-License-Identifier: MIT

import ActivityModel

/// One row of `continuo doctor`: what was looked at, how it is, and what to do.
public struct HealthCheck: Hashable, Sendable {
  /// How something is.
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// As it should be.
    case ok
    /// It works, and something may be wrong or worse than it could be.
    case warning
    /// Something does not work.
    case problem

    /// The worse is the greater.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// What was looked at, in one or two words, the same for all rows of its kind.
  public var name: String
  /// How it is.
  public var level: Level
  /// What was found, in a sentence.
  public var finding: String
  /// What to do, in a sentence; empty where nothing is to be done, or where the finding says it.
  public var fix: String

  /// A row; its texts are cleaned for display.
  public init(_ name: String, level: Level, finding: String, fix: String = "") {
    self.name = DisplayText.shown(name)
    self.level = level
    self.finding = DisplayText.shown(finding)
    self.fix = DisplayText.shown(fix)
  }
}

/// What the command line finds out of this computer by itself.
public struct LocalFindings: Hashable, Sendable {
  /// A limit of inotify; nil where the kernel tells none.
  public struct Limits: Hashable, Sendable {
    /// `max_user_watches`.
    public var watches: UInt64?
    /// `max_user_instances`.
    public var instances: UInt64?
    /// `max_queued_events`.
    public var queue: UInt64?
    /// Limits, each nil where it is not known.
    public init(watches: UInt64? = nil, instances: UInt64? = nil, queue: UInt64? = nil) {
      (self.watches, self.instances, self.queue) = (watches, instances, queue)
    }
  }

  /// A file or folder of Continuo's own.
  public struct OwnPlace: Hashable, Sendable {
    /// Its path as it is shown.
    public var path: String
    /// Its permission bits.
    public var permissions: UInt32
    /// Whether it belongs to the person.
    public var isOwn: Bool
    /// Whether it is a folder.
    public var isFolder: Bool
    /// What stat(2) said of it.
    public init(path: String, permissions: UInt32, isOwn: Bool, isFolder: Bool) {
      (self.path, self.permissions) = (path, permissions)
      (self.isOwn, self.isFolder) = (isOwn, isFolder)
    }
  }

  /// A registered folder.
  public struct Folder: Hashable, Sendable {
    /// Whether this person may write into it.
    public var isWritable: Bool
    /// The pattern of its `.stignore` that leaves out `.continuo`; nil without one.
    public var ignoringPattern: String?
    /// What was found there.
    public init(isWritable: Bool, ignoringPattern: String? = nil) {
      (self.isWritable, self.ignoringPattern) = (isWritable, ignoringPattern)
    }
  }

  /// The session's bus.
  public enum Bus: Hashable, Sendable {
    /// The session names none.
    case none
    /// It is named, and does not answer; with the system's words.
    case silent(String)
    /// It answers.
    case answers
  }

  /// What is there to show notifications.
  public enum NotificationServer: Hashable, Sendable {
    /// One answers on the bus.
    case present
    /// None does.
    case absent
    /// It could not be asked; with the reason.
    case unknown(String)
  }

  /// The kernel's limits.
  public var limits = Limits()
  /// The state directory, what lies in it, and the socket's directory; those that are there.
  public var places: [OwnPlace] = []
  /// By the folders' paths; those that are there.
  public var folders: [[UInt8]: Folder] = [:]
  /// The session's bus.
  public var bus = Bus.none
  /// What shows notifications; nil where nobody was asked, for there is no bus.
  public var server: NotificationServer?

  /// Nothing was looked at yet.
  public init() {}
}
