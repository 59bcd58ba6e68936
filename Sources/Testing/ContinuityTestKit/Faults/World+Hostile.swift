// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Trust

// Whoever can write the folder: alters, replays, swaps and removes record files, and forges what has no seal.
extension World {
  private static let records = [Array(".continuo".utf8)]

  /// An older state of a file takes its place, as from a backup, and the engine takes it for new.
  func restoreStale(_ device: Device) {
    guard let path = random.pick(device.folder.filePaths()), let old = random.pick(archive[path] ?? []) else {
      return
    }
    lay(old, at: path, on: device)
  }

  /// Keeps what files were, for replays.
  func remember(_ path: [[UInt8]], _ content: Content) {
    if archive[path]?.last != content { archive[path, default: []].append(content) }
  }

  private func lay(_ content: Content, at path: [[UInt8]], on device: Device) {
    let temporary = path.dropLast() + [Array("restored~".utf8)]
    let folder = device.folder
    try? folder.unlink(Array(temporary))
    guard let inode = try? folder.make(Array(temporary)) else { return }
    try? folder.fill(inode, with: content)
    folder.close(inode)
    try? folder.rename(Array(temporary), path)
    for engine in engines { engine.noticed(device.number) }
  }

  func tamper(_ device: Device) {
    let files = device.folder.filePaths().filter {
      $0.count == 2 && $0[0] == Self.records[0] && !($0[1].suffix(3).elementsEqual(".id".utf8))
    }
    guard let path = random.pick(files), let content = device.folder.content(at: path) else { return }
    switch random.below(6) {
    case 0:
      guard var bytes = contents.bytes(of: content), !bytes.isEmpty else { return }
      bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      lay(contents.wholeRecord(bytes), at: path, on: device)
    case 1:
      if let inode = device.folder.find(path) {
        try? device.folder.cut(inode, to: UInt32(random.below(Int(content.size) + 1)))
        device.folder.close(inode)
      }
    case 2:
      guard let other = random.pick(files), let second = device.folder.content(at: other) else { return }
      lay(second, at: path, on: device)
      lay(content, at: other, on: device)
    case 3: if let old = random.pick(archive[path] ?? []) { lay(old, at: path, on: device) }
    case 4: lay(content, at: Self.records + [Array("copy-\(random.below(9)).bin".utf8)], on: device)
    default:
      if let old = random.pick(archive[path] ?? []) {
        // An older record beside the newer one, under a name that is read first.
        lay(old, at: Self.records + [Array("a-\(random.below(9)).bin".utf8)], on: device)
      }
    }
    for engine in engines { engine.noticed(device.number) }
  }

  /// A record by somebody in no roster, with a high number and an offer of its own.
  func layForgery(_ device: Device) {
    var state = DeviceState(issuedAt: device.wall, bootNonce: [UInt8](repeating: 9, count: 16))
    state.activities = [
      ActivitySnapshot(
        id: ActivityID(using: &random), type: EditorApp.type, appID: "org.example.editor",
        changedAt: device.wall)
    ]
    let payload = state.recordPayload().bytes
    guard let record = try? thief?.stateFile(payload, sequence: 1 << 40, using: &random).bytes else { return }
    let name = Array("d-thief\(random.below(3)).bin".utf8)
    lay(contents.wholeRecord(record), at: Self.records + [name], on: device)
  }
}
