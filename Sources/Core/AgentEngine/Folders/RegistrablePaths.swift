// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

// Which folders may be registered, and how they are called by the kernel.
extension FolderRegistry {
  /// The absolute path without links, `.` and `..`. Throws `folderUnavailable` unless a folder is there.
  func realPath(_ path: [UInt8]) throws(ContinuityError) -> [UInt8] {
    let shown = DisplayText.shown(path)
    func failure(_ why: String) -> ContinuityError {
      ContinuityError(
        .folderUnavailable, subject: shown, description: "\(shown) cannot be registered: \(why).")
    }
    guard path.first == UInt8(ascii: "/"), !path.contains(0) else { throw failure("give an absolute path") }
    guard let real = ports.disks.realPath(path) else {
      throw failure("there is no such folder; make it, or check the spelling")
    }
    guard ports.disks.isFolder(real) else {
      throw failure("it is a file; name the folder")
    }
    return real
  }

  /// Keys must not be synced, nor lie beside documents (threat T47), and records are no documents.
  func checkMayBeSynced(_ path: [UInt8]) throws(ContinuityError) {
    let shown = DisplayText.shown(path)
    func failure(_ sentence: String) -> ContinuityError {
      ContinuityError(.invalidRequest, subject: shown, description: "\(shown) \(sentence)")
    }
    if Self.contains(path, stateDirectory) {
      throw failure("holds continuo's own keys, which must not be synced: choose a folder below it.")
    }
    if Self.contains(stateDirectory, path) {
      throw failure("lies beside continuo's own keys, which must not be synced: choose another folder.")
    }
    if path.split(separator: UInt8(ascii: "/")).contains(where: { SyncNames.isRecordFolder(Array($0)) }) {
      throw failure("is where continuo keeps its records: register the folder around it.")
    }
  }

  /// Why the agent must not run: its keys would be carried to other computers. Nil when they would not.
  func syncedKeys() -> ContinuityError? {
    let shown = DisplayText.shown(stateDirectory)
    let holder = registered.first { folder in
      let real = ports.disks.answers(folder.path) ? ports.disks.realPath(folder.path) : nil
      return Self.contains(real ?? folder.path, stateDirectory)
    }
    let engine = [".stfolder", ".sync_journal.db", ".unison"].first { name in
      ports.disks.exists(stateDirectory + Array("/\(name)".utf8))
    }
    guard holder != nil || engine != nil else { return nil }
    return ContinuityError(
      .agentUnavailable, subject: shown,
      description: "\(shown) holds this device's keys and is itself synced "
        + "(\(holder.map { "it lies in folder \($0.name)" } ?? "it holds \(engine ?? "")")): exclude it from "
        + "syncing, or set XDG_STATE_HOME to a place that is not synced.")
  }

  static func contains(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
    folder == [UInt8(ascii: "/")] || (path + [UInt8(ascii: "/")]).starts(with: folder + [UInt8(ascii: "/")])
  }
}

extension Disks {
  /// The path of a file, of which the part is resolved that leads to a folder: the file may be gone, and the
  /// folders around it with it. Nil for what is no absolute path of a file.
  func realPath(ofFile path: [UInt8]) -> [UInt8]? {
    guard path.first == UInt8(ascii: "/"), path.last != UInt8(ascii: "/") else { return nil }
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: UInt8(ascii: "/")) {
      if let folder = realPath(Array(path[..<max(slash, 1)])) {
        return (folder == [UInt8(ascii: "/")] ? [] : folder) + path[slash...]
      }
      end = slash
    }
    return nil
  }
}
