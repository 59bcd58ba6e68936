// SPDX-License-Identifier: MIT

import ActivityModel
import LocalNetwork
import Testing

/// A word of a link, whatever it is about.
protocol LinkedWord {
  var encoded: [UInt8] { get }
  static func decoded(_ bytes: [UInt8]) throws(ContinuityError) -> Self?
}

extension DocumentWord: LinkedWord {}
extension PresenceWord: LinkedWord {}
extension SaveWord: LinkedWord {}
extension StreamWord: LinkedWord {}

/// With any of its bytes changed or its end cut off, a word is refused, or another one that would be written
/// in just these bytes.
func expectStrictReading<Word: LinkedWord>(
  of words: [Word], sourceLocation: SourceLocation = #_sourceLocation
) {
  for word in words {
    let bytes = word.encoded
    for index in bytes.indices {
      for change in [1, 0x20, 0x80, 0xff] as [UInt8] {
        var other = bytes
        other[index] ^= change
        if let read = try? Word.decoded(other) {
          #expect(read.encoded == other, sourceLocation: sourceLocation)
        }
      }
      #expect(throws: ContinuityError.self, sourceLocation: sourceLocation) {
        try Word.decoded(Array(bytes[..<index]))
      }
    }
  }
}
