// SPDX-License-Identifier: MIT

import ActivityExchange
import SyncedFolders

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

  var place: DocumentPlace
  var clients: [UInt64: Reader] = [:]
  /// Those that have it open, in the order in which they connected.
  var readers: [(key: UInt64, value: Reader)] {
    clients.count < 2 ? Array(clients) : clients.sorted { $0.key < $1.key }
  }
  var machine: OpenDocumentMachine
  var timer: TimerNumber?
  /// The hashing or the search under way.
  var hashing: HashTicket?
  var listing: HashTicket?
  /// What the machine is still to hear.
  let events = EventLine<OpenDocumentMachine.Event>()

  /// What a hint at that path means to the machine. By reference: a machine that an object holds would be
  /// copied for each question.
  func events(forHintAt path: [[UInt8]]) -> [OpenDocumentMachine.Event] {
    func ask(_ machine: inout OpenDocumentMachine) -> [OpenDocumentMachine.Event] {
      machine.events(forHintAt: path)
    }
    return ask(&machine)
  }

  init(_ place: DocumentPlace) {
    self.place = place
    machine = OpenDocumentMachine(path: place.path)
  }
}
