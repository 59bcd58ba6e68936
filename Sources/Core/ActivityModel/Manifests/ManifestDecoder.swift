// SPDX-License-Identifier: MIT

/// Apple's keys -> `AppManifest`; each wrong value fails by its key and line. Unknown keys are left alone.
struct ManifestDecoder {
  let file: String
  private(set) var warnings: [ManifestWarning] = []
  /// Who claimed an extension first, to warn the next one.
  private var claims: [String: String] = [:]
  private var typeNames: Set<String> = []

  init(file: String) { self.file = file }

  mutating func manifest(_ keys: ManifestKeys) throws(ContinuityError) -> AppManifest {
    guard let appID = try string(keys, "CFBundleIdentifier") else {
      throw fault(keys.line, "CFBundleIdentifier is missing; add the app's reverse-DNS identifier")
    }
    guard ManifestNames.isIdentifier(appID.text) else {
      throw wrong(
        "CFBundleIdentifier", appID.entry, "letters, digits, dots and hyphens, such as org.example.app")
    }
    if !ManifestNames.isReverseDNS(appID.text) {
      warn(
        appID.entry.line, "CFBundleIdentifier",
        "\(appID.text) is not in reverse-DNS form, so another app may have it too; org.example.app is.")
    }
    let lastPart = appID.text.split(separator: ".").last.map(String.init) ?? appID.text
    var manifest = AppManifest(
      appID: appID.text, name: try string(keys, "CFBundleName")?.text ?? lastPart)
    manifest.team = try team(keys)
    manifest.start = try ManifestStart(keys: keys, file: file).start()
    manifest.activityTypes = try activityTypes(keys)
    manifest.documentTypes = try documentTypes(keys)
    manifest.associatedDomains = try associatedDomains(keys)
    if manifest.continuableTypes.isEmpty, manifest.associatedDomains.isEmpty {
      warn(
        keys.line, "NSUserActivityTypes", "No activity type is declared, so nothing can be continued here.")
    }
    warnOfUnknown(keys)
    return manifest
  }

  // MARK: The app's own keys

  private func team(_ keys: ManifestKeys) throws(ContinuityError) -> [UInt8]? {
    guard let team = try string(keys, "ContinuoTeamIdentifier") else { return nil }
    guard let bytes = ManifestNames.team(team.text) else {
      throw wrong("ContinuoTeamIdentifier", team.entry, "64 hexadecimal digits")
    }
    return bytes
  }

  private func associatedDomains(_ keys: ManifestKeys) throws(ContinuityError) -> [String] {
    let domains = try strings(keys, Self.domains)
    for domain in domains where !WebAddress.isDomain(domain.text) {
      throw wrong(
        Self.domains, domain.entry, "names of hosts, such as example.org or *.example.org for all below it")
    }
    return domains.map(\.text)
  }

  private static let domains = "ContinuoAssociatedDomains"

  private mutating func activityTypes(_ keys: ManifestKeys) throws(ContinuityError) -> [String] {
    let key = "NSUserActivityTypes"
    var seen: Set<String> = []
    for type in try strings(keys, key) {
      try check(activityType: type, key)
      if !seen.insert(type.text).inserted {
        warn(type.entry.line, key, "\(ManifestNames.shown(type.text)) is there twice; once is enough.")
      }
    }
    return try strings(keys, key).map(\.text)
  }

  private mutating func check(activityType type: ManifestText, _ key: String) throws(ContinuityError) {
    guard !type.text.isEmpty else { throw wrong(key, type.entry, "an activity type in reverse-DNS form") }
    if !ManifestNames.isReverseDNS(type.text) {
      warn(
        type.entry.line, key,
        "\(ManifestNames.shown(type.text)) is not in reverse-DNS form; org.example.app.reading is.")
    }
  }

  /// A key of ours that is misspelt would be left alone, and nobody would know why nothing happens.
  private mutating func warnOfUnknown(_ keys: ManifestKeys) {
    let known = ManifestStart.keys.union(["NSUserActivityTypes", "ContinuoTeamIdentifier", Self.domains])
    for member in keys.members
    where !known.contains(member.key)
      && ["NSUserActivity", "NSUbiquitousDocument", "Continuo"].contains(where: member.key.hasPrefix)
    {
      let key = ManifestNames.shown(member.key)
      warn(member.line, key, "\(key) is no key that is looked at here; check its spelling and place.")
    }
  }

  // MARK: Document types

  private mutating func documentTypes(
    _ keys: ManifestKeys
  ) throws(ContinuityError) -> [AppManifest.DocumentType] {
    let key = "CFBundleDocumentTypes"
    guard let member = try find(keys, key) else { return [] }
    guard case .array(let elements) = member.entry.value else {
      throw wrong(key, member.entry, "an array of dictionaries")
    }
    var types: [AppManifest.DocumentType] = []
    for (index, element) in elements.enumerated() {
      guard case .dictionary(let members) = element.value else {
        throw wrong("\(key)[\(index)]", element, "a dictionary")
      }
      let keys = ManifestKeys(members: members, line: element.line, path: "\(key)[\(index)].")
      types.append(try documentType(keys))
    }
    return types
  }

