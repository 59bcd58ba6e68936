// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Foundation

extension Document {
  /// Saves an edited document in place if its class allows it and it is time; otherwise the moment when it
  /// will be. Large ones are written in the background, which asks for another round at its end; the last
  /// round waits for everything.
  ///
  /// A file that was changed or deleted by somebody else is left alone, and so is one that appeared where
  /// there was none: only the person may decide about that.
  func autosaveInPlace(isLast: Bool) -> Instant? {
    if let currentSave {
      guard isLast else { return nil }
      currentSave.finish()
    }
    guard isDocumentEdited, let fileURL = placeToAutosave else { return nil }
    let now = Application.now
    let due = autosave.due
    guard due <= now || isLast else { return due }
    guard isPlaceAsKnown else {
      autosave.failed(at: now)
      return nil
    }
    do {
      let order = try saveOrder(
        fileURL, savingType(fileURL), .autosaveInPlaceOperation, overwriting: .nothing)
      let save = begin(order)
      if isLast || order.work.size <= DocumentSave.smallSize { save.runNow() } else { save.runInBackground() }
      // What was changed while it was being saved wants the next turn.
      return save.failure != nil || currentSave == nil && isDocumentEdited ? autosave.due : nil
    } catch {
      autosave.failed(at: now)
      Application.current?.didFailToAutosave(self, error)
      return autosave.due
    }
  }

  /// Where it saves itself; nil where only the person may save it.
  var placeToAutosave: URL? {
    let mayWrite = !isReadOnly && !isRecovered && Self.autosavesInPlace && (known != nil || isFileNew)
    return mayWrite ? fileURL : nil
  }

  /// Saves an edited document in place at once, for a person who goes on with it on another device; returns
  /// when that is done. Throws why it is not: its class leaves saving to the person, the file is not the one
  /// that was read, or it cannot be written.
  func autosaveInPlaceNow() async throws {
    while let currentSave { await currentSave.ended() }
    // What the person gave up meanwhile, by closing it, is not written after all.
    guard isDocumentEdited, !isClosed else { return }
    guard let fileURL = placeToAutosave, continuedOn == nil else {
      throw ContinuityError(
        .documentDiverged, subject: shownName,
        description: "\(shownName) is saved there only when its person says so.")
    }
    try await save(to: fileURL, ofType: savingType(fileURL), for: .autosaveInPlaceOperation)
  }
}

/// When an edited document may save itself: no sooner than 2 s after the last save, nor than 20 times what
/// that took; above 8 MB only after 10 s of quiet (semantics 25); 10 s after a failure.
struct AutosavePacing: Hashable {
  private var notBefore = Instant(nanoseconds: 0)
  private var size = 0
  private var lastChange = Instant(nanoseconds: 0)

  private static let pause = Duration.seconds(2)
  private static let pauseAfterFailure = Duration.seconds(10)
  private static let quietWhenLarge = Duration.seconds(10)
  private static let large = 8 * 1024 * 1024

  var due: Instant { size > Self.large ? max(notBefore, lastChange + Self.quietWhenLarge) : notBefore }

  mutating func changed(at now: Instant) { lastChange = now }

  mutating func loaded(size: Int) { self.size = size }

  mutating func saved(from start: Instant, to end: Instant, size: Int) {
    notBefore = end + max(Self.pause, (end - start) * 20)
    self.size = size
  }

  mutating func failed(at now: Instant) { notBefore = now + Self.pauseAfterFailure }
}
