// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// The package's text files, by their path from its root.
struct SourceTree {
  var files: [String: String]

  /// The package that this test belongs to.
  static let ofThisPackage = SourceTree(root: URL(filePath: #filePath + "/../../..").standardized)

  init(files: [String: String]) { self.files = files }

  private init(root: URL) {
    files = [:]
    for top in ["Sources", "Tests", "Fixtures", "docs"] {
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: top).path)) ?? []
      for path in paths where !path.hasPrefix(".") {
        load(top + "/" + path, root)
      }
    }
    load("Package.swift", root)
    load("Makefile", root)
    load("README.md", root)
    load("CHANGELOG.md", root)
    load("LICENSE", root)
  }

  private mutating func load(_ path: String, _ root: URL) {
    guard let bytes = try? Data(contentsOf: root.appending(path: path)) else { return }
    files[path] = String(decoding: bytes, as: UTF8.self)
  }

  /// Swift files below one of `directories`, in order.
  func swiftFiles(below directories: String...) -> [(path: String, text: String)] {
    files.filter { file in
      file.key.hasSuffix(".swift") && directories.contains { file.key.hasPrefix($0 + "/") }
    }
    .map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Swift files of one room, or of all of them, in order.
  func swiftFiles(ofRoom room: String? = nil) -> [(path: String, text: String)] {
    swiftFiles(below: "Sources", "Tests").filter { path, _ in
      SourceTree.room(of: path).map { room == nil || $0 == room } ?? false
    }
  }

  /// The room that a file belongs to, `Sources/FOLDER/ROOM` or one of the tests' own; nil for one that is in
  /// none.
  static func room(of path: String) -> String? {
    let parts = path.split(separator: "/")
    // What is installed beside programs is no room.
    guard parts.count > 3, !path.hasPrefix("Sources/Packaging/"),
      parts[0] == "Sources" || ["Tools", "Support"].contains(parts[1])
    else { return nil }
    return String(parts[2])
  }

  /// Programs that people run.
  static let programs: Set<String> = [
    "continuo", "continuo-desktop", "continuo-edit", "continuo-lan", "continuo-watch",
    "continuo-write",
  ]
  /// Programs that test and measure: they look into everything.
  static let tools: Set<String> = ["fixtures", "continuo-bench", "fuzz", "continuo-fuzz"]

  /// Whether a file belongs to a room that others import.
  static func isLibrary(_ path: String) -> Bool {
    room(of: path).map { !programs.contains($0) && !tools.contains($0) } ?? false
  }

  func lines(of path: String) -> [Substring] { SourceTree.lines(files[path] ?? "") }

  static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension StringProtocol {
  /// Whether these bytes stand in it: what rules ask of each line before they look closer, which costs a
  /// hundred times as much in a build for debugging.
  func holds(_ mark: String) -> Bool {
    let mark = Array(mark.utf8)
    let found = utf8.withContiguousStorageIfAvailable { text -> Bool in
      guard let base = text.baseAddress, let first = mark.first else { return mark.isEmpty }
      var start = 0
      while text.count - start >= mark.count,
        let next = memchr(base + start, Int32(first), text.count - start - mark.count + 1)
      {
        if memcmp(next, mark, mark.count) == 0 { return true }
        start = UnsafePointer(next.assumingMemoryBound(to: UInt8.self)) - base + 1
      }
      return false
    }
    return found ?? contains(String(decoding: mark, as: UTF8.self))
  }
}
