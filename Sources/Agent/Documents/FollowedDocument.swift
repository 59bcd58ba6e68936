// SPDX-License-Identifier: MIT

import SyncedFolders
import VersionHistory

/// One document, for all apps that have it open. Loop thread only.
final class FollowedDocument {
  /// An app that has it open.
  struct Reader {
    /// The path as the app gave it.
    let given: [UInt8]
    /// What the app is told: the path as given, until it was told another one.
    var path: [UInt8]
    var shown = ShownVersion()
    /// The conflict copies that it was told of.
    var copies: [[UInt8]] = []
    /// The version at the moment of opening.
    let opening = VersionQuery()
  }

  var place: DocumentHistories.Place
  var clients: [UInt64: Reader] = [:]
  var machine: OpenDocumentMachine
  var timer: EventLoop.TimerNumber?
  /// The hashing or the search under way.
  var hashing: HashTicket?
  var listing: HashTicket?
  /// What the machine is still to hear.
  var events: [OpenDocumentMachine.Event] = []
  var isFeeding = false

  init(_ place: DocumentHistories.Place) {
    self.place = place
    machine = OpenDocumentMachine(path: place.path)
  }
}
