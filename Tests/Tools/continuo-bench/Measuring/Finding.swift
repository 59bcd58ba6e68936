// SPDX-License-Identifier: MIT

/// What a row came to.
struct Finding: Hashable, Sendable {
  var name: String
  var unit: String
  var peerName: String
  var ours: Summary
  /// Nil when the peer could not be measured; its name says why.
  var peer: Summary?
  var target: Target?

  /// Our median to the peer's; nil where there is none, or it is zero.
  var ratio: Double? { peer.flatMap { $0.median == 0 ? nil : ours.median / $0.median } }
  /// Nil without a target.
  var isMet: Bool? { target?.isMet(ours: ours.median, ratio: ratio) }
}

/// As one object of the list that `--json` writes. Each key is always there; what there is not is null.
extension Finding: Encodable {
  private enum Key: String, CodingKey {
    case name, unit, ours, peer, peerName, ratio, target, targetOf, met, oursRange, peerRange, rounds
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(unit, forKey: .unit)
    try object.encode(ours.median, forKey: .ours)
    try object.encode(peer?.median, forKey: .peer)
    try object.encode(peerName, forKey: .peerName)
    try object.encode(ratio, forKey: .ratio)
    try object.encode(target?.limit, forKey: .target)
    try object.encode(target?.bounded, forKey: .targetOf)
    try object.encode(isMet, forKey: .met)
    try object.encode([ours.smallest, ours.largest], forKey: .oursRange)
    try object.encode(peer.map { [$0.smallest, $0.largest] }, forKey: .peerRange)
    try object.encode(ours.count, forKey: .rounds)
  }
}

extension Target {
  /// The key of the figure that the target bounds.
  fileprivate var bounded: String {
    switch self {
    case .ratio: "ratio"
    case .ours, .oursAtLeast: "ours"
    }
  }
}
