// SPDX-License-Identifier: MIT

public import ActivityModel

// The hint that comes by the thousand.
extension FolderHint {
  /// Appends the whole frame, the same bytes as `frame`; a change of a name without making anything else.
  public func appendFrame(to bytes: inout [UInt8]) {
    guard case .changed(let root, let path, let change) = self, path.count <= Self.frameDepthLimit else {
      return bytes += frame
    }
    let piecewise = ChangedFrame(root, names: path.count, to: &bytes)
    for name in path { name.withUnsafeBytes { piecewise.append($0, to: &bytes) } }
    if !piecewise.finish(change, in: &bytes) { bytes += frame }
  }
}

/// The frame of one `FolderHint.changed`, written name by name into a buffer: nothing else is made.
///
/// The buffer must not be changed otherwise between `init` and `end`.
public struct ChangedFrame: Sendable {
  private let start: Int

  /// Begins a frame with so many names, at most `FolderHint.frameDepthLimit`.
  public init(_ root: RootNumber, names: Int, to bytes: inout [UInt8]) {
    start = bytes.count
    for _ in 0..<4 { bytes.append(0) }
    CBORWriter.head(4, 4, to: &bytes)
    CBORWriter.head(0, 1, to: &bytes)
    CBORWriter.head(0, root.rawValue, to: &bytes)
    CBORWriter.head(4, UInt64(names), to: &bytes)
  }

  /// Writes the next name, from the root down; the pointer is not kept.
  public func append(_ name: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    CBORWriter.head(2, UInt64(name.count), to: &bytes)
    bytes.append(contentsOf: name)
  }

  /// Ends the frame. False when it is longer than a frame may be; the buffer is as before it then.
  public func finish(_ change: FolderHint.Change, in bytes: inout [UInt8]) -> Bool {
    CBORWriter.head(0, change.rawValue, to: &bytes)
    let length = bytes.count - start - 4
    guard length <= CBOR.Limits.message.bytes else {
      bytes.removeLast(bytes.count - start)
      return false
    }
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    return true
  }
}
