// SPDX-License-Identifier: MIT

import Continuo
public import Foundation

/// A document's text beside another one of it: what somebody else put into its file, or a conflict copy.
///
/// Both texts are on the disk, below the user's state, before the person decides. Nothing but `save()`
/// changes the document or its file, and nothing but `removeCopy()` the copy.
@MainActor public final class DocumentComparison {
  /// What the person chooses.
  public var texts: TextComparison
  /// The other text's file, as a person reads it.
  public let otherName: String
  let document: TextDocument
  /// What the document's file held when it was shown; nil for a comparison with a copy.
  private let fileContents: Data?
  private let copy: FileVersion?
  private let kept: ComparedTexts
  private var revision: Int
  /// The person was told that there is no file any more, and that saving writes it again.
  private var isGoneKnown = false
  /// What was chosen is on its way into the file.
  public private(set) var isSaving = false

  private init(
    _ document: TextDocument, texts: TextComparison, otherName: String, fileContents: Data?,
    copy: FileVersion?, kept: ComparedTexts, revision: Int
  ) {
    (self.document, self.texts, self.otherName) = (document, texts, otherName)
    (self.fileContents, self.copy, self.kept, self.revision) = (fileContents, copy, kept, revision)
  }

  /// Compares the document with `copy`, or with what its file holds now; both texts are kept below `state`.
  /// Throws a sentence, and leaves all as it is, for what cannot be compared, and where git is missing.
  public static func begin(
    _ document: TextDocument, with copy: ConflictCopy? = nil, below state: URL
  ) async throws -> DocumentComparison {
    guard let url = document.fileURL, !document.isReadOnly, document.foreignByteCount == 0 else {
      throw refusal(document.textName, "only a UTF-8 text that is open for writing is compared")
    }
    let path = url.path(percentEncoded: false)
    if copy == nil, try FileArgument(path).isNew { throw refusal(document.textName, "its file is gone") }
    let version = try copy.map { try Self.version($0, of: document) }
    let data = try version.map { try $0.contents() } ?? Data(contentsOf: url)
    let otherName = copy?.name ?? document.textName
    let other = try TextBuffer(bytes: data, name: otherName)
    try document.checkLines(of: other, name: otherName)
    let (yours, revision) = (document.editor.buffer, document.editor.revision)
    // The next start opens it again if this one is killed. The file is not as it was read: it is not written.
    if copy == nil, document.isDocumentEdited {
      try await document.autosave(withImplicitCancellability: false)
    }
    let kept = try ComparedTexts(yours: yours.bytes, other: Array(data), below: state)
    do {
      let diff = try await kept.unifiedDiff()
      guard let texts = TextComparison(yours: yours, other: other, unifiedDiff: diff) else {
        throw refusal(document.textName, "it differs in too many places, or git did not print all of them")
      }
      return DocumentComparison(
        document, texts: texts, otherName: otherName, fileContents: copy == nil ? data : nil, copy: version,
        kept: kept, revision: revision)
    } catch {
      kept.remove()
      throw error
    }
  }

  private static func version(_ copy: ConflictCopy, of document: TextDocument) throws -> FileVersion {
    let name = copy.name
    guard
      let found = try document.unresolvedConflictVersions().first(where: { $0.url.lastPathComponent == name })
    else { throw refusal(name, "it is no conflict copy of \(document.textName) any more") }
    return found
  }

  private static func refusal(_ name: String, _ why: String) -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: name, description: "\(name) is not shown beside another: \(why).")
  }

  /// The document's text is another one by now: what was chosen does not fit it.
  public var isOutdated: Bool { !isSaving && document.editor.revision != revision }

  private var isFileGone: Bool {
    document.fileURL.map { (try? FileArgument($0.path(percentEncoded: false)).isNew) == true } ?? false
  }

  /// The document's file was deleted, and the person was told that saving writes it again: so `save()` does.
  public func noteFileIsGone() { isGoneKnown = true }

  /// The name of the conflict copy; nil for a comparison with the file.
  public var copyName: String? { copy == nil ? nil : otherName }

  /// Takes away the texts of comparisons that were kept below `state` for longer than 30 days. Blocks while
  /// it reads the folder, on any thread.
  public nonisolated static func forgetOld(below state: URL) { ComparedTexts.forgetOld(below: state) }

  /// Puts what was taken into the document, each part as one step that undo takes back, and saves it, over
  /// the very file that was shown. Throws `documentDiverged` where that, or the text, is another one by now,
  /// and `documentMissing` where it is gone and nobody told the person: it is not touched, and not made
  /// again.
  public func save() async throws {
    try await save { document in
      if let fileContents, !isGoneKnown {
        try await document.save(replacing: fileContents)
      } else if document.isDocumentEdited || isFileGone {
        try await document.save()
      }
    }
  }

  /// Puts what was taken into the document, and saves it at `url`, over what the person was asked about
  /// there; the file that was shown stays as it is. Throws `documentDiverged` where the text is another one
  /// by now, and what saving throws.
  public func save(as url: URL) async throws {
    try await save { try await $0.save(to: url, overwritingChanges: true) }
  }

  private func save(_ write: (TextDocument) async throws -> Void) async throws {
    guard !isOutdated else {
      throw ContinuityError(
        .documentDiverged, subject: document.textName,
        description: "\(document.textName) was changed meanwhile: compare the texts again.")
    }
    guard document.editor.buffer.byteCount + texts.growth <= TextBuffer.sizeLimit else {
      throw TextBuffer.tooLarge(document.textName)
    }
    isSaving = true
    defer { isSaving = false }
    document.take(texts.edits)
    revision = document.editor.revision
    try await write(document)
  }

  /// The comparison ends. Both texts stay in the state for 30 days when something was saved; else they are
  /// where they were.
  public func end(isSaved: Bool) { if !isSaved, !isSaving { kept.remove() } }

  /// The person has asked for it: removes the copy, if it is still what was shown. Throws a sentence where it
  /// is not.
  public func removeCopy() throws { try copy?.remove() }
}
