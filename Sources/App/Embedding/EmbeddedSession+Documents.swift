// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import AppSession
import LinuxSystem

// Documents that the host has open, and what becomes of their files.
extension EmbeddedSession {
  /// The host has read this file. A document of a type with an activity, in a synced folder, has one by
  /// itself (semantics 26); which is told by `standing`. A path that is open already gives the same handle.
  ///
  /// Throws `invalidRequest` for a path that is not absolute or whose folder is not there. A file that is not
  /// there yet can be opened: the host is about to make it.
  public func open(_ path: [UInt8], isEdited: Bool = false) throws(ContinuityError) -> DocumentHandle {
    let resolved = try resolve(path)
    if let known = documents.handle(at: resolved) {
      documents[known]?.givenPath = path
      return known
    }
    let mark = handovers.values.first { $0.path == resolved }?.mark ?? FilePaths.mark(resolved)
    let document = documents.add(
      DocumentTable.Entry(path: resolved, givenPath: path, mark: mark, isEdited: isEdited))
    handle(.opened(path: resolved, file: mark ?? .ofNoFile))
    updateActivity(of: document)
    return document
  }

  /// The host shows it no longer; its activity ends. A handle that names nothing does nothing.
  public func close(_ document: DocumentHandle) {
    guard let entry = documents[document] else { return }
    if front == .document(document) { front = nil }
    endActivity(of: document)
    documents[document] = nil
    handle(.closed(path: entry.path))
    openDocumentsDidChange()
  }

  /// Text or place changed: a round follows within two seconds. `isEdited`: the host holds text that the file
  /// does not. `byPerson` is false for what only followed from reading the file again: a document that
  /// another device goes on with stays given up then.
  public func changed(_ document: DocumentHandle, isEdited: Bool, byPerson: Bool = true) {
    guard documents[document] != nil else { return }
    documents[document]?.isEdited = isEdited
    guard let activity = documents[document]?.activity else { return }
    if byPerson { noteChange(activity) } else { noteFileChange(activity) }
  }

  /// The cursor is in that line now, from 0: devices that are linked may show it (semantics 34h). Cheap, and
  /// may be said as often as it moves; no round follows.
  public func cursorMoved(_ document: DocumentHandle, to line: UInt32) {
    guard documents[document] != nil else { return }
    documents[document]?.cursorLine = line
    if let activity = documents[document]?.activity { handle(.cursorMoved(activity, line: line)) }
  }

  /// The host has just written the file. Call it at once: what lies there now is taken for what the host
  /// wrote.
  public func saved(_ document: DocumentHandle) {
    guard var entry = documents[document] else { return }
    entry.saved = try? OpenedFile(entry.path)
    entry.mark = entry.saved?.mark
    entry.hasHadFile = true
    entry.isEdited = false
    documents[document] = entry
    updateActivity(of: document)
    if let activity = documents[document]?.activity, !app.isInRound(activity) {
      changes.insert(activity)
      handle(.saved(activity))
    }
  }

  /// The host has read the file again: what it saved before is not what it shows.
  public func reread(_ document: DocumentHandle) {
    guard let entry = documents[document] else { return }
    documents[document]?.saved = nil
    documents[document]?.mark = FilePaths.mark(entry.path)
    documents[document]?.hasHadFile = true
    documents[document]?.isEdited = false
    if let activity = entry.activity { noteFileChange(activity) }
  }

  /// The document has another path now, and with it perhaps another activity (semantics 27). Throws
  /// `invalidRequest` for a path that is not absolute, and `documentUnreadable` for one in a folder that is
  /// not there.
  public func moved(_ document: DocumentHandle, to path: [UInt8]) throws(ContinuityError) {
    guard let entry = documents[document] else { return }
    let resolved = try resolve(path)
    documents[document]?.givenPath = path
    guard resolved != entry.path else { return }
    guard documents.handle(at: resolved) == nil else {
      throw ContinuityError(
        .invalidRequest, subject: "path",
        description: "\(Self.shown(path)) is open as another document; close that one first.")
    }
    documents[document]?.saved = nil
    documents[document]?.path = resolved
    documents[document]?.mark = FilePaths.mark(resolved)
    handle(.closed(path: entry.path))
    handle(.opened(path: resolved, file: documents[document]?.mark ?? .ofNoFile))
    updateActivity(of: document)
    if let activity = documents[document]?.activity { noteFileChange(activity) }
    openDocumentsDidChange()
  }

  /// The document at this path, as given or resolved.
  public func document(at path: [UInt8]) -> DocumentHandle? {
    if let given = documents.handles.first(where: { documents[$0]?.givenPath == path }) { return given }
    return (try? FilePaths.resolved(path)).flatMap { documents.handle(at: $0) }
  }

