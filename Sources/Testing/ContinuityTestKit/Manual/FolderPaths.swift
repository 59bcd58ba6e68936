// SPDX-License-Identifier: MIT

import ActivityModel

/// Paths and file URLs below one place of a folder, as those below another.
struct FolderPaths {
  var from: [UInt8]
  var to: [UInt8]
  /// Whether file URLs from elsewhere stay; in what another device sent they do not (semantics 33).
  var keepsForeign: Bool

  func request(_ request: AgentRequest) -> AgentRequest {
    request.translated(path: path, snapshot: snapshot)
  }

  func report(_ report: AgentReport) -> AgentReport { report.translated(path: path, snapshot: snapshot) }

  private func snapshot(_ snapshot: ActivitySnapshot) -> ActivitySnapshot {
    var translated = snapshot
    translated.userInfo = info(snapshot.userInfo)
    return translated
  }

  private func info(_ info: UserInfo) -> UserInfo {
    var translated: UserInfo = [:]
    for (key, value) in info { translated[key] = self.value(value) }
    return translated
  }

  /// Nil for what is left out.
  private func value(_ value: UserInfoValue) -> UserInfoValue? {
    switch value {
    case .url(let url):
      guard let path = FileURL.path(of: url) else { return value }
      if isBelow(path) { return .url(FileURL.text(of: self.path(path))) }
      return keepsForeign ? value : nil
    case .array(let elements): return .array(elements.compactMap(self.value))
    case .set(let elements): return .set(Set(elements.compactMap(self.value)))
    case .map(let entries): return .map(info(entries))
    default: return value
    }
  }

  private func isBelow(_ path: [UInt8]) -> Bool {
    path.starts(with: from) && (path.count == from.count || path[from.count] == UInt8(ascii: "/"))
  }

  private func path(_ path: [UInt8]) -> [UInt8] {
    isBelow(path) ? to + path.dropFirst(from.count) : path
  }
}
