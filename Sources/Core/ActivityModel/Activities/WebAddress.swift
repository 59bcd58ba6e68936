// SPDX-License-Identifier: MIT

/// Which addresses beside the user info an app may be handed, for what comes from another device may be of
/// somebody else's choosing (threat T54, semantics 12).
public enum WebAddress {
  /// Whether the text is an address of the web: `http` or `https`, then `//`, and no space or control
  /// character. Whatever opens another scheme may start a program with it, or open a file of this device.
  public static func isHandedOver(_ text: String) -> Bool {
    let bytes = text.utf8
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }.map { $0 | 0x20 }
    guard ["http", "https"].contains(where: { scheme.elementsEqual($0.utf8) }) else { return false }
    let rest = bytes.dropFirst(scheme.count + 1)
    return rest.starts(with: "//".utf8) && rest.count > 2 && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }

  /// Whether the address is one of `https`: nobody on the way reads or changes what comes from there.
  public static func isEncrypted(_ address: String) -> Bool {
    address.utf8.prefix { $0 != UInt8(ascii: ":") }.map { $0 | 0x20 }.elementsEqual("https".utf8)
  }
}

extension ActivitySnapshot {
  /// What every host may get: without a `webpageURL` or `referrerURL` that is no address of the web.
  public var withWebAddressesOnly: ActivitySnapshot {
    var handed = self
    if Self.isLeftOut(webpageURL) { handed.webpageURL = nil }
    if Self.isLeftOut(referrerURL) { handed.referrerURL = nil }
    return handed
  }

  private static func isLeftOut(_ address: String?) -> Bool {
    address.map { !WebAddress.isHandedOver($0) } ?? false
  }

  /// What `withWebAddressesOnly` leaves out; nil when it leaves out nothing.
  public var leftOutAddresses: Reason? {
    let page = Self.isLeftOut(webpageURL) ? "webpageURL" : nil
    let referrer = Self.isLeftOut(referrerURL) ? "referrerURL" : nil
    if let page { return .addressesLeftOut(page, and: referrer) }
    return referrer.map { .addressesLeftOut($0, and: nil) }
  }
}
