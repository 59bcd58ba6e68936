// SPDX-License-Identifier: MIT

import CDesktopGLib

/// MIME types by the rules of shared-mime-info: globs for names, magic for contents.
enum ContentType {
  /// The type of a file with that name that begins so, then those of `candidates` that it is a kind of,
  /// nearest first.
  static func names(
    of name: [UInt8], beginning: ArraySlice<UInt8>, among candidates: [String]
  ) -> [String] {
    let type = guess(name, beginning)
    let wider = candidates.filter { $0.lowercased() != type.lowercased() && isKind(type, of: $0) }
    return [type] + nearestFirst(wider)
  }

  static func guess(_ name: [UInt8], _ beginning: ArraySlice<UInt8>) -> String {
    let found = withText(name) { text in
      beginning.withUnsafeBufferPointer { bytes in
        g_content_type_guess(name.isEmpty ? nil : text, bytes.baseAddress, gsize(bytes.count), nil)
      }
    }
    guard let found else { return "application/octet-stream" }
    defer { g_free(found) }
    return String(cString: found)
  }

  private static func isKind(_ type: String, of other: String) -> Bool {
    g_content_type_is_a(type, other) != 0
  }

  /// A type stands before those that it is a kind of; otherwise the order stays.
  private static func nearestFirst(_ types: [String]) -> [String] {
    var sorted: [String] = []
    for type in types {
      sorted.insert(type, at: sorted.firstIndex { isKind(type, of: $0) } ?? sorted.endIndex)
    }
    return sorted
  }
}
