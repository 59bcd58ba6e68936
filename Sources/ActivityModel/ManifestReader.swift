// SPDX-License-Identifier: MIT

import FoundationEssentials

/// An app's `Info.plist` as bytes -> `AppManifest`. XML only, at most 256 KiB.
///
/// The form is checked here, before any decoder sees the bytes: a binary property list of 43 bytes ends the
/// process inside Foundation on Linux. Pure: who calls reads the file.
public enum ManifestReader {
  /// The most bytes an `Info.plist` may have.
  public static let sizeLimit = 256 * 1024
  /// The deepest nesting of elements: the decoder recurses, and a small thread's stack ends soon.
  static let depthLimit = 24

  /// The manifest that `bytes` declare. `file` names them in errors.
  ///
  /// Throws `invalidManifest` naming file, key and value.
  public static func manifest(from bytes: [UInt8], file: String) throws(ContinuityError) -> AppManifest {
    try checkForm(bytes, file: file)
    let decoded: PropertyListEntry
    do {
      decoded = try PropertyListDecoder().decode(PropertyListEntry.self, from: Data(bytes))
    } catch {
      throw invalid(file, "is not a well-formed XML property list; check it with plutil -lint")
    }
    guard case .dictionary(let entries) = decoded else {
      throw invalid(file, "must hold a dictionary (<dict>) at its top")
    }
    return try ManifestDecoder(file: file).manifest(entries)
  }

  /// Where an app's manifest is looked for, in order: beside the executable, then in the XDG directories of
  /// apps.
  ///
  /// The first that exists counts, also when it is malformed. `appIDs` are the names the app may be installed
  /// under.
  public static func candidates(
    executable: String?, appIDs: [String], places: AgentPlaces?
  ) -> [String] {
    let beside = executable.map { [$0 + ".Info.plist"] } ?? []
    let installed = appIDs.flatMap { appID in
      (places?.manifestDirectories ?? []).map { $0 + "/" + appID + "/Info.plist" }
    }
    return beside + installed
  }

  private static func checkForm(_ bytes: [UInt8], file: String) throws(ContinuityError) {
    guard bytes.count <= sizeLimit else {
      throw invalid(file, "has \(bytes.count) bytes; an Info.plist may have at most \(sizeLimit)")
    }
    guard !bytes.starts(with: "bplist".utf8) else {
      throw invalid(file, "is a binary property list; convert it with plutil -convert xml1")
    }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let start = content.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    guard ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { start.starts(with: $0.utf8) }) else {
      throw invalid(file, "is not an XML property list; it must begin with <?xml or <plist")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw invalid(file, "is not valid UTF-8; save it as UTF-8")
    }
    guard XMLNesting.depth(of: content) <= depthLimit else {
      throw invalid(file, "is nested deeper than \(depthLimit) levels; no key of a manifest needs that")
    }
  }

  static func invalid(_ file: String, _ fault: String) -> ContinuityError {
    ContinuityError(.invalidManifest, subject: file, "\(file) \(fault).")
  }
}

/// How deep the elements of an XML text nest, found without recursion and without believing that it is
/// well-formed.
enum XMLNesting {
  static func depth(of text: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var deepest = 0
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let (_, end) = passages.first(where: { rest.starts(with: $0.begin.utf8) }) {
        rest = after(Array(end.utf8), in: rest)
        continue
      }
      let tag = rest.prefix { $0 != UInt8(ascii: ">") }
      rest = rest[tag.endIndex...]
      if tag.dropFirst().first == UInt8(ascii: "/") {
        depth -= 1
      } else if tag.last != UInt8(ascii: "/") {
        depth += 1
        deepest = max(deepest, depth)
      }
    }
    return deepest
  }

  /// What is text, however much it looks like tags.
  private static let passages = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
    .map { (begin: $0.0, end: $0.1) }

  private static func after(_ end: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let index = rest.firstIndex(of: end[0]) {
      rest = rest[index...]
      if rest.starts(with: end) { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return []
  }
}

/// What an XML property list may hold, as far as manifests use it.
enum PropertyListEntry: Decodable {
  case string(String)
  case array([PropertyListEntry])
  case dictionary([String: PropertyListEntry])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([PropertyListEntry].self) {
      self = .array(value)
    } else if let value = try? container.decode([String: PropertyListEntry].self) {
      self = .dictionary(value)
    } else {
      self = .other
    }
  }

  /// How errors show the value.
  var shown: String {
    switch self {
    case .string(let text): "\"\(text.prefix(60))\""
    case .array(let entries): "an array of \(entries.count)"
    case .dictionary: "a dictionary"
    case .other: "a number, date, data or Boolean"
    }
  }
}

