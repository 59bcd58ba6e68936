// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The content of a large file that was changed by somebody else: read before the document hears of it, so
/// that a reload, which may not wait, has it at hand.
enum ReadingAhead {
  case running
  case done(Result<DocumentFile, ContinuityError>)
}

extension Document {
  /// True when the news of `change` follows later, once the file has been read away from the main actor.
  func readsAhead(of change: DocumentChange, at path: FilePath) -> Bool {
    switch ahead {
    case .running: return true  // the file is looked at again when it ends
    case .done: return false
    case nil: break
    }
    guard !isDocumentEdited, !isClosed, DocumentFile.isLarge(path) else { return false }
    ahead = .running
    Task { await readAhead(of: change, at: path) }
    return true
  }

  private func readAhead(of change: DocumentChange, at path: FilePath) async {
    let result: Result<DocumentFile, ContinuityError>
    do throws(ContinuityError) {
      result = .success(try await DocumentFile.readAside(path))
    } catch {
      result = .failure(error)
    }
    ahead = nil
    guard !isClosed, self.path == path else { return }
    // Changed again: what was read is of no use. A save that runs looks for itself afterwards.
    if case .success(let file) = result, file.stamp == DocumentFile.stamp(path), currentSave == nil {
      ahead = .done(result)
    }
    if case .failure = result { ahead = .done(result) }
    Application.current?.fileDidChange(change, of: self)
    ahead = nil
  }

  /// What was read ahead, if the file is still that one.
  func contentsAhead(at path: FilePath) throws(ContinuityError) -> DocumentFile? {
    guard case .done(let result) = ahead else { return nil }
    let file = try result.get()
    return file.stamp == DocumentFile.stamp(path) ? file : nil
  }
}
