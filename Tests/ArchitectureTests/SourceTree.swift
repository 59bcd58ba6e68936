// SPDX-License-Identifier: MIT

import Foundation

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

  func lines(of path: String) -> [Substring] { SourceTree.lines(files[path] ?? "") }

  static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
