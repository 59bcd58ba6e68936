// SPDX-License-Identifier: MIT

import ActivityModel

/// What is to become of changes that no file holds.
public enum UnsavedChangesChoice: Hashable, Sendable {
  /// They are saved; when that fails, the document stays open.
  case save
  /// They are given up.
  case discard
  /// The document stays open.
  case cancel
}

extension Document {
  /// One question at a time: who asks meanwhile gets its answer.
  func askWhetherToClose() async -> Bool {
    if let closing { return await closing.value }
    let task = Task { await self.settleChanges() }
    closing = task
    defer { closing = nil }
    return await task.value
  }

  private func settleChanges() async -> Bool {
    while let currentSave { await currentSave.ended() }
    while isDocumentEdited {
      switch await choiceAboutChanges() {
      case .discard: return true
      case .cancel: return false
      case .save: guard await savesBeforeClosing() else { return false }
      }
    }
    return true
  }

  /// False when nothing was saved: another try would end no better.
  private func savesBeforeClosing() async -> Bool {
    guard isDocumentEdited else { return true }
    let moment = unkept.now
    do {
      try await save()
    } catch {
      Application.current?.presentError(error)
      return false
    }
    return !isDocumentEdited || unkept.now != moment
  }

  /// A document that saves itself in place need not ask; one whose text came from a recovery must.
  private func choiceAboutChanges() async -> UnsavedChangesChoice {
    if Self.autosavesInPlace, fileURL != nil, !isReadOnly, !isRecovered { return .save }
    guard let application = Application.current, let delegate = application.delegate else { return .save }
    return await delegate.application(application, shouldClose: self)
  }
}
