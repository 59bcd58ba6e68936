// SPDX-License-Identifier: MIT

/// `file:` URLs as text ⇄ absolute paths as bytes, without losing a name that is not UTF-8.
public enum FileURL {
  /// The path of a `file:` URL of this host; nil for another scheme, another host, or a relative path.
  public static func path(of url: some StringProtocol) -> [UInt8]? {
    let bytes = Array(url.utf8)
    let scheme = "file:".utf8
    guard bytes.starts(with: scheme) else { return nil }
    var rest = bytes.dropFirst(scheme.count)
    let slash = UInt8(ascii: "/")
    if rest.starts(with: [slash, slash]) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != slash }
      guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == slash else { return nil }
    return decoded(rest)
  }

  /// The `file://` URL of an absolute path.
  public static func text(of path: [UInt8]) -> String {
    var url = Array("file://".utf8)
    for byte in path {
      if isPlain(byte) { url.append(byte) } else { url += "%\([byte].hexadecimal.uppercased())".utf8 }
    }
    return String(decoding: url, as: UTF8.self)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard rest.count >= 2,
        let escaped = [UInt8](hexadecimal: String(decoding: rest.prefix(2), as: UTF8.self)), escaped[0] != 0
      else { return nil }
      path.append(escaped[0])
      rest = rest.dropFirst(2)
    }
    return path.contains(0) ? nil : path
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~!$&'()*+,=:@".utf8.contains(byte)
    }
  }
}

extension ActivitySnapshot {
  /// The absolute path of the activity's document; nil where it has none, or one that is no file here.
  public var documentPath: [UInt8]? {
    guard case .url(let url) = userInfo[.text(NSUserActivityDocumentURLKey)] else { return nil }
    return FileURL.path(of: url)
  }
}
