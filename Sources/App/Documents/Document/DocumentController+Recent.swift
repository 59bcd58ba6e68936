// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Foundation
import LinuxSystem
import UserActivities

// Recent files, as the controller's methods keep them.
extension DocumentController {
  private var recents: RecentDocuments { Application.current?.recents ?? unkeptRecents }

  var recentURLs: [URL] {
    recents.urls.prefix(max(0, maximumRecentDocumentCount)).compactMap { URL(string: $0) }
  }

  /// The agent tells the desktop, where this process has a list that is kept.
  func noteRecent(_ path: FilePath) {
    guard maximumRecentDocumentCount > 0 else { return }
    let now = Application.current?.session.wallTime.milliseconds ?? 0
    recents.record(.used(url: FileURL.text(of: path.bytes), at: now))
    guard recents.isKept, let session = Application.current?.session else { return }
    session.handle(.usedFile(path: path.bytes, program: Application.ownProgram))
  }

  /// A file that lies elsewhere now keeps its place in the list; one that was saved under another name is
  /// another one.
  func noteMove(of document: Document, from former: FilePath?) {
    if let former, let path = document.path, DocumentFile.stamp(former) == nil {
      recents.record(.moved(from: FileURL.text(of: former.bytes), to: FileURL.text(of: path.bytes)))
    }
    noteNewRecentDocument(document)
  }

  func clearRecents() { recents.record(.cleared) }
}
