// SPDX-License-Identifier: MIT

import ActivityModel
import AgentClient
import LinuxSystem

/// A document that the other device sends over its link, before the folder brings it.
enum FetchedDocument {
  /// The bytes of exactly that version; nil where there is no such link, or something else came. Waits no
  /// longer than `timeout` seconds, by a connection of its own.
  static func bytes(of version: DocumentVersion, _ offer: Offer, _ timeout: Int?) -> [UInt8]? {
    guard let session = try? AgentSession() else { return nil }
    var file: Descriptor?
    session.client.didReceiveFile = { file = Descriptor(owning: $1) }
    let limit = timeout.map { Duration.seconds($0) }
    guard case .fetched? = try? session.ask(.fetch(offer.id), limit: limit), let file else { return nil }
    try? file.rewind()
    return ForkedCopy.bytes(of: version, in: file)
  }
}
