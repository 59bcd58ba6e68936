// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders

// Which version descends from which, and who knew.
extension Oracle {
  /// The device's agent knows that the path had these bytes.
  mutating func noted(_ device: Device, _ path: RelativePath, _ digest: ContentDigest) {
    Self.note(digest, in: &noted[device.number, default: [:]][path, default: []])
    Self.note(digest, in: &carried[device.number, default: [:]][path, default: []])
  }

  private static func note(_ digest: ContentDigest, in past: inout [ContentDigest]) {
    if past.last != digest { past.append(digest) }
  }

  /// Another device's version became this one's, and with it all that the sender said it descends from.
  mutating func adopted(_ device: Device, _ sender: DeviceID, _ reference: DocumentReference) {
    let digest = reference.version.digest
    // Two devices that use one identity knew different things: what the version came with counts.
    let said = reference.version.lineage
    if outgrown[device.number]?[reference.path]?.last != said {
      outgrown[device.number, default: [:]][reference.path, default: []].append(said)
    }
    carry(device, sender, reference, said)
    guard let number = device.world.devices.first(where: { $0.id == sender })?.number,
      let past = noted[number]?[reference.path], let place = past.lastIndex(of: digest)
    else { return noted(device, reference.path, digest) }
    let own = noted[device.number]?[reference.path] ?? []
    let unknown = past[..<place].filter { said.contains($0.prefix) && !own.contains($0) }
    // Below what is known here, as the product lays them, unless nothing was known.
    if own.isEmpty { noted[device.number, default: [:]][reference.path] = unknown }
    noted(device, reference.path, digest)
  }

  /// What the sender had, and said, between the newest version known here, too, and its own is laid between
  /// those, as the product lays it: what comes after the version here comes after these as well. It is no
  /// ancestor in what this device said of the version before, so `noted` stays without it.
  private mutating func carry(
    _ device: Device, _ sender: DeviceID, _ reference: DocumentReference, _ said: [DigestPrefix]
  ) {
    let digest = reference.version.digest
    guard let number = device.world.devices.first(where: { $0.id == sender })?.number,
      let past = carried[number]?[reference.path], let place = past.lastIndex(of: digest)
    else { return }
    let ancestors = past[..<place].filter { said.contains($0.prefix) }
    var own = carried[device.number]?[reference.path] ?? []
    if own.last == digest { own.removeLast() }
    let common = ancestors.lastIndex(where: own.contains)
    guard common != nil || own.isEmpty else { return }
    carried[device.number, default: [:]][reference.path] = own + ancestors[(common.map { $0 + 1 } ?? 0)...]
  }

  /// An agent starts anew with what its disk holds: a crash may have lost a link of a lineage.
  mutating func restarted(_ device: Device, _ histories: [RelativePath: DocumentHistory]) {
    for (path, digests) in noted[device.number] ?? [:] {
      noted[device.number]?[path] = digests.filter { histories[path]?.contains($0) ?? false }
    }
    for (path, digests) in carried[device.number] ?? [:] {
      carried[device.number]?[path] = digests.filter { histories[path]?.contains($0) ?? false }
    }
    for (path, lineages) in outgrown[device.number] ?? [:] {
      let versions = histories[path]?.versions ?? []
      outgrown[device.number]?[path] = [
        versions.filter { version in lineages.contains { $0.contains(version) } }
      ]
    }
  }

  /// Whether the sender's agent knew the bytes before it made the version, and the version since.
  func knows(
    _ sender: DeviceID, _ document: DocumentReference, _ digest: ContentDigest
  ) -> Bool {
    guard let past = pastWhenSaid[sender]?[document],
      let version = past.lastIndex(of: document.version.digest), let older = past.firstIndex(of: digest)
    else { return false }
    return older < version && version - older < Self.horizon
  }

  /// Whether an agent, of whichever device, saw the bytes follow the version or one made from it, itself or
  /// in a version that it adopted. Nobody can tell a copy that an engine or a backup brought back from a
  /// person who went back, and lineages carry either on.
  func wasGoneBackTo(
    _ digest: ContentDigest, from version: UInt32, _ path: RelativePath, _ contents: ContentTable
  ) -> Bool {
    wasSeen(
      digest, after: { contents.text(of: $0).map { contents.descends($0, from: version) } ?? false }, path)
  }

  /// Whether an agent knows of the path that these bytes came after such ones.
  private func wasSeen(
    _ digest: ContentDigest, after isFormer: (ContentDigest) -> Bool, _ path: RelativePath
  ) -> Bool {
    follows(isFormer, path) { $0 == digest }
  }

  /// Whether an agent knows of the path that such bytes came after others.
  private func follows(
    _ isFormer: (ContentDigest) -> Bool, _ path: RelativePath, _ isMeant: (ContentDigest) -> Bool
  ) -> Bool {
    (Array(noted.values) + Array(carried.values)).contains { paths in
      guard let digests = paths[path], let place = digests.firstIndex(where: isFormer) else { return false }
      return digests[place...].contains(where: isMeant)
    }
  }

