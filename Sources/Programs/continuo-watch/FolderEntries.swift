// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Reads the names of an open folder straight from the kernel: before readdir(3), fdopendir(3) asks three
/// things that are known here, which is felt where there are many small folders.
enum FolderEntries {
  private static let room = 32 * 1024
  /// Of a struct dirent64: the length of the record, the type, and the name up to a terminator.
  private static let (lengthPlace, typePlace, namePlace) = (16, 18, 19)

  /// Gives each name but `.` and `..`, and its type as in dirent(3), valid until `take` returns. False when
  /// reading ended with an error.
  static func read(_ folder: Int32, _ take: (UnsafeRawBufferPointer, Int) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { buffer in
      while true {
        let count = continuo_read_folder(folder, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count == 0 }
        var start = 0
        while start + namePlace < count {
          let length = Int(buffer.load(fromByteOffset: start + lengthPlace, as: UInt16.self))
          guard length > namePlace, start + length <= count else { return false }
          let rest = UnsafeRawBufferPointer(rebasing: buffer[(start + namePlace)..<(start + length)])
          let name = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != 0 })
          if !isDots(name) { take(name, Int(buffer[start + typePlace])) }
          start += length
        }
      }
    }
  }

  private static func isDots(_ name: UnsafeRawBufferPointer) -> Bool {
    name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}
