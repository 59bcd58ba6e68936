// SPDX-License-Identifier: MIT

import ActivityModel

/// The document under another name (semantics 48, R6, R10).
extension ArrivalMachine {
  /// What a hint about `path` means here; nil when it means nothing. The shell asks this for each hint of the
  /// reference's folder, and sends the event.
  public func event(forHintAt path: [[UInt8]]) -> Event? {
    if Self.concerns(reference.path, path) || moved.map({ Self.concerns($0, path) }) ?? false { return .hint }
    guard status?.arrival == .missing, wasHere, let place = RelativePath(components: path),
      SyncNames.isPlausibleDocument(place)
    else { return nil }
    return .hintElsewhere
  }

  private static func concerns(_ document: RelativePath, _ path: [[UInt8]]) -> Bool {
    let components = document.components
    if components.starts(with: path) { return true }
    // Conflict copies and other spellings of the name lie beside it.
    return components.count == path.count && components.dropLast().elementsEqual(path.dropLast())
  }

  /// Whether this device ever had the document: only then other bytes like it may be the document, moved. A
  /// copy of another document that was announced and has not come yet is not that other document.
  private var wasHere: Bool { last != nil || !history.versions.isEmpty }

  mutating func noteDocument(_ reading: Reading, at now: Instant) {
    last = reading.stamp
    lastSeen = reading.stamp.changed + Int64(clamping: (reading.quiet + (now - reading.at)).nanoseconds)
  }

  mutating func takeHintElsewhere(at now: Instant) {
    guard look == .none, graceEnd == nil, status?.arrival == .missing else { return }
    lookAt = lookAt ?? now + timing.settled
  }

  /// Nothing is under the reference's path. One search in a while, however much happens beside it.
  mutating func search(at now: Instant) {
    graceEnd = nil
    if let searched, status?.arrival == .missing, now - searched < timing.settled {
      lookAt = searched + timing.settled
      return concludeMissing()
    }
    let search = DocumentSearch(reference, wasHere: wasHere, last: last, lastSeen: lastSeen)
    guard search.isWorthwhile else { return concludeMissing() }
    searched = now
    look = .searching
    actions.append(.search(search))
  }

  mutating func takeFinding(_ path: RelativePath?) {
    guard look == .searching, let again = endLook() else { return }
    moved = path
    if path == nil { concludeMissing() }
    if again || path != nil { beginLook() }
  }
}
