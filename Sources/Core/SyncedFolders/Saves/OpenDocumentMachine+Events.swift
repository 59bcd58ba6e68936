// SPDX-License-Identifier: MIT

public import ActivityModel

extension OpenDocumentMachine {
  /// What the machine is told. Each `observe`, `hash`, `search` and `listCopies` is answered by one event.
  public enum Event: Hashable, Sendable {
    /// Something may have changed at the path, or at one of its parents.
    case hint
    /// Conflict copies may have come or gone.
    case hintBeside
    /// Something may have changed elsewhere, while the document is looked for (`isSought`).
    case hintElsewhere
    /// The watcher saw this name, of a file or a folder, become that one, both as names from the root down.
    case renamed(from: [[UInt8]], to: [[UInt8]])
    /// An app saved this into the document, or got it from there.
    case holds(Holding)
    /// The answer to `observe`.
    case observed(FileObservation)
    /// The answer to `hash`.
    case hashed(HashOutcome)
    /// The answer to `search`: where the document is, if anywhere.
    case found(Place?)
    /// The answer to `listCopies`: the names of the document's conflict copies.
    case copies([[UInt8]])
    /// The moment of the last `wake` has come.
    case timer
  }

  /// Bytes that a document has.
  public struct Holding: Hashable, Sendable {
    /// Their digest.
    public var digest: ContentDigest
    /// How many they are.
    public var size: UInt64

    /// So many bytes of that digest.
    public init(_ digest: ContentDigest, size: UInt64) { (self.digest, self.size) = (digest, size) }
  }

  /// Where a document is.
  public struct Place: Hashable, Sendable {
    /// Another synced folder than the one that it was in; nil: the same.
    public var folder: FolderID?
    /// Its path there.
    public var path: RelativePath

    /// At `path`; in the folder where it was unless told otherwise.
    public init(folder: FolderID? = nil, path: RelativePath) { (self.folder, self.path) = (folder, path) }
  }

  /// What the shell is to do.
  public enum Action: Hashable, Sendable {
    /// `lstat` this path, then send `observed`.
    case observe(RelativePath)
    /// Hash the file with this stamp at the document's path, then send `hashed`.
    case hash(FileStamp)
    /// Look for the document under other names, in its folder first and then, with
    /// `DocumentSearch.inOtherFolder`, in the others, and send `found`.
    case search(DocumentSearch)
    /// Look for conflict copies of the file at this path, then send `copies`.
    case listCopies(of: RelativePath)
    /// The document held this for a moment. An engine may have picked it up: then it is an older version
    /// elsewhere, and no foreign one.
    case held(ContentDigest, size: UInt64)
    /// The document holds this, of so many bytes.
    case saved(ContentDigest, size: UInt64)
    /// The document is gone.
    case deleted
    /// The document has this place from now on; `path` tells it, too.
    case moved(to: Place)
    /// These conflict copies lie beside the document now, by name. Perhaps they did before.
    case conflict([[UInt8]])
    /// Send `timer` then; replaces every earlier wake. Nil: no timer is needed.
    case wake(at: Instant?)
  }

  /// How long things take.
  public struct Timing: Hashable, Sendable {
    /// How long a file must lie still before it counts as saved.
    public var settled: Duration = .milliseconds(100)
    /// The same for an empty one.
    public var emptySettled: Duration = .seconds(1)
    /// How long the file may be gone within an update before it counts as deleted.
    public var grace: Duration = .seconds(1)
    /// The same when the watcher saw it get another name, one that no editor gives to what it replaces.
    public var renamed: Duration = .milliseconds(250)
    /// How long after it was deleted the document is still looked for.
    public var afterlife: Duration = .seconds(60)
    /// The least time between two searches for one document.
    public var searchPause: Duration = .seconds(2)
    /// How long the folder is left alone before conflict copies are looked for.
    public var copiesSettled: Duration = .milliseconds(100)
    /// Files above this size are read only after they lay still.
    public var throttledSize: UInt64 = 1 << 20
    /// The first wait after a file changed while it was read; doubled each time up to `longestRetry`.
    public var retry: Duration = .milliseconds(50)
    /// The longest such wait.
    public var longestRetry: Duration = .seconds(5)
    /// How often a file that cannot be read is looked at again without a hint.
    public var recheck: Duration = .seconds(30)

    /// The times that an agent keeps.
    public init() {}
  }
}
