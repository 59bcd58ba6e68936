// SPDX-License-Identifier: MIT

/// The files that an app holds open, by number, as a kernel keeps them for a process.
final class OpenFiles {
  /// A file, and what it held when it came along with a message.
  struct Held {
    var file: OpenFile?
    var text: Content?
  }

  private(set) var held: [Int32: Held] = [:]
  private var last: Int32 = 0

  /// Opens a file under a number that was never used; nil for nothing.
  func open(_ file: OpenFile?, _ text: Content?) -> Int32? {
    guard file != nil || text != nil else { return nil }
    last += 1
    held[last] = Held(file: file, text: text)
    return last
  }

  /// Closes it, and gives what it was.
  func remove(_ number: Int32) -> Held? { held.removeValue(forKey: number) }

  func close(_ number: Int32) { held[number] = nil }
}
