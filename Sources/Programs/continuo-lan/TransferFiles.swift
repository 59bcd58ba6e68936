// SPDX-License-Identifier: MIT

import LinuxSystem
import LocalNetwork

/// The files of documents under way, which the agent has opened: each is read, or written, from where it is
/// on. Whatever the disk takes for that, every link waits for.
struct TransferFiles {
  private struct Key: Hashable {
    let transfer: TransferNumber
    let isSending: Bool
  }

  private var files: [LinkNumber: [Key: Descriptor]] = [:]

  /// Takes a file; one that did not come along cannot be read or written.
  mutating func take(
    _ file: Descriptor?, of link: LinkNumber, _ transfer: TransferNumber, isSending: Bool
  ) {
    files[link, default: [:]][Key(transfer: transfer, isSending: isSending)] = file
  }

  /// Closes a file.
  mutating func close(_ link: LinkNumber, _ transfer: TransferNumber, isSending: Bool) {
    files[link]?[Key(transfer: transfer, isSending: isSending)] = nil
  }

  /// Closes all files of a link.
  mutating func close(_ link: LinkNumber) { files[link] = nil }

  /// The next bytes; fewer than `count` at the end of the file, or where it cannot be read. By read(2): a
  /// call that says from where is none that this process may make.
  func read(_ count: Int, of link: LinkNumber, _ transfer: TransferNumber) -> [UInt8] {
    guard let file = files[link]?[Key(transfer: transfer, isSending: true)] else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let found = try? bytes.withUnsafeMutableBytes { room throws(Errno) in
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
      }
      guard let found, found > 0 else { break }
      filled += found
    }
    return Array(bytes.prefix(filled))
  }

  /// Whether all of them are written.
  func write(_ bytes: [UInt8], of link: LinkNumber, _ transfer: TransferNumber) -> Bool {
    guard let file = files[link]?[Key(transfer: transfer, isSending: false)] else { return false }
    do throws(Errno) {
      try file.writeAll(bytes)
      return true
    } catch { return false }
  }
}
