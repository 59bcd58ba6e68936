// SPDX-License-Identifier: MIT

public import TextAnchors

extension TextBuffer: AnchorableText {
  public func withUTF8(ofLine line: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self.text(ofLine: line)
    text.withUTF8(body)
  }
}
