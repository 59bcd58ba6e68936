// SPDX-License-Identifier: MIT

import ActivityModel
import CContinuo
import LinuxSystem
import TextAnchors

/// What an app says of itself before it connects.
enum Declarations {
  /// The variables that say where the agent is.
  static var environment: [String: String] {
    let names = [
      "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_DATA_DIRS",
    ]
    var found: [String: String] = [:]
    for name in names { found[name] = CurrentProcess.variable(name) }
    return found
  }

  /// An app that declares nothing edits texts.
  static func complete(_ manifest: AppManifest) throws(ContinuityError) -> AppManifest {
    guard !manifest.appID.isEmpty else {
      throw ContinuityError(
        .invalidManifest, subject: "identifier",
        description:
          "The app has no identifier; set one such as org.example.editor, or declare an Info.plist.")
    }
    guard manifest.activityTypes.isEmpty, manifest.documentTypes.isEmpty else { return manifest }
    var complete = manifest
    var text = AppManifest.DocumentType(name: "Text")
    text.extensions = ["*"]
    text.activityType = TextEditingState.activityType
    complete.documentTypes = [text]
    return complete
  }

  /// Adds what another manifest declares; the name and identifier of `app` stay if it has them.
  static func merge(_ other: AppManifest, into app: inout AppManifest) throws(Refusal) {
    guard app.appID.isEmpty || app.appID == other.appID else {
      throw Refusal(
        CONTINUO_ERROR_DECLARATION,
        "The Info.plist is of \(other.appID) and the app says that it is \(app.appID); leave one empty.")
    }
    app.appID = other.appID
    if app.name.isEmpty { app.name = other.name }
    app.activityTypes += other.activityTypes.filter { !app.activityTypes.contains($0) }
    app.documentTypes += other.documentTypes
    app.team = app.team ?? other.team
  }

  /// A manifest's bytes; one more than are allowed at most, so that its reader can tell.
  static func contents(of path: [UInt8]) throws(Refusal) -> [UInt8] {
    let name = DisplayText.shown(path)
    do throws(Errno) {
      return try FilePath(bytes: path).open([.readOnly, .nonBlocking])
        .readToEnd(limit: ManifestReader.sizeLimit)
    } catch {
      throw Refusal(CONTINUO_ERROR_FILE, "\(name) cannot be read (\(error.text)); give another path.")
    }
  }
}
