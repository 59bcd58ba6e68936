// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire

// What apps want of the desktop.
extension AgentCore {
  /// Answers at most once; nobody waits any more when the client has gone.
  func tellContentType(
    _ request: RequestID, name: [UInt8], beginning: [UInt8], to connection: any ClientChannel
  ) {
    let number = connection.number
    let declared = clients.manifest(of: number)?.documentTypes.flatMap(\.mimeTypes) ?? []
    ports.desktop.askType(of: name, beginning: beginning, among: declared) { [clients] result in
      let (types, failure): ([String], ContinuityError?) =
        switch result {
        case .success(let types): (types, nil)
        case .failure(let error): ([], error)
        }
      clients.send(.report(.contentType(request, types, failure)), to: number)
    }
  }

  /// Nobody waits for it: what goes wrong stands in the log.
  func noteUse(of path: [UInt8], program: [UInt8], by connection: any ClientChannel) {
    guard let manifest = clients.manifest(of: connection.number) else { return }
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0) else {
      return ports.log("\(manifest.appID) named a file as recently used that is no absolute path")
    }
    ports.desktop.noteUse(of: path, by: manifest.name, program: program)
  }
}
