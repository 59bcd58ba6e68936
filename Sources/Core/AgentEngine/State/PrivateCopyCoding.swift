// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import SyncedFolders

extension PrivateCopy {
  // copy = [ID, document, name, whether it is moved, what it held last]
  var cbor: CBOR {
    .array([
      .bytes(id.bytes),
      DocumentReference(folder: place.folder, path: place.path, version: base).cbor, .bytes(name),
      .bool(isMoved), last.cbor,
    ])
  }

  /// Throws `invalidBytes` for what no agent writes.
  init(cbor: CBOR) throws(ContinuityError) {
    let parts = try cbor.array("private copy", count: 5)
    let document = try DocumentReference(cbor: parts[1])
    let name = try parts[2].bytes("name")
    guard RelativePath(components: [name]) != nil else {
      throw CBOR.mismatch("name", expected: "the name of a file")
    }
    self.init(
      id: try parts[0].identifier("copy"),
      place: DocumentPlace(folder: document.folder, path: document.path), base: document.version,
      last: try DocumentVersion(cbor: parts[4]), name: name)
    isMoved = try parts[3].bool("moved")
  }
}
