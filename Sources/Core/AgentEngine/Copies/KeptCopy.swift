// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import SyncedFolders

/// One copy, while the agent runs. Loop thread only.
final class KeptCopy {
  var copy: PrivateCopy
  /// Whether its file is there, whole.
  var isReady = false
  var machine: PrivateCopyMachine
  let events = EventLine<PrivateCopyMachine.Event>()
  /// What the copy held when it was read last, and what its file looked like.
  var digest: ContentDigest?
  var stamp: FileStamp?
  /// The file that was moved out of the apps' way.
  var taken: FileStamp?
  /// What lay in the folder when it was looked at last.
  var folderContent = PrivateCopyMachine.Content.unknown
  /// What was laid, and where, until that is written down.
  var laid: (version: DocumentVersion, place: DocumentPlace)?
  /// Apps that were handed it and have not answered.
  var handed: [RequestID: UInt64] = [:]
  /// Apps that were told where their document is.
  var told: Set<UInt64> = []
  /// Until then it counts as used.
  var until: Instant
  var timer: TimerNumber?
  /// Commands that wait until it is in the folder, or stays where it is.
  var answers: [(KeptCopy) -> Void] = []

  init(_ copy: PrivateCopy, until: Instant) {
    (self.copy, self.until) = (copy, until)
    machine = PrivateCopyMachine(base: copy.base.digest, isMoved: copy.isMoved)
    digest = copy.base.digest
  }

  func answerIfIdle() {
    guard machine.isIdle, events.isEmpty, !answers.isEmpty else { return }
    let waiting = answers
    answers = []
    for answer in waiting { answer(self) }
  }
}
