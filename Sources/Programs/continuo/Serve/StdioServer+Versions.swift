// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Embedding

// Versions in conflict.
extension StdioServer {
  /// What `document/versions` answers.
  func versions(_ document: DocumentHandle, _ session: EmbeddedSession) throws(RPCError) -> JSONValue {
    let versions = try told { () throws(ContinuityError) in try session.listVersions(of: document) }
    return [
      "versions": .array(
        versions.map { version in
          [
            "uri": .text(FileURI(path: version.path).text), "document": .bool(version.isDocument),
            "device": version.device.map { .text($0) }, "putAside": version.putAside.map { .text($0) },
            "changedAt": .int(Int64(clamping: version.changedAt.milliseconds)),
            "size": .int(Int64(clamping: version.size)), "readable": .bool(version.isReadable),
          ]
        })
    ]
  }

  /// What `document/resolve` answers.
  func keep(
    _ kept: FileURI, of document: DocumentHandle, _ session: EmbeddedSession
  ) throws(RPCError) -> JSONValue {
    let aside = try told { () throws(ContinuityError) in
      try session.keepVersion(at: kept.path, of: document)
    }
    return [
      "aside": .array(
        aside.map { each in
          [
            "from": .text(FileURI(path: each.from).text), "uri": .text(FileURI(path: each.path).text),
            "reason": each.reason.map { .text($0) },
          ]
        })
    ]
  }
}
