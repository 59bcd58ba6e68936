// SPDX-License-Identifier: MIT

// What the disk holds after the power was lost.
extension MemoryFolder {
  /// Keeps a beginning of the journal, and of each pending file nothing, a piece, or all.
  func losePower(_ random: inout Randomness) {
    events = EventSource()
    for inode in inodes.indices { inodes[inode].watch = -1 }
    let settled = journal.prefix { world.time - $0.at > Self.namesPending }.count
    var kept = settled + random.below(journal.count - settled + 1)
    while kept < journal.count, kept > 0, journal[kept].group == journal[kept - 1].group { kept += 1 }
    for change in journal[kept...].reversed() {
      inodes[change.folder].entries[change.name] = change.before
      inodes[change.folder].changes += 1
      if let before = change.before {
        (inodes[before].parent, inodes[before].name) = (change.folder, change.name)
      }
    }
    journal.removeAll()
    listed = nil
    looks = [:]
    for inode in inodes.indices where !inodes[inode].isFolder {
      if world.time - inodes[inode].writtenAt <= Self.bytesPending { tear(inode, &random) }
      inodes[inode].durable = inodes[inode].content
    }
  }

  private func tear(_ inode: Int, _ random: inout Randomness) {
    let (new, old) = (inodes[inode].content, inodes[inode].durable)
    guard new != old else { return }
    switch random.below(3) {
    case 0: inodes[inode].content = old
    case 1:
      let written = UInt32(random.below(Int(new.written) + 1))
      inodes[inode].content = world.contents.laid(new.text, written, over: old, size: new.size)
    default: break
    }
  }
}
