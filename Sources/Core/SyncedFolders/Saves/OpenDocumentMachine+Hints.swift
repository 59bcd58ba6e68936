// SPDX-License-Identifier: MIT

import ActivityModel

/// What a hint from the watcher means.
extension OpenDocumentMachine {
  /// What a hint at `path`, in the document's folder, means to the machine.
  public func events(forHintAt path: [[UInt8]]) -> [Event] {
    let own = self.path.components
    if own.starts(with: path) { return path.count < own.count ? [.hint, .hintBeside] : [.hint] }
    if path.count == own.count, path.dropLast().elementsEqual(own.dropLast()), let name = path.last,
      name.starts(with: DocumentAbsence.stem(self.path.name).prefix(128)),
      SyncNames.isConflictCopy(name, of: self.path.name)
    {
      return [.hintBeside]
    }
    return isSought ? [.hintElsewhere] : []
  }
}
