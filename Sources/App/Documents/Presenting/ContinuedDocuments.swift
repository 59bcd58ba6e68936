// SPDX-License-Identifier: MIT

import ActivityExchange
public import ActivityModel
import LinuxSystem
import UserActivities

extension Document {
  /// Which device goes on with this document, and since when; nil while the person has it here (semantics
  /// 23). Until they change something again nothing of it is offered or saved by itself; changes that no file
  /// holds are kept as `autosavedContentsFileURL`. `application(_:continuationDidChange:)` tells when it
  /// changes.
  public var continuedOn: ContinuationReceipt? { userActivity?.continuedOn }
}

extension ContinuationReceipt {
  /// One clause for a person, with this device's time of day: "continued on laptop at 10:42".
  public var sentence: String {
    let moment = at.flatMap { LocalTime.shown($0) }.map { " at \($0.text)" } ?? ""
    return "continued on \(device)\(moment)"
  }
}

extension Application {
  /// The activity is another device's now, or the person's again.
  func tellContinuation(of activity: ActivityID) {
    for document in DocumentController.shared.documents where document.userActivity?.id == activity {
      // It does not save itself any more: what no file holds is kept sooner.
      if document.isDocumentEdited { document.noteForRecovery() }
      delegate?.application(self, continuationDidChange: document)
    }
  }
}
