// SPDX-License-Identifier: MIT

public import ActivityModel

extension ArrivalMachine {
  /// What the machine is told. Each `observe`, `hash`, `search` and `listSiblings` is answered by one event,
  /// however late; an answer that became useless meanwhile is ignored.
  public enum Event: Hashable, Sendable {
    /// How this device stands to the reference's folder; the first event starts the machine.
    case folder(FolderPresence)
    /// Something may have changed at the path, at one of its parents, or at a conflict copy of it.
    case hint
    /// Something may have changed elsewhere in the folder, while the document is looked for there.
    case hintElsewhere
    /// The answer to `observe`.
    case observed(FileObservation)
    /// So many bytes were read for `hash`; told now and then, while it takes long.
    case reading(UInt64)
    /// The answer to `hash`.
    case hashed(HashOutcome)
    /// The answer to `listSiblings`: conflict copies of the document, hashed where the size fits.
    case siblings([ConflictCopy])
    /// The answer to `readMarkers`: whether a merge left both versions in the document.
    case markers(Bool)
    /// The answer to `search`; nil when the document is under no other name.
    case found(RelativePath?)
    /// The answer to `measure`: bytes in an engine's temporary file of this document; nil when there is none.
    case partial(UInt64?)
    /// What the path had on this device. Send it before `folder` where it is known.
    case history(DocumentHistory)
    /// Ancestors of the version from earlier records of its source.
    case ancestors(Set<DigestPrefix>)
    /// The source published another version of the same activity, perhaps of a document at another path: what
    /// that path had on this device, where it is known. Another folder is told of next, by `folder`.
    case reference(DocumentReference, history: DocumentHistory? = nil)
    /// Somebody waits, and is told after this time when the version did not come.
    case accepted(Duration)
    /// Waits so long from now, also after `expired`.
    case extended(Duration)
    /// Nobody waits any more: delivered, cancelled or given up.
    case ended
    /// The moment of the last `wake` has come.
    case timer
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// `lstat` this path, then send `observed`.
    case observe(RelativePath)
    /// Hash the file at this path that has this stamp, then send `hashed`; it may have another one by then.
    case hash(RelativePath, FileStamp)
    /// Look for the document under other names (`FolderContents.find`), then send `found`.
    case search(DocumentSearch)
    /// Look for conflict copies in the document's folder, then send `siblings`.
    case listSiblings
    /// Look how much an engine's unfinished copy beside the document holds (`FolderContents.partialSize`),
    /// then send `partial`.
    case measure
    /// The answer to the `hash` or `search` under way is of no use any more: stop it, and send it at once as
    /// `cancelled` or as not found.
    case cancel
    /// Look for conflict markers in the first bytes of the file at this path, then send `markers`.
    case readMarkers(RelativePath)
    /// The standing changed.
    case report(ArrivalStatus)
    /// Send `timer` then; replaces every earlier wake. Nil: no timer is needed.
    case wake(at: Instant?)
    /// The time of `accepted` or `extended` is over; told once, the machine goes on without a deadline.
    case expired(ContinuityError)
  }

  /// How this device stands to the folder of a reference.
  public enum FolderPresence: Hashable, Sendable {
    /// No folder of that ID is registered; the name that the source calls it by, if known.
    case unknown(name: String?)
    /// Registered under this name, and not there now: unmounted, moved away, or emptied by an unmount.
    case away(name: String)
    /// Registered under this name and there, but not used.
    case refused(name: String, why: Reason)
    /// Registered under this name, and there.
    case here(name: String)
  }

  /// How long things take. The defaults come from recordings of real engines.
  public struct Timing: Hashable, Sendable {
    /// How long a file may be gone within an update. Engines: 0.3 to 15 ms; their restarts: any time.
    public var grace: Duration = .seconds(1)
    /// How long unknown bytes must lie still before they count as somebody's version.
    public var settled: Duration = .seconds(1)
    /// How often the path is looked at without a hint while somebody waits.
    public var recheck: Duration = .seconds(30)
    /// Files above this size are hashed only after a pause when they are written in place, or when they are
    /// not of the size that is awaited.
    public var throttledSize: UInt64 = 8 << 20
    /// That pause, when the size is already right.
    public var pause: Duration = .milliseconds(100)
    /// The first wait after a file changed while it was hashed; doubled each time up to `longestRetry`.
    public var retry: Duration = .milliseconds(50)
    /// The longest such wait, and the longest pause.
    public var longestRetry: Duration = .seconds(5)
    /// How often an engine's unfinished copy is looked at.
    public var measuring: Duration = .seconds(1)
    /// Smaller documents come faster than that.
    public var measuredSize: UInt64 = 1 << 20

    /// The times measured with real engines.
    public init() {}
  }
}
