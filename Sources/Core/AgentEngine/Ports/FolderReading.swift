// SPDX-License-Identifier: MIT

package import ActivityModel
package import SyncedFolders

/// One piece of work that may take long, mostly on a synced folder: hashing a file, or a search. Performed
/// beside the loop, once.
package struct FolderReading: Sendable {
  /// What is asked.
  package enum Task: Sendable {
    /// What the file at the path holds; where it was handed over, what that leads to.
    case hash(RelativePath, (any OpenFile)?)
    /// Which conflict copies the document has; those of the awaited size are hashed.
    case conflictCopies(RelativePath, awaitedSize: UInt64)
    /// Where a document lies under another name.
    case find(DocumentSearch)
    /// How much an engine's unfinished copy of the document holds.
    case partialSize(RelativePath)
    /// Lay what a file holds into the folder, and keep what it replaces.
    case lay(LaidDocument, from: any OpenFile, keeping: any ReplacedFiles)
  }

  /// The answer to the task of the same kind.
  package enum Answer: Sendable {
    /// Of `hash`.
    case outcome(HashOutcome)
    /// Of `conflictCopies`.
    case copies([ConflictCopy])
    /// Of `find`.
    case found(RelativePath?)
    /// Of `partialSize`.
    case partial(UInt64?)
    /// Of `lay`.
    case laid(LayingOutcome)
    /// Of `keep`.
    case kept(Result<KeptDraft, ContinuityError>)
  }

  /// A draft that is kept.
  package typealias KeptDraft = (digest: ContentDigest, size: UInt64)

  /// What, and where.
  package enum Work: Sendable {
    /// In a synced folder.
    case inFolder(Task, any SyncedFolder)
    /// Keep what a file holds as a draft.
    case keep(any OpenFile, any DraftFiles)
  }

  /// What, and where.
  package let work: Work
  /// Bytes to be read, as far as that is known.
  package let size: UInt64
  let known: KnownDigests

  init(_ work: Work, size: UInt64, known: KnownDigests) {
    (self.work, self.size, self.known) = (work, size, known)
  }

  /// The folder in which it is done; nil where it concerns none.
  package var folder: (any SyncedFolder)? { if case .inFolder(_, let folder) = work { folder } else { nil } }

  /// Reads, and blocks as long as the disk takes and `control` pauses it.
  package func perform(_ control: any ReadingControl) -> Answer {
    switch work {
    case .inFolder(let task, let folder): perform(task, in: folder, control)
    case .keep(let file, let drafts):
      .kept(Result { () throws(ContinuityError) in try drafts.keep(file) })
    }
  }

  private func perform(
    _ task: Task, in folder: any SyncedFolder, _ control: any ReadingControl
  ) -> Answer {
    let searched = SearchedFolder(folder: folder, control: control, known: known)
    switch task {
    case .hash(let path, let file): return .outcome(known.hash(path, file, in: folder, control))
    case .conflictCopies(let path, let size):
      return .copies(searched.conflictCopies(of: path, awaitedSize: size))
    case .find(let search): return .found(searched.find(search))
    case .partialSize(let path): return .partial(searched.partialSize(of: path))
    case .lay(let document, let file, let kept):
      let laid = folder.lay(
        document, from: file, keeping: kept, isCancelled: { !control.mayGoOn() },
        progress: { control.report($0) })
      if let stamp = laid.stamp { known.note(document.version.digest, stamp, in: folder) }
      return .laid(laid.outcome)
    }
  }
}
