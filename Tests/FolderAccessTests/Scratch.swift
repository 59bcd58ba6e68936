// SPDX-License-Identifier: MIT

import ActivityModel
import Glibc
import SyncedFolders
import Testing

@testable import FolderAccess

/// A temporary directory with a folder `synced` in it; removed with the value.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/continuo-folders-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: \(errno)") }
    path = String(cString: made)
    try folder("synced")
  }

  deinit {
    Self.removeTree(path)
  }

  private static func removeTree(_ path: String) {
    if let folder = opendir(path) {
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != ".", name != ".." { names.append(name) }
      }
      closedir(folder)
      for name in names {
        if unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
      }
    }
    rmdir(path)
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  func directory(_ way: Beneath.Way? = nil) throws -> SyncedDirectory {
    try SyncedDirectory(path: Array("\(path)/synced".utf8), way: way)
  }

  func folder(_ name: String) throws {
    guard mkdir("\(path)/\(name)", 0o755) == 0 else { throw Failure(description: "mkdir \(name): \(errno)") }
  }

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

  static func text(at path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// What an open document holds.
func text(of document: OpenDocument) -> String {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = pread(document.descriptor.number, &bytes, bytes.count, 0)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

func relative(_ text: String) throws -> RelativePath { try #require(RelativePath(text)) }
