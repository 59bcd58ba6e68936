// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Foundation
import LinuxSystem
import UserActivities

/// What the agent tells of an open document's file, held against the file itself: news may be older than what
/// the person did since.
extension Document {
  /// What `change` means to this document: a file that another document of this app shows is lost to it, and
  /// it waits for its own to come back.
  func understood(_ change: DocumentChange) -> DocumentChange {
    guard case .moved(let place) = change, let path,
      let other = DocumentController.shared.document(at: FilePath(bytes: place)), other !== self
    else { return change }
    sayAgain(path)
    return .deleted
  }

  /// Takes note of `change`; whether the document's class has to hear of it.
  func isNews(_ change: DocumentChange) -> Bool {
    switch change {
    case .changed:
      noteFileIsThere()
      return !isFileAsKnown
    case .moved:
      noteFileIsThere()
    case .deleted:
      // Of a document that is new the agent knows only that there is no file.
      guard known != nil else { return false }
      // Saved again meanwhile.
      if let path, DocumentFile.stamp(path) != nil { return false }
      guard !isFileMissing else { return false }
      isFileMissing = true
      updateActivity()
    case .conflict(let copies):
      conflictCopyURLs = copies.compactMap { FilePath(bytes: $0).url }
    }
    return true
  }

  /// The file is at its place again, by whomever.
  func noteFileIsThere() {
    guard isFileMissing else { return }
    isFileMissing = false
    updateActivity()
  }

  /// Whether the file holds what was read or saved last. If it is another file with the same bytes, that one
  /// is the known one from now on: nobody has to decide anything.
  private var isFileAsKnown: Bool {
    guard let path, let known, let stamp = DocumentFile.stamp(path) else { return false }
    if stamp == known.stamp { return true }
    guard stamp.size == known.data.count, takeStamp(of: path) else { return false }
    // The agent may have refused a state for this, and waits for the app's word.
    userActivity?.followFile()
    return true
  }

  /// The file whose bytes the document shows, for the agent.
  var fileMark: FileMark { known?.stamp.mark ?? .ofNoFile }

  /// True when the file at `path` holds the known bytes.
  private func takeStamp(of path: FilePath) -> Bool {
    guard let known, let file = try? DocumentFile.read(path), file.data == known.data else { return false }
    self.known = (file.stamp, known.data)
    return true
  }

  /// The file has another path now, and so has the document: text and unsaved changes stay as they are, and
  /// are saved there.
  func follow(to target: FilePath) {
    // The person saved again under the old name before this was told: that is the document's file.
    if let path, let known, DocumentFile.stamp(path) == known.stamp { return sayAgain(path) }
    guard let url = target.url else { return }
    _ = takeStamp(of: target)
    fileURL = url
  }

  /// The agent believes that the document went on under another name.
  private func sayAgain(_ path: FilePath) {
    Application.current?.session.handle(.closed(path: path.bytes))
    Application.current?.session.handle(.opened(path: path.bytes, file: fileMark))
  }
}