  /// The path by which the host called the document last; nil for a handle that names nothing.
  public func path(of document: DocumentHandle) -> [UInt8]? { documents[document]?.givenPath }

  /// The path that the agent knows the document by, without links and dots; nil for a handle that names
  /// nothing.
  public func resolvedPath(of document: DocumentHandle) -> [UInt8]? { documents[document]?.path }

  /// How a document stands to being offered.
  public struct Standing: Hashable, Sendable {
    /// The folder it lies in, as the person calls it; nil outside every synced folder.
    public var folderName: String?
    /// Its activity; nil without one.
    public var activity: ActivityID?
    /// The type of that activity, also while it has none.
    public var activityType: String?
    /// Why it has no activity, in one sentence with the remedy; nil when it has one.
    public var reason: String?
  }

  /// How a document stands; nil for a handle that names nothing.
  public func standing(of document: DocumentHandle) -> Standing? {
    guard let entry = documents[document] else { return nil }
    let type = app.activityType(ofFileAt: entry.path)
    let folder = roots.innermost(holding: entry.path)?.root
    var standing = Standing(folderName: folder?.name, activity: entry.activity, activityType: type)
    guard entry.activity == nil else { return standing }
    let name = Self.shown(entry.path)
    standing.reason =
      if type == nil {
        "\(manifest.name) declares no activity for files like \(name)."
      } else if !knowsRoots {
        connectionError?.description ?? "The agent has not told yet which folders are synced."
      } else {
        "\(name) lies in no synced folder: `continuo folder add FOLDER` registers one."
      }
    return standing
  }

  // MARK: The agent's news

  /// The host's own writing is no news; what the file system says now counts, not what was told.
  func fileDidChange(_ path: [UInt8], _ change: DocumentChange) {
    guard let document = documents.handle(at: path), let entry = documents[document] else { return }
    switch change {
    case .changed:
      if let mark = FilePaths.mark(path), let known = entry.mark, mark.isSameContent(as: known) {
        documents[document]?.mark = mark
        // The agent may have refused a state for this, and waits for the host's word.
        if let activity = entry.activity { noteFileChange(activity) }
        return
      }
    case .deleted:
      // What the host has not made yet cannot be taken from it.
      if !entry.hasHadFile || FilePaths.mark(path) != nil { return }
    case .moved, .conflict: break
    }
    queue(.documentChanged(document, change))
  }

  // MARK: Activities of documents

  /// Folders came or went.
  func updateActivities() { for document in documents.handles { updateActivity(of: document) } }

  private func updateActivity(of document: DocumentHandle) {
    guard let entry = documents[document] else { return }
    let type = app.activityType(ofDocumentAt: entry.path)
    if let activity = entry.activity, activities[activity]?.type == type { return }
    endActivity(of: document)
    guard let type else { return }
    let activity = HeldActivity(type: type, document: document)
    activities[activity.id] = activity
    documents[document]?.activity = activity.id
    if front == .document(document) { handle(.becameCurrent(activity.id)) }
    if let line = entry.cursorLine { handle(.cursorMoved(activity.id, line: line)) }
    openDocumentsDidChange()
  }

  /// What the activity in front lists is another set of documents: who goes on with it elsewhere keeps it.
  private func openDocumentsDidChange() {
    guard offersOpenDocuments, let current = app.current, activities[current]?.document != nil else { return }
    noteFileChange(current)
  }

  /// The files of the other documents that have an activity, the ones that were opened last first.
  func openDocuments(beside document: DocumentHandle) -> UserInfoValue? {
    let others = documents.handles.reversed().filter { $0 != document }.compactMap { documents[$0] }
    let paths = others.filter { $0.activity != nil && $0.hasHadFile }.map(\.path)
    guard offersOpenDocuments, !paths.isEmpty else { return nil }
    return .array(paths.prefix(ActivitySnapshot.openDocumentLimit).map { .url(FileURL.text(of: $0)) })
  }

  private func endActivity(of document: DocumentHandle) {
    guard let activity = documents[document]?.activity else { return }
    documents[document]?.activity = nil
    forget(activity)
  }

  private func resolve(_ path: [UInt8]) throws(ContinuityError) -> [UInt8] {
    guard path.first == UInt8(ascii: "/"), !path.contains(0) else {
      throw ContinuityError(
        .invalidRequest, subject: "path",
        description: "\(Self.shown(path)) is no absolute path; give it from the root.")
    }
    do throws(Errno) { return try FilePaths.resolved(path) } catch {
      throw ContinuityError(
        .documentUnreadable, subject: Self.shown(path),
        description: "The folder of \(Self.shown(path)) is not there (\(error.text)).")
    }
  }

  static func shown(_ path: [UInt8]) -> String { DisplayText.shown(path) }
}
