// SPDX-License-Identifier: MIT

extension ActivitySnapshot {
  /// How the pictures begin that a thumbnail may be: PNG, JPEG, and WebP, whose fifth to eighth bytes are a
  /// size.
  private static let pictures: [(beginning: [UInt8], kind: [UInt8])] = [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], []), ([0xff, 0xd8, 0xff], []),
    (Array("RIFF".utf8), Array("WEBP".utf8)),
  ]

  /// Takes out a thumbnail among the content attributes that is no picture, as its first bytes tell. Whether
  /// there was one. How long one can be is bounded with the payload (semantics 10b).
  public mutating func removeFalseThumbnail() -> Bool {
    let name = UserInfoValue.text("thumbnailData")
    guard let thumbnail = contentAttributes?[name] else { return false }
    if case .bytes(let bytes) = thumbnail {
      let isPicture = Self.pictures.contains { picture in
        bytes.starts(with: picture.beginning) && bytes.dropFirst(8).starts(with: picture.kind)
      }
      if isPicture { return false }
    }
    contentAttributes?[name] = nil
    if contentAttributes?.isEmpty == true { contentAttributes = nil }
    return true
  }
}
