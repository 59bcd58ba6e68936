// SPDX-License-Identifier: MIT

import ActivityModel

/// What a hint from the watcher means.
extension ArrivalMachine {
  /// What a hint about `path` means here; nil when it means nothing. The shell asks this for each hint of the
  /// reference's folder, and sends the event.
  public func event(forHintAt path: [[UInt8]]) -> Event? {
    if Self.concerns(reference.path, path) || Self.concerns(location, path) { return .hint }
    guard isSought, let place = RelativePath(components: path), SyncNames.isPlausibleDocument(place)
    else { return nil }
    return .hintElsewhere
  }

  private static func concerns(_ document: RelativePath, _ path: [[UInt8]]) -> Bool {
    let components = document.components
    if components.starts(with: path) { return true }
    // Conflict copies and other spellings of the name lie beside it.
    return components.count == path.count && components.dropLast().elementsEqual(path.dropLast())
  }
}
