// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import LinuxSystem
import SyncedFolders
import TestSupport
import Testing

@testable import FolderAccess

extension Scratch {
  /// With a folder `synced` in it.
  convenience init() throws {
    try self.init("folders")
    try folder("synced")
  }

  func directory(_ way: Beneath.Way? = nil) throws -> SyncedDirectory {
    try SyncedDirectory(path: Array("\(path)/synced".utf8), way: way)
  }

  /// In place, below this directory.
  func write(_ name: String, _ text: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else {
      throw Failure(description: "fopen \(name): \(errno)")
    }
    fputs(text, file)
    fclose(file)
  }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, "\(path)/\(name)") == 0 else { throw Failure(description: "symlink: \(errno)") }
  }

  func text(_ name: String) -> String? { Self.text(at: "\(path)/\(name)") }

  /// As many as a document has that is copied while it comes.
  static let largeBytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 7) }

  /// Files without a name that this process has open in a folder.
  func namelessFiles(in folder: String) -> Set<UInt64> {
    let names = (try? FilePath("/proc/self/fd").names()) ?? []
    let files = names.compactMap { name -> UInt64? in
      let link = FilePath("/proc/self/fd").appending(name)
      guard link.linkTarget?.bytes.starts(with: "\(path)/\(folder)/".utf8) == true,
        let status = try? link.status(), status.linkCount == 0
      else { return nil }
      return status.stamp.inode
    }
    return Set(files)
  }

  static func text(at path: String) -> String? {
    bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What an open document holds.
func text(of document: OpenDocument) -> String {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = pread(document.descriptor.number, &bytes, bytes.count, 0)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

func relative(_ text: String) throws -> RelativePath { try #require(RelativePath(text)) }
