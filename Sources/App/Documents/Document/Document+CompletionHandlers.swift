// SPDX-License-Identifier: MIT

public import Foundation

/// The forms that code from before Swift's `async` calls. A subclass overrides the asynchronous ones, which
/// these call.
extension Document {
  /// As `save(to:ofType:for:)`; `completionHandler` is called once, on the main actor, after this method has
  /// returned: with nil when the file is written, else with the error.
  public func save(
    to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
    completionHandler: @escaping ((any Error)?) -> Void
  ) {
    report(completionHandler) { try await self.save(to: url, ofType: typeName, for: saveOperation) }
  }

  /// As `autosave(withImplicitCancellability:)`; `completionHandler` is called once, on the main actor, after
  /// this method has returned: with nil when the changes are kept, else with the error.
  public func autosave(
    withImplicitCancellability: Bool, completionHandler: @escaping ((any Error)?) -> Void
  ) {
    report(completionHandler) {
      try await self.autosave(withImplicitCancellability: withImplicitCancellability)
    }
  }

  /// As `move(to:)`; `completionHandler` is called once, on the main actor, after this method has returned:
  /// with nil when the file lies at `url`, else with the error, and it lies where it was.
  public func move(to url: URL, completionHandler: (((any Error)?) -> Void)?) {
    report(completionHandler) { try await self.move(to: url) }
  }

  private func report(
    _ completionHandler: (((any Error)?) -> Void)?, of work: @escaping @MainActor () async throws -> Void
  ) {
    Task { @MainActor in
      do {
        try await work()
        completionHandler?(nil)
      } catch {
        completionHandler?(error)
      }
    }
  }
}
