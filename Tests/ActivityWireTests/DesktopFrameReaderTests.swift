// SPDX-License-Identifier: MIT

import ActivityWire
import Testing

@Suite struct DesktopFrameReaderTests {
  @Test func framesComeOutWholeUnderAnyChunking() throws {
    let contents = ["", "a\u{0}", String(repeating: "b", count: 300)].map { Array($0.utf8) }
    let stream = contents.flatMap { DesktopFrame.bytes(of: [[UInt8]](), rest: $0) }
    for chunk in [1, 2, 5, 64, 1000] {
      var reader = DesktopFrameReader()
      var frames: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: chunk) {
        reader.append(stream[start..<min(start + chunk, stream.count)])
        while let frame = try reader.next() { frames.append(Array(frame.rest)) }
      }
      #expect(frames == contents)
    }
  }

  /// Whether a frame is taken does not depend on the pieces that it comes in.
  @Test(arguments: ["00000004\nabcd", "+4\nabcd", "04\nabcd", "-0\n", "\nabcd"])
  func aLengthThatIsWrittenInAnotherWayIsRefused(_ text: String) {
    var whole = DesktopFrameReader()
    whole.append(text.utf8)
    #expect(throws: DesktopFrame.Broken.self) { try whole.next() }
    var pieces = DesktopFrameReader()
    #expect(throws: DesktopFrame.Broken.self) {
      for byte in text.utf8 {
        pieces.append([byte])
        _ = try pieces.next()
      }
    }
  }
}
