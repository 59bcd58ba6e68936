// SPDX-License-Identifier: MIT

import ActivityModel

extension UserInfo {
  /// Every `file:` URL in values, at any depth, each once, in a stable order.
  var fileURLs: [String] {
    var urls: Set<String> = []
    for value in values { value.collectFileURLs(into: &urls) }
    return urls.sorted()
  }

  /// With each file URL that has an index replaced by it.
  func translated(_ indices: [String: Int]) -> UserInfo { mapValues { $0.translated(indices) } }

  /// Without the file URLs that lead nowhere on another device, apart from `main`, which tells why the
  /// activity is not offered; and how many those were.
  func withoutFileURLs(except main: String?) -> (info: UserInfo, count: Int) {
    var count = 0
    var rest: UserInfo = [:]
    for (key, value) in self {
      guard let key = key.withoutFileURLs(except: main, &count),
        let value = value.withoutFileURLs(except: main, &count)
      else { continue }
      rest[key] = value
    }
    return (rest, count)
  }

  /// With each index replaced by the URL there; entries without one, and foreign file URLs, are left out.
  /// Keys are looked at too: nothing that an app reads as a local URL may be of the sender's choosing.
  func localised(_ urls: [String?]) -> UserInfo {
    var local: UserInfo = [:]
    for (key, value) in self {
      guard let key = key.localised(urls), let value = value.localised(urls) else { continue }
      local[key] = value
    }
    return local
  }
}

extension UserInfoValue {
  fileprivate func collectFileURLs(into urls: inout Set<String>) {
    switch self {
    case .url(let url): if FileURL.path(of: url) != nil { urls.insert(url) }
    case .array(let elements): for element in elements { element.collectFileURLs(into: &urls) }
    case .set(let elements): for element in elements { element.collectFileURLs(into: &urls) }
    case .map(let entries): for entry in entries.values { entry.collectFileURLs(into: &urls) }
    default: break
    }
  }

  fileprivate func translated(_ indices: [String: Int]) -> UserInfoValue {
    switch self {
    case .url(let url): indices[url].map(UserInfoValue.document) ?? self
    case .array(let elements): .array(elements.map { $0.translated(indices) })
    case .set(let elements): .set(Set(elements.map { $0.translated(indices) }))
    case .map(let entries): .map(entries.translated(indices))
    default: self
    }
  }

  fileprivate func withoutFileURLs(except main: String?, _ count: inout Int) -> UserInfoValue? {
    switch self {
    case .url(let url):
      guard url != main, url.lowercased().hasPrefix("file:") else { return self }
      count += 1
      return nil
    case .array(let elements): return .array(elements.compactMap { $0.withoutFileURLs(except: main, &count) })
    case .set(let elements):
      return .set(Set(elements.compactMap { $0.withoutFileURLs(except: main, &count) }))
    case .map(let entries):
      let (rest, found) = entries.withoutFileURLs(except: main)
      count += found
      return .map(rest)
    default: return self
    }
  }

  fileprivate func localised(_ urls: [String?]) -> UserInfoValue? {
    switch self {
    case .url(let url): url.lowercased().hasPrefix("file:") ? nil : self
    case .document(let index): urls.indices.contains(index) ? urls[index].map(UserInfoValue.url) : nil
    case .array(let elements): .array(elements.compactMap { $0.localised(urls) })
    case .set(let elements): .set(Set(elements.compactMap { $0.localised(urls) }))
    case .map(let entries): .map(entries.localised(urls))
    default: self
    }
  }
}

extension ActivitySnapshot {
  /// With the document under the path where it was found here.
  func relocated(to path: RelativePath?) -> ActivitySnapshot {
    guard let path, let reference = document, reference.path != path else { return self }
    var moved = reference
    moved.path = path
    var relocated = self
    relocated.document = moved
    relocated.translatedDocuments = translatedDocuments.map { $0 == reference ? moved : $0 }
    return relocated
  }

  /// With references in place of the URLs they were found for; `main` is the document of the activity. Other
  /// file URLs are left out, and told in words.
  func translated(
    _ references: [String: DocumentReference], main: String?
  ) -> (snapshot: ActivitySnapshot, remarks: [Reason]) {
    let urls = references.keys.sorted()
    var translated = self
    translated.translatedDocuments = urls.compactMap { url in
      url == main ? references[url] : references[url]?.withShortLineage
    }
    translated.userInfo = userInfo.translated(
      Dictionary(uniqueKeysWithValues: urls.enumerated().map { ($0.element, $0.offset) }))
    translated.document = main.flatMap { references[$0] }
    let (info, missing) = translated.userInfo.withoutFileURLs(except: main)
    translated.userInfo = info
    translated.contentAttributes = contentAttributes?.withoutFileURLs(except: nil).info
    return (translated, missing > 0 ? [.filesLeftOut(UInt64(missing))] : [])
  }
}

extension DocumentReference {
  /// With as many ancestors as a record holds of each of 32 documents.
  fileprivate var withShortLineage: DocumentReference {
    var short = self
    short.version.lineage = Array(version.lineage.prefix(32))
    return short
  }
}
