// SPDX-License-Identifier: MIT

import Continuo
import TextEditing

/// What an earlier editor held and no file did, opened before anything else: a file that the person names may
/// be among it.
@MainActor final class RestoredTexts: ContinuationPresenting {
  private(set) var documents: [TextDocument] = []
  /// What to tell the person.
  private(set) var sentences: [String] = []

  init(in application: Application) {
    application.presenter = self
    documents = EditorLoop.wait { await DocumentController.shared.restoreAutosavedDocuments() }
      .compactMap { $0 as? TextDocument }
    guard !documents.isEmpty else { return }
    let names = documents.map(\.textName).joined(separator: ", ")
    sentences.append("Unsaved text of an earlier session is open again: \(names)")
  }

  func beginFeedback(forActivityType type: String) {}
  func endFeedback(forActivityType type: String) {}
  func present(_ error: any Error) { sentences.append(error.sentence) }
}
