// SPDX-License-Identifier: MIT

import ActivityModel

/// Why there is no link to a device, as far as this one can tell from what the other said of itself.
struct LinkDiagnosis {
  /// What a device says whose address has just changed, or that was just started, is younger.
  static let freshness = Duration.seconds(600)

  /// The addresses that this device tells; none where it is on no network that is switched on.
  var own: [[UInt8]]
  /// What the other device says of itself; nil for nothing.
  var reachability: Reachability?
  /// How old that is; nil where it is not known.
  var age: Duration?

  /// Nil where there is a link, or one is being tried.
  func cause(of link: DeviceLink) -> Reason? {
    switch link.state {
    case .linked, .dialling: nil
    case .off: .linkOff(device: link.name)
    case .refused: .linkRefused(device: link.name)
    case .unreachable: cause(ofSilenceOf: link.name)
    }
  }

  private func cause(ofSilenceOf device: String) -> Reason {
    guard !own.isEmpty else { return .noNetwork }
    guard let reachability else { return .linkOff(device: device) }
    let isNear = reachability.addresses.contains { other in own.contains { Self.isNear($0, other) } }
    guard isNear else { return .linkApart(device: device) }
    guard let age, age <= Self.freshness else { return .linkOutdated(device: device) }
    return .linkUnanswered(device: device, port: UInt64(reachability.port))
  }

  /// Whether two addresses may be of one network: prefixes do not travel, so the usual ones count.
  private static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    let prefix = one.count == 4 ? 2 : 6
    return one.prefix(prefix) == other.prefix(prefix)
  }
}
