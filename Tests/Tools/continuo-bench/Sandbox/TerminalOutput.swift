// SPDX-License-Identifier: MIT

/// What a program wrote to its terminal, without the sequences that move the cursor and set colours.
struct TerminalOutput {
  private var raw: [UInt8] = []
  /// When the last of it arrived.
  private(set) var arrivedAt: UInt64 = 0

  /// Adds output as tmux's control mode tells it: control characters and backslashes in octal.
  mutating func append(escaped: some Collection<UInt8>, at moment: UInt64) {
    arrivedAt = moment
    var digits: (left: Int, value: Int) = (0, 0)
    for byte in escaped {
      if digits.left > 0 {
        digits = (digits.left - 1, digits.value << 3 | Int(byte & 7))
        if digits.left == 0 { raw.append(UInt8(truncatingIfNeeded: digits.value)) }
      } else if byte == UInt8(ascii: "\\") {
        digits = (3, 0)
      } else {
        raw.append(byte)
      }
    }
  }

  /// Whether `text` was written, in one go.
  func shows(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    let shown = printed
    guard !wanted.isEmpty, shown.count >= wanted.count else { return wanted.isEmpty }
    return (0...(shown.count - wanted.count)).contains { shown[$0...].starts(with: wanted) }
  }

  /// The characters that stay on the screen.
  var printed: [UInt8] {
    var shown: [UInt8] = []
    var index = 0
    while index < raw.count {
      if raw[index] == 0x1B {
        index = endOfSequence(from: index)
      } else {
        if raw[index] >= 0x20 { shown.append(raw[index]) }
        index += 1
      }
    }
    return shown
  }

  /// Behind the escape sequence that begins at `start`; behind everything when it has not ended yet.
  private func endOfSequence(from start: Int) -> Int {
    guard start + 1 < raw.count else { return raw.count }
    switch raw[start + 1] {
    case UInt8(ascii: "["):
      let end = raw[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }
      return end.map { $0 + 1 } ?? raw.count
    case UInt8(ascii: "]"), UInt8(ascii: "P"):
      let end = raw[(start + 2)...].firstIndex { $0 == 0x07 || $0 == UInt8(ascii: "\\") }
      return end.map { $0 + 1 } ?? raw.count
    case 0x20...0x2F: return min(start + 3, raw.count)
    default: return start + 2
    }
  }
}