  private mutating func documentType(
    _ keys: ManifestKeys
  ) throws(ContinuityError) -> AppManifest.DocumentType {
    let role = try role(keys)
    let extensions = try extensions(keys)
    var type = AppManifest.DocumentType(
      name: try string(keys, "CFBundleTypeName")?.text ?? extensions.first?.text ?? "document", role: role)
    type.extensions = extensions.map(\.text)
    type.mimeTypes = try mimeTypes(keys)
    type.contentTypes = try strings(keys, "LSItemContentTypes").map(\.text)
    type.documentClass = try documentClass(keys)
    type.activityType = try activityType(keys)
    warnAbout(type, extensions, keys)
    return type
  }

  private mutating func role(_ keys: ManifestKeys) throws(ContinuityError) -> AppManifest.Role {
    guard let role = try string(keys, "CFBundleTypeRole") else { return .editor }
    if let known = AppManifest.Role(rawValue: role.text) { return known }
    let path = keys.path + "CFBundleTypeRole"
    guard ["Shell", "QLGenerator"].contains(role.text) else {
      throw wrong(path, role.entry, "Editor, Viewer or None")
    }
    warn(role.entry.line, path, "The role \(role.text) means nothing here and is taken as None.")
    return .none
  }

  private mutating func extensions(_ keys: ManifestKeys) throws(ContinuityError) -> [ManifestText] {
    let key = "CFBundleTypeExtensions"
    let extensions = try strings(keys, key)
    for each in extensions {
      guard !each.text.hasPrefix("."), !each.text.isEmpty, !each.text.contains("/") else {
        throw wrong(keys.path + key, each.entry, "file name extensions without the dot, or *")
      }
      if each.text.contains(".") {
        warn(
          each.entry.line, keys.path + key,
          "\(ManifestNames.shown(each.text)) matches no file: only what follows the last dot is compared."
        )
      }
    }
    return extensions
  }

  private mutating func mimeTypes(_ keys: ManifestKeys) throws(ContinuityError) -> [String] {
    let key = "CFBundleTypeMIMETypes"
    let types = try strings(keys, key)
    for type in types where type.text.split(separator: "/", omittingEmptySubsequences: false).count != 2 {
      throw wrong(keys.path + key, type.entry, "MIME types such as text/plain")
    }
    return types.map(\.text)
  }

  private func documentClass(_ keys: ManifestKeys) throws(ContinuityError) -> String? {
    guard let name = try string(keys, "NSDocumentClass") else { return nil }
    guard ManifestNames.isClass(name.text) else {
      throw wrong(
        keys.path + "NSDocumentClass", name.entry,
        "the name that the class is registered under, such as TextDocument"
      )
    }
    return name.text
  }

  private mutating func activityType(_ keys: ManifestKeys) throws(ContinuityError) -> String? {
    let key = "NSUbiquitousDocumentUserActivityType"
    guard let type = try string(keys, key) else {
      warn(
        keys.line, keys.path + key, "It is missing: documents of this type are offered to no other device.")
      return nil
    }
    try check(activityType: type, keys.path + key)
    return type.text
  }

  private mutating func warnAbout(
    _ type: AppManifest.DocumentType, _ extensions: [ManifestText], _ keys: ManifestKeys
  ) {
    let name = ManifestNames.shown(type.name)
    if extensions.isEmpty, type.mimeTypes.isEmpty {
      warn(
        keys.line, keys.path + "CFBundleTypeExtensions",
        "\(name) has no extension and no MIME type, so no file is of this type.")
    }
    if !typeNames.insert(type.name).inserted {
      warn(
        keys.line, keys.path + "CFBundleTypeName",
        "\(name) is the name of two types; the class of the first one opens the documents of both.")
    }
    for each in extensions {
      if let first = claims.updateValue(type.name, forKey: each.text.lowercased()) {
        claims[each.text.lowercased()] = first
        warn(
          each.entry.line, keys.path + "CFBundleTypeExtensions",
          "\(ManifestNames.shown(each.text)) is claimed twice; its files are of the type "
            + "\(ManifestNames.shown(first)).")
      }
    }
  }

  // MARK: Looking up

  private func find(_ keys: ManifestKeys, _ key: String) throws(ContinuityError) -> PropertyListMember? {
    try keys.member(key, in: file)
  }

  private func string(_ keys: ManifestKeys, _ key: String) throws(ContinuityError) -> ManifestText? {
    try keys.string(key, in: file)
  }

  private func strings(_ keys: ManifestKeys, _ key: String) throws(ContinuityError) -> [ManifestText] {
    try keys.strings(key, in: file)
  }

  private mutating func warn(_ line: Int, _ key: String, _ description: String) {
    warnings.append(ManifestWarning(line: line, key: key, description: description))
  }

  private func wrong(_ path: String, _ entry: PropertyListEntry, _ expected: String) -> ContinuityError {
    ManifestKeys.wrong(path, entry, expected, in: file)
  }

  private func fault(_ line: Int, _ text: String) -> ContinuityError {
    ManifestReader.fault(file, line, text)
  }
}
