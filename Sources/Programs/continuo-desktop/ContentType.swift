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
    guard let found else { return unknown }
    defer { g_free(found) }
    return String(cString: found)
  }

  /// The type that the name alone tells; nil for a name that tells none.
  static func guess(_ name: [UInt8]) -> String? {
    let type = guess(name, [])
    return type == unknown ? nil : type
  }

  /// Whether files of that type are executed where they are opened, or start what they name: nothing that
  /// comes from another device is opened like that.
  static func isProgram(_ type: String) -> Bool {
    if g_content_type_can_be_executable(type) != 0, !isKind(type, of: "text/plain") { return true }
    return starting.contains { isKind(type, of: $0) }
  }

  /// What no type of shared-mime-info is a kind of, and is executed all the same, or names a program.
  private static let starting = [
    "application/x-desktop", "application/x-ms-shortcut", "application/x-mswinurl",
    "application/x-java-archive", "application/java-archive", "application/x-java-jnlp-file",
    "application/vnd.microsoft.portable-executable", "application/x-ms-dos-executable",
    "application/x-msdownload", "application/x-msi", "application/vnd.appimage",
    "application/x-iso9660-appimage",
  ]

  private static let unknown = "application/octet-stream"

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
