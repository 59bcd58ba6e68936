// SPDX-License-Identifier: MIT

package import ActivityExchange
package import ActivityModel
package import SyncedFolders
package import Trust

/// Hears what the agent decided, at the moment when it did: a world that knows the truth judges it. The
/// daemon needs no more than `reached`. Called on the loop's thread; it must not call the agent.
package protocol AgentObserver: AnyObject {
  /// A hand-off has come to this step.
  func reached(_ step: HandoffStep)
  /// A file at `place` was found to hold this: it is part of the document's history now.
  func noted(_ sighting: VersionSighting, at place: DocumentPlace)
  /// The document at `place` was found to be this version, which `sender` announced, with its lineage.
  func adopted(_ version: DocumentVersion, at place: DocumentPlace, from sender: DeviceID)
  /// What an app published was understood as this; `withFile` when it had saved its document for it.
  func translated(_ snapshot: ActivitySnapshot, withFile: Bool)
  /// How the document of an offer stands, as the exchange is told.
  func stands(_ standing: Standing)
  /// A document is being handed over, or cannot be and is looked at again.
  func delivering(_ request: RequestID)
  /// See `delivering`.
  func postponed(_ request: RequestID)
  /// This device says `state` from now on, in this record; the bytes are sealed.
  func published(_ state: DeviceState, sequence: UInt64, record: [UInt8])
  /// A record of another device is believed for the first time; its mark is durable.
  func accepted(_ record: OpenedRecord, bytes: [UInt8])
  /// A record is taken for the newest one of its device, which was believed before.
  func acceptedAgain(_ record: OpenedRecord, bytes: [UInt8])
  /// Two computers use the identity of that device.
  func saysClone(_ device: DeviceID)
  /// Who belongs to the circle, whenever that has changed and is durable.
  func learned(_ circle: CircleMembership)
}

/// How the document of an offer stands.
package struct Standing: Sendable {
  /// Which offer, and of whom.
  package var offer: OfferID
  /// The document as it was announced.
  package var reference: DocumentReference
  /// What is told of it.
  package var status: ArrivalStatus
  /// Where it was found: its path, or another name.
  package var location: RelativePath
  /// Whether the answer follows from a look at the file in this very turn.
  package var hasJustLooked: Bool
  /// What the file was found to hold last.
  package var read: ContentDigest?
}

/// The steps of a hand-off that the agent takes, as docs/architecture.md numbers them.
package enum HandoffStep: Int, Sendable, CaseIterable {
  /// An app's state is about to be translated.
  case translating = 5
  /// A record is sealed and not yet written.
  case writing = 6
  /// Another device's state was read.
  case received = 8
  /// A person has accepted an offer.
  case accepted = 9
  /// An awaited document is about to be hashed.
  case hashing = 10
  /// A document is about to be handed over.
  case delivering = 11
  /// An app has told how it went.
  case ended = 13
}

extension AgentObserver {
  package func reached(_ step: HandoffStep) {}
  package func noted(_ sighting: VersionSighting, at place: DocumentPlace) {}
  package func adopted(_ version: DocumentVersion, at place: DocumentPlace, from sender: DeviceID) {}
  package func translated(_ snapshot: ActivitySnapshot, withFile: Bool) {}
  package func stands(_ standing: Standing) {}
  package func delivering(_ request: RequestID) {}
  package func postponed(_ request: RequestID) {}
  package func published(_ state: DeviceState, sequence: UInt64, record: [UInt8]) {}
  package func accepted(_ record: OpenedRecord, bytes: [UInt8]) {}
  package func acceptedAgain(_ record: OpenedRecord, bytes: [UInt8]) {}
  package func saysClone(_ device: DeviceID) {}
  package func learned(_ circle: CircleMembership) {}
}
