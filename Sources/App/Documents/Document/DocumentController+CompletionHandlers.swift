// SPDX-License-Identifier: MIT

public import Foundation

/// The forms that code from before Swift's `async` calls.
extension DocumentController {
  /// As `openDocument(withContentsOf:display:)`, for code that wants the outcome in a closure. That is called
  /// once, on the main actor, after this method has returned: with the document and whether it was open
  /// already, or with an error.
  public func openDocument(
    withContentsOf url: URL, display: Bool,
    completionHandler: @escaping @MainActor (Document?, Bool, (any Error)?) -> Void
  ) {
    Task { @MainActor in
      do {
        let (document, wasAlreadyOpen) = try await openDocument(withContentsOf: url, display: display)
        completionHandler(document, wasAlreadyOpen, nil)
      } catch {
        completionHandler(nil, false, error)
      }
    }
  }
}
