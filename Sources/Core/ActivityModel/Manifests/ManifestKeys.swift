// SPDX-License-Identifier: MIT

/// The keys of one dictionary, where it begins, and the path that leads to it.
struct ManifestKeys {
  var members: [PropertyListMember]
  var line: Int
  var path = ""

  /// What the key holds; nil where it is missing. Throws for a key that is there twice.
  func member(_ key: String, in file: String) throws(ContinuityError) -> PropertyListMember? {
    let found = members.filter { $0.key == key }
    if found.count > 1 {
      throw ManifestReader.fault(
        file, found[1].line, "\(path)\(key) is there twice, first in line \(found[0].line); remove one")
    }
    return found.first
  }

  /// The string that the key holds. Throws for what is no string.
  func string(_ key: String, in file: String) throws(ContinuityError) -> ManifestText? {
    guard let member = try member(key, in: file) else { return nil }
    guard case .string(let text) = member.entry.value else {
      throw Self.wrong(path + key, member.entry, "a string", in: file)
    }
    return ManifestText(text: text, entry: member.entry)
  }

  /// The strings that the key holds; none where it is missing. Throws for what is no array of strings.
  func strings(_ key: String, in file: String) throws(ContinuityError) -> [ManifestText] {
    guard let member = try member(key, in: file) else { return [] }
    guard case .array(let elements) = member.entry.value else {
      throw Self.wrong(path + key, member.entry, "an array of strings", in: file)
    }
    var list: [ManifestText] = []
    for element in elements {
      guard case .string(let text) = element.value else {
        throw Self.wrong(path + key, element, "an array of strings", in: file)
      }
      list.append(ManifestText(text: text, entry: element))
    }
    return list
  }

  /// The Boolean that the key holds; false where it is missing. Throws for what is none.
  func boolean(_ key: String, in file: String) throws(ContinuityError) -> Bool {
    guard let member = try member(key, in: file) else { return false }
    switch member.entry.value {
    case .other("true"): return true
    case .other("false"): return false
    default: throw Self.wrong(path + key, member.entry, "<true/> or <false/>", in: file)
    }
  }

  static func wrong(
    _ path: String, _ entry: PropertyListEntry, _ expected: String, in file: String
  ) -> ContinuityError {
    var hint = ""
    if case .string(let text) = entry.value,
      zip(text.utf8, text.utf8.dropFirst()).contains(where: {
        $0 == UInt8(ascii: "$") && ($1 == UInt8(ascii: "(") || $1 == UInt8(ascii: "{"))
      })
    {
      hint = " (what stands for the build variable is to be written out)"
    }
    return ManifestReader.fault(
      file, entry.line, "\(path) is \(ManifestNames.shown(entry)); write \(expected)\(hint)")
  }
}

/// A string of the manifest, with its place.
struct ManifestText {
  var text: String
  var entry: PropertyListEntry
}