/// Apple's keys -> `AppManifest`; each wrong value fails by its key. Unknown keys are left alone.
struct ManifestDecoder {
  let file: String

  func manifest(_ entries: [String: PropertyListEntry]) throws(ContinuityError) -> AppManifest {
    guard let appID = try string(entries, "CFBundleIdentifier") else {
      throw ManifestReader.invalid(file, "has no CFBundleIdentifier; add the app's reverse-DNS identifier")
    }
    guard Self.isIdentifier(appID) else {
      throw wrong(
        "CFBundleIdentifier", .string(appID), "letters, digits, dots and hyphens, such as org.example.app")
    }
    let lastPart = appID.split(separator: ".").last.map(String.init) ?? appID
    var manifest = AppManifest(appID: appID, name: try string(entries, "CFBundleName") ?? lastPart)
    manifest.activityTypes = try types(entries, "NSUserActivityTypes")
    manifest.documentTypes = try documentTypes(entries)
    return manifest
  }

  private func documentTypes(
    _ entries: [String: PropertyListEntry]
  ) throws(ContinuityError) -> [AppManifest.DocumentType] {
    let key = "CFBundleDocumentTypes"
    guard let value = entries[key] else { return [] }
    guard case .array(let elements) = value else { throw wrong(key, value, "an array of dictionaries") }
    var types: [AppManifest.DocumentType] = []
    for (index, element) in elements.enumerated() {
      guard case .dictionary(let entry) = element else {
        throw wrong("\(key)[\(index)]", element, "a dictionary")
      }
      types.append(try documentType(entry, at: "\(key)[\(index)]."))
    }
    return types
  }

  private func documentType(
    _ entry: [String: PropertyListEntry], at prefix: String
  ) throws(ContinuityError) -> AppManifest.DocumentType {
    let role = try string(entry, "CFBundleTypeRole", at: prefix)
    guard let known = AppManifest.Role(rawValue: role ?? AppManifest.Role.editor.rawValue) else {
      throw wrong(prefix + "CFBundleTypeRole", .string(role ?? ""), "Editor, Viewer or None")
    }
    let extensions = try strings(entry, "CFBundleTypeExtensions", at: prefix)
    if let dotted = extensions.first(where: { $0.hasPrefix(".") || $0.isEmpty || $0.contains("/") }) {
      throw wrong(
        prefix + "CFBundleTypeExtensions", .string(dotted), "file name extensions without the dot, or *")
    }
    var type = AppManifest.DocumentType(
      name: try string(entry, "CFBundleTypeName", at: prefix) ?? extensions.first ?? "document", role: known)
    type.extensions = extensions
    type.mimeTypes = try strings(entry, "CFBundleTypeMIMETypes", at: prefix)
    type.contentTypes = try strings(entry, "LSItemContentTypes", at: prefix)
    type.documentClass = try string(entry, "NSDocumentClass", at: prefix)
    type.activityType = try string(entry, "NSUbiquitousDocumentUserActivityType", at: prefix)
    if type.activityType?.isEmpty == true {
      throw wrong(prefix + "NSUbiquitousDocumentUserActivityType", .string(""), "an activity type")
    }
    return type
  }

  private func types(_ entries: [String: PropertyListEntry], _ key: String) throws(ContinuityError)
    -> [String]
  {
    let list = try strings(entries, key)
    if list.contains("") { throw wrong(key, .string(""), "activity types in reverse-DNS form") }
    return list
  }

  private func string(
    _ entries: [String: PropertyListEntry], _ key: String, at prefix: String = ""
  ) throws(ContinuityError) -> String? {
    guard let value = entries[key] else { return nil }
    guard case .string(let text) = value else { throw wrong(prefix + key, value, "a string") }
    return text
  }

  private func strings(
    _ entries: [String: PropertyListEntry], _ key: String, at prefix: String = ""
  ) throws(ContinuityError) -> [String] {
    guard let value = entries[key] else { return [] }
    guard case .array(let elements) = value else { throw wrong(prefix + key, value, "an array of strings") }
    var list: [String] = []
    for element in elements {
      guard case .string(let text) = element else {
        throw wrong(prefix + key, element, "an array of strings")
      }
      list.append(text)
    }
    return list
  }

  private func wrong(_ key: String, _ value: PropertyListEntry, _ expected: String) -> ContinuityError {
    ManifestReader.invalid(file, "has \(value.shown) under \(key), where \(expected) is expected")
  }

  /// The ID becomes a folder's name, so it can neither climb nor hide.
  private static func isIdentifier(_ text: String) -> Bool {
    let allowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return allowed && (1...255).contains(text.utf8.count) && !text.hasPrefix(".")
  }
}
