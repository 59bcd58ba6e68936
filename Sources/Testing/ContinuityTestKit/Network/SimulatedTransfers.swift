// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork

/// The files of documents under way, as the network process of a device has them open: read and written piece
/// by piece, so that a file which changes meanwhile goes torn.
struct SimulatedTransfers {
  private struct Key: Hashable {
    let link: LinkNumber
    let transfer: TransferNumber
    let isSending: Bool
  }

  private struct Transfer {
    let file: OpenFile
    /// So many bytes were read, or written.
    var bytes: UInt32 = 0
    /// What was read so far, as one file.
    var content = Content.empty
  }

  private var transfers: [Key: Transfer] = [:]

  mutating func take(
    _ file: OpenFile?, of link: LinkNumber, _ transfer: TransferNumber, isSending: Bool
  ) {
    transfers[Key(link: link, transfer: transfer, isSending: isSending)] = file.map { Transfer(file: $0) }
  }

  mutating func close(_ link: LinkNumber, _ transfer: TransferNumber, isSending: Bool) {
    transfers[Key(link: link, transfer: transfer, isSending: isSending)] = nil
  }

  mutating func close(_ link: LinkNumber) { transfers = transfers.filter { $0.key.link != link } }

  /// How many of the next bytes there are, and what all that was read is.
  mutating func read(
    _ count: Int, of link: LinkNumber, _ transfer: TransferNumber
  ) -> (count: Int, content: Content) {
    let key = Key(link: link, transfer: transfer, isSending: true)
    guard var reading = transfers[key] else { return (0, .empty) }
    let (now, folder) = (reading.file.content, reading.file.folder)
    if reading.bytes == 0 {
      reading.content = now
    } else if now != reading.content {
      // The beginning is as it was.
      reading.content = folder.world.contents.laid(
        reading.content.text, min(reading.bytes, reading.content.written), over: now,
        size: max(reading.bytes, now.size))
    }
    let found = min(count, Int(reading.content.size) - Int(reading.bytes))
    reading.bytes += UInt32(found)
    transfers[key] = reading
    return (found, reading.content)
  }

  /// Writes so many bytes; with the last ones the file holds what the sender read.
  mutating func write(
    _ count: Int, of link: LinkNumber, _ transfer: TransferNumber, whole: Content?
  ) -> Bool {
    let key = Key(link: link, transfer: transfer, isSending: false)
    guard var writing = transfers[key] else { return false }
    writing.bytes += UInt32(count)
    transfers[key] = writing
    writing.file.content = whole ?? Content(text: 0, written: 0, under: 0, size: writing.bytes)
    return true
  }
}
