// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import UserActivities

/// What is open beside the document that the person is in (semantics 52).
extension DocumentController {
  /// Lists in the activity of `owners` what else is open: documents with an activity of their own, the ones
  /// that were opened last first.
  func listOpenDocuments(in activity: UserActivity, of owners: [Document]) {
    guard offersOpenDocuments, !owners.isEmpty else { return }
    let others = documents.reversed().filter { document in
      document.userActivity != nil && !document.isFileMissing && !owners.contains { $0 === document }
    }
    let urls = others.compactMap { $0.path?.url }.prefix(ActivitySnapshot.openDocumentLimit)
    guard !urls.isEmpty else { return }
    activity.withinRound {
      activity.addUserInfoEntries(from: [ContinuoOpenDocumentURLsKey: Array(urls)])
    }
  }

  /// Documents were opened, closed or moved: the list in the offered activity is another one.
  func openDocumentsDidChange() {
    if offersOpenDocuments { Application.current?.listingDidChange() }
  }
}
