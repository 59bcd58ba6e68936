// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Where the processes of one app keep what they could not save yet, each in a folder of its own. Main actor
/// only.
@MainActor
final class AutosavePlace {
  private let base: FilePath
  private var own: AutosaveFolder?

  /// `autosaved/<app-id>` in continuo's state directory; nil for an app ID that can be no folder's name.
  init?(stateDirectory: String, appID: String) {
    guard !appID.isEmpty, !appID.contains("/"), !appID.contains("\0"), !appID.hasPrefix(".") else {
      return nil
    }
    base = FilePath(bytes: Array("\(stateDirectory)/autosaved/\(appID)".utf8))
  }

  /// A place for one document's contents.
  func makeFile(fileExtension: [UInt8]) throws(ContinuityError) -> AutosavedFile {
    if let own { return AutosavedFile(in: own, fileExtension: fileExtension) }
    let folder = try AutosaveFolder.make(below: base)
    own = folder
    return AutosavedFile(in: folder, fileExtension: fileExtension)
  }

  /// What processes left that are gone. Folders in which nothing is are removed.
  func abandoned() -> [AutosavedFile] {
    AutosaveFolder.abandoned(below: base).flatMap { folder in
      let files = folder.files
      if files.isEmpty { folder.removeIfEmpty() }
      return files
    }
  }

  /// The process ends; what is still there waits for the next one.
  func end() {
    own?.removeIfEmpty()
    own = nil
  }
}
