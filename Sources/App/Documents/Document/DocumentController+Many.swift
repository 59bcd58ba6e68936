// SPDX-License-Identifier: MIT

public import Foundation

/// What is done with many documents at once.
extension DocumentController {
  /// How many files are read at the same time.
  private static let breadth = 8

  /// Opens each file as `openDocument(withContentsOf:display:)` does, several at the same time. The results
  /// stand in the order of `urls`; a file that cannot be opened stops no other, and one that is named twice,
  /// also by another name, is one document. With `display` the last one that opened is the current document.
  /// Nothing is presented: that is the caller's. Ours.
  public func openDocuments(
    withContentsOf urls: [URL], display: Bool
  ) async -> [Result<(Document, wasAlreadyOpen: Bool), any Error>] {
    let work = ManyFiles(urls, display: display)
    let workers = (0..<min(Self.breadth, urls.count)).map { _ in
      Task { @MainActor in await work.openAll(in: self) }
    }
    for worker in workers { await worker.value }
    let all = work.results.compactMap { $0 }
    if display, let last = all.last(where: { (try? $0.get()) != nil }) { latest = try? last.get().0 }
    return all
  }

  /// Saves each document that has unsaved changes, one after the other, and returns those that could not be
  /// saved, with the reason: an untitled one among them, for it has no place. One failure stops no other, and
  /// nothing is presented.
  @discardableResult
  public func saveAllDocuments() async -> [(document: Document, error: any Error)] {
    var failed: [(document: Document, error: any Error)] = []
    for document in documents where document.isDocumentEdited {
      do {
        try await document.save()
      } catch {
        failed.append((document, error))
      }
    }
    return failed
  }

  /// Asks `canClose()` of each document with unsaved changes, one after the other, as before the app ends.
  /// False once one says no; those behind it are not asked. Nothing is closed.
  public func reviewUnsavedDocuments() async -> Bool {
    for document in documents where document.isDocumentEdited {
      guard await document.canClose() else { return false }
    }
    return true
  }

  /// Closes all documents when each `canClose()`; false, with none of them closed, once one says no. One that
  /// was opened or changed meanwhile stays open, and the answer is false then, too.
  public func closeAllDocuments() async -> Bool {
    let asked = documents
    var moments: [UInt64] = []
    for document in asked {
      guard await document.canClose() else { return false }
      moments.append(document.unkept.now)
    }
    for (document, moment) in zip(asked, moments) where document.unkept.now == moment { document.close() }
    return documents.isEmpty
  }

  /// What a menu's Save All calls: as `saveAllDocuments()`, and presents each failure.
  public func saveAllDocuments(_ sender: Any?) {
    Task { @MainActor in for failure in await saveAllDocuments() { presentError(failure.error) } }
  }
}

/// Files that several workers open, each the next one that nobody has taken.
@MainActor
private final class ManyFiles {
  private let urls: [URL]
  private let display: Bool
  private var next = 0
  private(set) var results: [Result<(Document, wasAlreadyOpen: Bool), any Error>?]

  init(_ urls: [URL], display: Bool) {
    self.urls = urls
    self.display = display
    results = Array(repeating: nil, count: urls.count)
  }

  func openAll(in controller: DocumentController) async {
    while next < urls.count {
      let index = next
      next += 1
      do {
        results[index] = .success(
          try await controller.openDocument(withContentsOf: urls[index], display: display))
      } catch {
        results[index] = .failure(error)
      }
    }
  }
}
