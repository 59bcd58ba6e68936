// SPDX-License-Identifier: MIT

import Glibc

/// What names of computers stand for, by getaddrinfo(3): the system's own ways, mDNS among them where it is
/// set up.
public enum HostLookup {
  /// The addresses of a name, or of an address as it is written; each 4 bytes of IPv4 or 16 of IPv6, none
  /// twice. Waits for the network, some seconds at worst. Empty where there is no such name; `why` says then
  /// what the system says.
  public static func addresses(of name: String) -> (found: [[UInt8]], why: String) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &first)
    guard code == 0 else { return ([], String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(first) }
    var found: [[UInt8]] = []
    for entry in sequence(first: first, next: { $0?.pointee.ai_next }) {
      guard let bytes = NetworkInterfaces.bytes(of: entry?.pointee.ai_addr), !found.contains(bytes) else {
        continue
      }
      found.append(bytes)
    }
    return (found, "")
  }
}
