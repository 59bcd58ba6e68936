// SPDX-License-Identifier: MIT

public import ActivityModel

// The hint that comes by the thousand.
extension FolderHint {
  /// Appends the whole frame, the same bytes as `frame`; a change of a name without making anything else.
  public func appendFrame(to bytes: inout [UInt8]) {
    guard case .changed(let root, let path, let change) = self, path.count <= Self.frameDepthLimit else {
      return bytes += frame
    }
    let start = bytes.count
    for _ in 0..<4 { bytes.append(0) }
    CBORWriter.head(4, 4, to: &bytes)
    CBORWriter.head(0, 1, to: &bytes)
    CBORWriter.head(0, root.rawValue, to: &bytes)
    CBORWriter.head(4, UInt64(path.count), to: &bytes)
    for name in path {
      CBORWriter.head(2, UInt64(name.count), to: &bytes)
      bytes += name
    }
    CBORWriter.head(0, change.rawValue, to: &bytes)
    let length = bytes.count - start - 4
    guard length <= CBOR.Limits.message.bytes else {
      bytes.removeLast(bytes.count - start)
      return bytes += frame
    }
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
  }
}
