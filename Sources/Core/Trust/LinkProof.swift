// SPDX-License-Identifier: MIT

public import ActivityModel
import ActivityWire

extension EpochKey {
  /// The key of links to `receiver` in one of its periods: 32 bytes, which every member can make.
  public func linkKey(to receiver: DeviceID, period: UInt64) -> [UInt8] {
    derived(salt: Self.linkContext(of: receiver, period: period), info: "lan/v1")
  }

  /// What an identity of a link is made of, beside its nonce.
  public static func linkContext(of receiver: DeviceID, period: UInt64) -> [UInt8] {
    receiver.bytes + period.bigEndianBytes
  }
}

/// What a device says on a link to prove who it is: its ID, and a signature that holds for this link alone.
///
/// Every member can make the key of a link, so the key alone lets one pose as another.
public enum LinkProof {
  /// Which end of the link a device is.
  public enum Role: UInt8, Sendable, CaseIterable {
    /// It asked for the connection.
    case dialler = 0
    /// It was asked.
    case receiver = 1

    /// The role at the other end.
    public var other: Role { self == .dialler ? .receiver : .dialler }
  }

  /// The bytes of every proof: ID and signature.
  public static let size = 16 + 64
  /// The bytes of what TLS exports.
  public static let exporterSize = 32

  /// What is signed: no record, roster or invitation begins like that, and every part has its length.
  static func signed(
    _ role: Role, own: DeviceID, peer: DeviceID, under epoch: EpochKey, exporter: [UInt8]
  ) -> [UInt8] {
    // Two keys may have one number, but each has a tag of its own.
    Array("continuo/lan/v1\0".utf8) + [role.rawValue] + own.bytes + peer.bytes + epoch.circleTag + exporter
  }
}

extension Identity {
  /// The proof of this device for `peer`, at one end of a link that is secured with `epoch`.
  ///
  /// Throws `invalidRequest` for a stranger, for this device itself, where this one does not belong, and for
  /// an exporter of another size.
  public func linkProof(
    for peer: DeviceID, as role: LinkProof.Role, under epoch: EpochKey, exporter: [UInt8]
  ) throws(ContinuityError) -> [UInt8] {
    guard isConfirmed, peer != id, circle.roster[peer] != nil, exporter.count == LinkProof.exporterSize else {
      throw ContinuityError(
        .invalidRequest, subject: "peer", description: "Nothing is proved to who is not in the circle.")
    }
    let message = LinkProof.signed(role, own: id, peer: peer, under: epoch, exporter: exporter)
    return id.bytes + (try keys.signature(for: message))
  }

  /// Who is at the other end, in that `role`, by its proof; `expected` is whom this device dialled.
  ///
  /// Throws `invalidBytes`. The subject tells what refused it: `length`, `circle` (this device does not
  /// belong), `self`, `signer` (a stranger, or one that was removed), `peer` (another than was dialled),
  /// `signature`.
  public func peer(
    provedBy proof: [UInt8], as role: LinkProof.Role, expected: DeviceID?, under epoch: EpochKey,
    exporter: [UInt8]
  ) throws(ContinuityError) -> DeviceID {
    func refused(_ step: String, _ sentence: String) -> ContinuityError {
      ContinuityError(.invalidBytes, subject: step, description: sentence)
    }
    guard proof.count == LinkProof.size, exporter.count == LinkProof.exporterSize,
      let peer = DeviceID(bytes: proof.prefix(16))
    else { throw refused("length", "The proof of the other device has another length.") }
    guard isConfirmed else { throw refused("circle", "This device belongs to no circle.") }
    guard peer != id else { throw refused("self", "The other device says that it is this one.") }
    guard let member = circle.roster[peer] else {
      throw refused("signer", "The other device does not belong to the circle.")
    }
    guard expected.map({ $0 == peer }) ?? true else {
      throw refused("peer", "Another device answers than was dialled.")
    }
    let message = LinkProof.signed(role, own: peer, peer: id, under: epoch, exporter: exporter)
    guard member.keys.isValid(Array(proof.suffix(64)), for: message) else {
      throw refused("signature", "The proof is not by the device that it names, or of another link.")
    }
    return peer
  }
}
