// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import FolderWatch

/// One file of `Fixtures/watching`: steps, a line `---`, and the hints that must come, all of them and in
/// order.
struct WatchScript {
  var steps: [[String]] = []
  var expected: [String] = []
  private var driver = TreeDriver()
  private var rootNames: [String] = []

  struct UnknownStep: Error {
    let words: [String]
  }

  init(text: String) {
    var inExpected = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) where !line.hasPrefix("#") {
      if line == "---" {
        inExpected = true
      } else if inExpected {
        expected.append(String(line))
      } else {
        steps.append(line.split(separator: " ").map(String.init))
      }
    }
  }

  /// The hints that the steps lead to, as text.
  mutating func run() throws -> [String] {
    for words in steps {
      if try !folderStep(words) { try watchStep(words) }
    }
    driver.settle()
    return driver.hints.map(text)
  }

  private mutating func folderStep(_ words: [String]) throws -> Bool {
    let paths = words.dropFirst().map { $0.split(separator: "/").map(String.init) }
    switch (words.first, paths.count) {
    case ("mkdir", 1): driver.kernel.make(paths[0], folder: true)
    case ("file", 1): driver.kernel.make(paths[0], folder: false)
    case ("write", 1): driver.kernel.write(paths[0])
    case ("touch", 1): driver.kernel.touch(paths[0])
    case ("remove", 1): driver.kernel.remove(paths[0])
    case ("move", 2): driver.kernel.move(paths[0], paths[1])
    case ("exchange", 2): driver.kernel.exchange(paths[0], paths[1])
    case ("unmount", 1): driver.kernel.unmount(paths[0])
    case ("deny", 1): driver.kernel.denied.insert(words[1])
    case ("allow", 1):
      driver.kernel.denied.remove(words[1])
      driver.kernel.touch(paths[0])
    case ("cookie", 2): driver.kernel.make(paths[0] + [cookieName(words[2])], folder: false)
    default: return false
    }
    return true
  }

  private mutating func watchStep(_ words: [String]) throws {
    switch (words.first, words.count) {
    case ("watch", 2):
      let known = rootNames.firstIndex(of: words[1])
      if known == nil { rootNames.append(words[1]) }
      driver.add(UInt64(known ?? rootNames.count - 1), words[1].split(separator: "/").map(String.init))
    case ("unwatch", 2):
      let number = rootNames.firstIndex(of: words[1]) ?? 0
      driver.handle(.remove(RootNumber(rawValue: UInt64(number))))
    case ("deliver", 1): driver.deliver()
    case ("settle", 1): driver.settle()
    case ("read", 1): _ = driver.readOne()
    case ("follow", 1): _ = driver.followOne()
    case ("overflow", 1): driver.kernel.overflow()
    case ("stray", 1): driver.kernel.stray()
    case ("poll", 1): driver.poll()
    case ("silent", 2): driver.silent = words[1]
    case ("prefer", 2):
      let (root, path) = try placed(words[1])
      driver.handle(.prefer(root, [path]))
    case ("suspect", 2): driver.handle(.suspect(try placed(words[1]).root))
    case ("limit", 2): driver.kernel.watchLimit = Int(words[1]) ?? 0
    default: throw UnknownStep(words: words)
    }
  }

  private func placed(_ text: String) throws -> (root: RootNumber, path: [[UInt8]]) {
    guard let index = rootNames.firstIndex(where: { text == $0 || text.hasPrefix($0 + "/") }) else {
      throw UnknownStep(words: [text])
    }
    let below = text.dropFirst(rootNames[index].count).split(separator: "/").map { Array($0.utf8) }
    return (RootNumber(rawValue: UInt64(index)), below)
  }

  private func cookieName(_ hex: String) -> String {
    String(decoding: WatchCookie.name(for: [UInt8](hexadecimal: hex) ?? []), as: UTF8.self)
  }

  private func text(_ hint: FolderHint) -> String {
    func place(_ root: RootNumber, _ path: [[UInt8]]) -> String {
      ([rootNames[Int(root.rawValue)]] + path.map { String(decoding: $0, as: UTF8.self) }).joined(
        separator: "/")
    }
    return switch hint {
    case .watching(let root, let folders): "watching \(place(root, [])) \(folders)"
    case .changed(let root, let path, let change): "\(change) \(place(root, path))"
    case .moved(let root, let from, let to, let isFolder):
      "moved \(place(root, from)) \(place(root, to))" + (isFolder ? " folder" : "")
    case .rescan(let root, let path): "rescan \(place(root, path))"
    case .rootLost(let root, _): "lost \(place(root, []))"
    case .watchLimit(let root, let path, let limit): "limit \(place(root, path)) \(limit)"
    case .polling(let root, let folders, _): "polling \(place(root, [])) \(folders)"
    case .synchronized(let root, let cookie): "synchronized \(place(root, [])) \(cookie.hexadecimal)"
    }
  }
}