  /// Whether the device was past the version: it had that, or one made from it, or one that its sender said
  /// to come after it. Older bytes that lie there now came back.
  func wasPast(
    _ version: UInt32, _ digest: ContentDigest, _ path: RelativePath, _ device: Device
  ) -> Bool {
    if hasOutgrown(digest, path, device) { return true }
    let contents = device.world.contents
    return noted[device.number]?[path]?.contains {
      contents.text(of: $0).map { contents.descends($0, from: version) } ?? false
    } ?? false
  }

  /// Whether the device adopted a version that was said to come after the bytes.
  private func hasOutgrown(_ digest: ContentDigest, _ path: RelativePath, _ device: Device) -> Bool {
    outgrown[device.number]?[path]?.contains { $0.contains(digest.prefix) } ?? false
  }

  /// Younger versions than this many are never thinned out of a lineage.
  private static let horizon = 100

  /// S6: a version that came over a link takes the place of nothing but what it comes from, as whoever wrote
  /// it had that before them, or some agent saw it, or what it was written from, follow the other.
  mutating func laid(
    _ device: Device, _ path: [[UInt8]], _ content: Content, over former: Content?
  ) -> Verdict {
    checks += 1
    let contents = device.world.contents
    laid[device.number, default: []].insert(contents.digest(of: content))
    guard let former, let path = RelativePath(components: path) else { return nil }
    let (old, new) = (contents.digest(of: former), contents.digest(of: content))
    // Of bytes that nobody typed it is not known what they come from.
    guard let here = contents.text(of: old), let meant = contents.text(of: new),
      !contents.descends(meant, from: here)
    else { return nil }
    let comesAfter =
      follows({ $0 == old }, path) {
        $0 == new || $0 != old && contents.text(of: $0).map { contents.descends(meant, from: $0) } ?? false
      }
      || wentBack(from: here, to: meant, contents)
    return comesAfter ? nil : (.confinement, "a version was laid over a text that it does not come from")
  }

  /// A person went back from a text to an earlier one: that comes after it, though its text was made before.
  mutating func wentBack(from text: UInt32, to earlier: UInt32) { returns.append((text, earlier)) }

  /// Whether some person went back on the way from a text to another.
  private func wentBack(from text: UInt32, to other: UInt32, _ contents: ContentTable) -> Bool {
    returns.contains { contents.descends($0.from, from: text) && contents.descends(other, from: $0.to) }
  }

  /// S6: a private copy goes when its text is in the folder, or was, or is what came.
  mutating func removedCopy(_ device: Device, _ content: Content) -> Verdict {
    checks += 1
    guard let text = device.world.contents.wholeText(content) else { return nil }
    let digest = device.world.contents.digest(of: content)
    if laid[device.number]?.contains(digest) == true { return nil }
    if noted[device.number]?.values.contains(where: { $0.contains(digest) }) == true { return nil }
    let isThere = device.folder.filePaths().contains { device.folder.content(at: $0) == content }
    return isThere ? nil : (.confinement, "a private copy with a text of its own was removed: \(text)")
  }

  /// S9: `diverged` is false when the device itself had the version and went on from it, or when its bytes
  /// are an ancestor that the sender knew, both among the last hundred versions and never returned to, on a
  /// device that was not past the version; nor was the sender past the bytes, by what it had adopted.
  mutating func stands(
    _ device: Device, _ status: ArrivalStatus, _ reference: DocumentReference, _ sender: DeviceID,
    read: ContentDigest?, there: ContentDigest?
  ) -> Verdict {
    if status.arrival == .current, let there, there != reference.version.digest {
      return (.rightVersion, "other bytes were called the version that was offered")
    }
    switch status.arrival {
    case .behind: device.world.count(.behind)
    case .ahead: device.world.count(.ahead)
    default: break
    }
    guard status.arrival == .diverged, let read else { return nil }
    checks += 1
    device.world.count(.diverged)
    let contents = device.world.contents
    if read == reference.version.digest {
      return (.noFalseDivergence, "the very version was called diverged")
    }
    guard !device.world.simulation.faults.contains(.undo), !cloned.contains(sender),
      let here = contents.text(of: read), let meant = contents.text(of: reference.version.digest)
    else { return nil }
    let hadMeant = noted[device.number]?[reference.path]?.suffix(Self.horizon)
      .contains(reference.version.digest)
    let senderHad = knows(sender, reference, read)
    if contents.descends(meant, from: here), senderHad,
      !wasPast(meant, reference.version.digest, reference.path, device),
      !wasGoneBackTo(read, from: meant, reference.path, contents)
    {
      return (.noFalseDivergence, "an ancestor of the version was called diverged")
    }
    let isSaidToComeAfter = device.world.devices.contains {
      $0.id == sender && hasOutgrown(read, reference.path, $0)
    }
    if contents.descends(here, from: meant), hadMeant == true, !senderHad, !isSaidToComeAfter,
      !wasGoneBackTo(reference.version.digest, from: here, reference.path, contents)
    {
      return (.noFalseDivergence, "a successor of the version was called diverged")
    }
    return nil
  }
}
