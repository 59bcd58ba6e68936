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

  /// The host of an address of the web, in lower case; nil where a browser might read another one out of it.
  public static func host(of address: String) -> String? {
    guard isHandedOver(address), !address.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    let rest = address.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    // A name and password of the person stand before the last `@`, the port behind the first `:`.
    let name =
      authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
    let host = name.prefix { $0 != UInt8(ascii: ":") }
    guard !host.isEmpty, host.allSatisfy(isOfHost) else { return nil }
    return String(decoding: host, as: UTF8.self).lowercased()
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Whether the text is a name of a host, or `*.` before one, which stands for all below it.
  public static func isDomain(_ text: String) -> Bool {
    let name = text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
    return name.contains(".") && !name.hasPrefix(".") && !name.hasSuffix(".")
      && name.utf8.allSatisfy(isOfHost)
  }

  /// Whether the host of an address is that domain, or one below it for `*.example.org`.
  public static func isHost(of address: String, in domain: String) -> Bool {
    guard let host = host(of: address) else { return false }
    let domain = domain.lowercased()
    return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : host == domain
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
