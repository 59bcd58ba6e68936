// SPDX-License-Identifier: MIT

public import TextAnchors

extension TextBuffer: AnchorableText {
  /// Without the ending, as everywhere here.
  public func withUTF8(ofLine line: Int, body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self.text(ofLine: line)
    text.withUTF8(body)
  }
}
