// SPDX-License-Identifier: MIT

/// Addresses and names of computers as people read and type them. Pure.
public enum HostText {
  /// The longest name that the domain name system has, in bytes.
  public static let nameLimit = 253

  /// 4 bytes of IPv4 or 16 of IPv6 as text, the latter as RFC 5952 has it.
  public static func shown(_ address: [UInt8]) -> String {
    guard address.count == 16 else { return address.map { "\($0)" }.joined(separator: ".") }
    let words = stride(from: 0, to: 16, by: 2).map { Int(address[$0]) << 8 | Int(address[$0 + 1]) }
    let texts = words.map { String($0, radix: 16) }
    // The longest run of zeros, and of equal ones the first; one alone is written out.
    var (longest, start) = (0..<0, 0)
    for end in 1...8 where end == 8 || words[end] != 0 || words[end - 1] != 0 {
      if words[start] == 0, end - start > longest.count { longest = start..<end }
      start = end
    }
    guard longest.count > 1 else { return texts.joined(separator: ":") }
    let (before, behind) = (texts[..<longest.lowerBound], texts[longest.upperBound...])
    return before.joined(separator: ":") + "::" + behind.joined(separator: ":")
  }

  /// Name or address, and port, of HOST[:PORT]; an address of IPv6 stands in brackets where a port follows.
  ///
  /// Throws `invalidRequest` for what is none, with what to type.
  public static func parts(of typed: String) throws(ContinuityError) -> (name: String, port: UInt16?) {
    func refused() -> ContinuityError {
      ContinuityError(
        .invalidRequest, subject: DisplayText.shown(typed),
        description: "\(DisplayText.shown(typed, byteLimit: 80)) is no computer: type a name or an address, "
          + "and a port from \(Reachability.lowestPort) behind a colon where it has another one, as in "
          + "desktop.local, 192.168.1.20:47000 or [fd00::20]:47000.")
    }
    let (name, digits): (Substring, Substring?)
    if typed.first == "[" {
      guard let end = typed.firstIndex(of: "]") else { throw refused() }
      let rest = typed[typed.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { throw refused() }
      (name, digits) = (
        typed[typed.index(after: typed.startIndex)..<end], rest.isEmpty ? nil : rest.dropFirst()
      )
    } else if let colon = typed.firstIndex(of: ":"), typed.lastIndex(of: ":") == colon {
      (name, digits) = (typed[..<colon], typed[typed.index(after: colon)...])
    } else {
      // Without brackets several colons are an address of IPv6.
      (name, digits) = (typed[...], nil)
    }
    guard isName(name) else { throw refused() }
    guard let digits else { return (String(name), nil) }
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = UInt16(digits),
      port >= Reachability.lowestPort
    else { throw refused() }
    return (String(name), port)
  }

  /// Letters of any language, digits, and what stands in names and addresses.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= nameLimit && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || ".-_:%".unicodeScalars.contains($0)
      }
  }
}
