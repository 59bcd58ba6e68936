// SPDX-License-Identifier: MIT

public import ActivityModel

extension HashingMachine {
  /// One question; the shell numbers them.
  public struct Ticket: Hashable, Sendable, Comparable {
    /// The number.
    public let rawValue: UInt64
    /// A ticket by number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// One reading; numbered like the ticket that asked first, which may be withdrawn by now.
  public typealias Job = Ticket

  /// A file as it was when it was asked about.
  public struct Subject: Hashable, Sendable {
    /// The folder's absolute path.
    public var root: [UInt8]
    /// Where the file was found, from the root down.
    public var path: RelativePath
    /// What the file looked like.
    public var stamp: FileStamp

    /// A file that looks like `stamp` at `path` below `root`.
    public init(root: [UInt8], path: RelativePath, stamp: FileStamp) {
      self.root = root
      self.path = path
      self.stamp = stamp
    }
  }

  /// What is asked.
  public struct Request: Hashable, Sendable {
    /// The file; nil for work that is never shared, such as a search.
    public var subject: Subject?
    /// Bytes to be read, as far as known.
    public var size: UInt64
    /// Whether a person waits for the answer.
    public var isAwaited: Bool
    /// Whether no reading counts that began before this question.
    public var isFresh: Bool

    /// A request with these values.
    public init(subject: Subject?, size: UInt64, isAwaited: Bool = false, isFresh: Bool = false) {
      self.subject = subject
      self.size = size
      self.isAwaited = isAwaited
      self.isFresh = isFresh
    }
  }

  /// What the machine is told.
  public enum Event: Hashable, Sendable {
    /// Somebody wants to know.
    case asked(Ticket, Request)
    /// Whether a person waits for this answer has changed.
    case awaited(Ticket, Bool)
    /// The answer is not wanted any more; it will not come.
    case withdrawn(Ticket)
    /// The reading ended; with nil for work that is no reading of one file.
    case finished(Job, HashOutcome?)
    /// The answer to `measure`.
    case read(Job, UInt64)
    /// The moment of the last `wake` has come.
    case timer
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// Begin this reading, which this one among others asked for.
    case start(Job, for: Ticket)
    /// Let it rest between two pieces.
    case pause(Job)
    /// Let it go on.
    case resume(Job)
    /// Nobody wants its outcome any more: let it end, then send `finished`.
    case stop(Job)
    /// Give these the outcome that `finished` brought.
    case answer([Ticket])
    /// Say how far this reading is, by `read`.
    case measure(Job)
    /// Tell the one who asked how many bytes were read.
    case progress(Ticket, UInt64)
    /// Send `timer` then; replaces every earlier wake. Nil: no timer is needed.
    case wake(at: Instant?)
  }

  /// How long things take.
  public struct Timing: Hashable, Sendable {
    /// How often progress is told; what takes less is not told of.
    public var progress: Duration = .milliseconds(500)
    /// A reading to which its disk gives nothing for so long makes room for others, and goes on beside them.
    public var stuck: Duration = .seconds(2)

    /// The times that an agent keeps.
    public init() {}
  }
}
