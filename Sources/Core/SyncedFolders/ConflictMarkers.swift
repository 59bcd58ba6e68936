// SPDX-License-Identifier: MIT

/// Finds the lines that git, Mercurial, diff3 and their like put into a text when two versions of it do not
/// merge (R8): `<<<<<<< ours`, for diff3 `||||||| base`, `=======`, `>>>>>>> theirs`, in this order, each at
/// the beginning of a line.
///
/// One such line proves nothing: `=======` underlines a title. Fed piece by piece, in order; bytes need not
/// be UTF-8.
public struct ConflictMarkers: Sendable {
  /// How many bytes of a document are worth looking at: merges are made in texts.
  public static let limit = 1 << 20

  /// Whether a whole conflict was seen.
  public private(set) var isFound = false

  private enum Part { case none, ours, theirs }

  private var part = Part.none
  /// The byte that the line begins with, and how often, as long as it may be a marker.
  private var run: (byte: UInt8, count: Int) = (0, 0)
  private var line = Line.start

  private enum Line { case start, marker, rest }

  /// Before the first piece.
  public init() {}

  /// Takes the next bytes of the document.
  public mutating func scan(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where !isFound { scan(byte) }
  }

  /// The document ends here: its last line needs no line break.
  public mutating func finish() { scan(UInt8(ascii: "\n")) }

  private mutating func scan(_ byte: UInt8) {
    let isBreak = byte == UInt8(ascii: "\n")
    switch line {
    case .start where Self.markers.contains(byte):
      run = (byte, 1)
      line = .marker
    case .start: line = .rest
    case .marker where byte == run.byte: run.count += 1
    case .marker:
      // A label follows behind a blank, or nothing at all.
      let endsHere = isBreak || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r")
      if run.count == 7, endsHere { takeMarker(run.byte) }
      line = .rest
    case .rest: break
    }
    if isBreak { line = .start }
  }

  private mutating func takeMarker(_ byte: UInt8) {
    switch (byte, part) {
    case (UInt8(ascii: "<"), _): part = .ours
    case (UInt8(ascii: "="), .ours): part = .theirs
    case (UInt8(ascii: ">"), .theirs): isFound = true
    default: break
    }
  }

  private static let markers = Array("<=>".utf8)
}
