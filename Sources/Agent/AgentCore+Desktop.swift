// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Glibc

// What apps want of the desktop.
extension AgentCore {
  /// Answers at most once; nobody waits any more when the client has gone.
  func tellContentType(
    _ request: RequestID, name: [UInt8], beginning: [UInt8], to connection: ClientConnection
  ) {
    let number = connection.number
    let declared = clients[number]?.manifest?.documentTypes.flatMap(\.mimeTypes) ?? []
    desktop.askType(of: name, beginning: beginning, among: declared) { [weak self] result in
      let (types, failure): ([String], ContinuityError?) =
        switch result {
        case .success(let types): (types, nil)
        case .failure(let error): ([], error)
        }
      self?.clients[number]?.connection.send(.report(.contentType(request, types, failure)))
    }
  }

  /// Nobody waits for it: what goes wrong stands in the log.
  func noteUse(of path: [UInt8], program: [UInt8], by connection: ClientConnection) {
    guard let manifest = clients[connection.number]?.manifest else { return }
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0) else {
      return AgentLog.note("\(manifest.appID) named a file as recently used that is no absolute path")
    }
    guard let list = recentlyUsedList else { return }
    desktop.noteUse(of: path, by: manifest.name, program: program, in: list) { result in
      if case .failure(let error) = result { AgentLog.note("no recent file was noted: \(error)") }
    }
  }

  /// `$XDG_DATA_HOME/recently-used.xbel`, as the desktop's toolkits have it.
  static var usualRecentlyUsedList: [UInt8]? {
    func absolute(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let folder = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
    return folder.map { Array(($0 + "/recently-used.xbel").utf8) }
  }
}
