// SPDX-License-Identifier: MIT

import ActivityModel
import Foundation
import LinuxSystem

extension Document {
  /// Gives the document's file another name in its folder. `name` without an extension keeps the file's.
  ///
  /// Throws `invalidRequest` for what cannot be a name, and as `move(to:)` does.
  public func rename(to name: String) async throws {
    guard let given = fileURL.flatMap(FilePath.init) else { throw noFile() }
    let bytes = try Self.fileName(name, like: given.name)
    guard let url = given.parent.appending(bytes).url else { throw noFile() }
    try await move(to: url)
  }

  func noFile() -> ContinuityError {
    ContinuityError(
      .invalidRequest, subject: shownName, description: "\(shownName) has no file yet; save it under a name.")
  }

  func moveFile(to url: URL) async throws {
    try await run {
      let source = try resolvePath()
      if let given = fileURL.flatMap(FilePath.init),
        (try? given.status(followingLinks: false))?.kind == .symbolicLink
      {
        throw ContinuityError(
          .invalidRequest, subject: given.shown,
          description: "\(given.shown) is a symbolic link to \(source.shown); open that file, and move it.")
      }
      let target = try Self.resolved(url)
      guard target != source else {
        throw ContinuityError(
          .invalidRequest, subject: target.shown,
          description: "\(target.shown) is where the file is; choose another name."
        )
      }
      return DocumentSave.Order(
        work: .move(FileMove(source: source, target: target)), operation: .saveAsOperation,
        started: Application.now, type: fileType ?? "", url: url, isElsewhere: true)
    }
  }

  /// The bytes of a file name that a person typed, with the extension of `former` when it has none.
  static func fileName(_ name: String, like former: [UInt8]) throws(ContinuityError) -> [UInt8] {
    func refusal(_ reason: String) -> ContinuityError {
      ContinuityError(.invalidRequest, subject: name, description: reason)
    }
    var bytes = Array(name.utf8)
    let dot = UInt8(ascii: ".")
    guard !bytes.isEmpty else { throw refusal("An empty name is none; type a name.") }
    guard !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
      throw refusal("\(name.debugDescription) cannot be a file's name; leave out the slash.")
    }
    guard !bytes.allSatisfy({ $0 == dot }) || bytes.count > 2 else {
      throw refusal("\(name) names a folder; choose another name.")
    }
    if !bytes.dropFirst().contains(dot), let last = former.dropFirst().lastIndex(of: dot) {
      bytes += former[last...]
    }
    guard bytes.count <= 255 else {
      throw refusal("A name of \(bytes.count) bytes is too long for a file; use at most 255.")
    }
    return bytes
  }
}
