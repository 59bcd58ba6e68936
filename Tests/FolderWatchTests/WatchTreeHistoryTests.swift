// SPDX-License-Identifier: MIT

import ActivityModel
import Testing
import TestSamples

@testable import FolderWatch

/// Random histories: whatever happens between two reads, whoever only follows the hints ends up with the
/// truth.
@Suite("Watch tree histories")
struct WatchTreeHistoryTests {
  @Test("Following the hints gives the true tree, and every folder is watched under its own path")
  func histories() {
    for seed in UInt64(0)..<1000 {
      var history = History(generator: SeededGenerator(seed: seed))
      let failure = history.play(steps: 60)
      #expect(failure == nil, "seed \(seed)")
      if failure != nil { return }
    }
  }

  @Test(
    "At the watch limit, or where file systems are silent, following hints and polling gives the true tree")
  func polledHistories() {
    for seed in UInt64(0)..<1000 {
      var history = History(generator: SeededGenerator(seed: seed))
      history.limit = Int(seed % 7)
      if seed % 5 == 0 { history.driver.silent = "nfs" }
      let failure = history.play(steps: 60)
      #expect(failure == nil, "seed \(seed)")
      if failure != nil { return }
    }
  }

  struct History {
    /// How many watches the kernel allows; nil for as many as are asked for.
    var limit: Int?
    var generator: SeededGenerator
    var driver = TreeDriver()
    var view = HintedView()

    /// Nil, or what is wrong at the end.
    mutating func play(steps: Int) -> String? {
      driver.kernel.watchLimit = limit ?? .max
      for path in [["r"], ["s"], ["out"], ["r", "a"], ["r", "a", "b"], ["s", "c"]] {
        driver.kernel.make(path, folder: true)
      }
      driver.add(0, ["r"])
      driver.add(1, ["s"])
      driver.add(2, ["r", "a"])
      for _ in 0..<steps {
        change()
        for _ in 0..<Int.random(in: 0...3, using: &generator) { work() }
        look()
      }
      driver.settle()
      look()
      if limit != nil {
        driver.kernel.watchLimit = limit ?? 0
        for _ in 0..<6 {
          driver.poll()
          driver.settle()
          look()
        }
        return wrongView().map { ([$0] + driver.log).joined(separator: "\n") }
      }
      return (wrongView() ?? wrongWatches()).map { ([$0] + driver.log).joined(separator: "\n") }
    }

    private mutating func change() {
      let (one, two) = (somewhere(), somewhere())
      let kind = Int.random(in: 0..<20, using: &generator)
      driver.log.append("change \(kind): \(one) \(two)")
      switch kind {
      case 0..<5: driver.kernel.make(one, folder: true)
      case 5..<8: driver.kernel.make(one, folder: false)
      case 8: driver.kernel.write(one)
      case 9..<14: driver.kernel.move(one, two)
      case 14, 15: driver.kernel.exchange(one, two)
      case 16, 17: driver.kernel.remove(one)
      case 18: driver.kernel.touch(one)
      default: if Int.random(in: 0..<6, using: &generator) == 0 { driver.kernel.overflow() }
      }
    }

    private mutating func somewhere() -> [String] {
      let top = ["r", "r", "r", "s", "out"].randomElement(using: &generator) ?? "r"
      let depth = Int.random(in: 1...3, using: &generator)
      return [top] + (0..<depth).map { _ in ["a", "b", "c"].randomElement(using: &generator) ?? "a" }
    }

    private mutating func work() {
      if limit != nil, Int.random(in: 0..<8, using: &generator) == 0 {
        driver.poll()
        driver.kernel.watchLimit = Int.random(in: 0...8, using: &generator)
        let preferred = [["a"], ["b", "c"], ["c"]].randomElement(using: &generator) ?? []
        driver.handle(.prefer(RootNumber(rawValue: 0), [preferred.map { Array($0.utf8) }]))
      }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: driver.settle()
      case 1..<4: _ = driver.followOne()
      default: _ = driver.readOne()
      }
    }

    private mutating func look() {
      for hint in driver.hints { view.take(hint, driver.kernel) }
      driver.hints = []
    }

    private func wrongView() -> String? {
      for (root, path) in [(UInt64(0), ["r"]), (1, ["s"]), (2, ["r", "a"])] {
        guard let known = view.roots[RootNumber(rawValue: root)] else {
          if root < 2 { return "root \(root) was lost" }
          continue
        }
        var truth: [[String]: String] = [:]
        HintedView.read(driver.kernel.find(path), [], into: &truth)
        if known != truth { return "root \(root): \(known) is not \(truth)" }
      }
      return nil
    }

    private func wrongWatches() -> String? {
      var needed: Set<Int32> = []
      for path in [["r"], ["s"]] {
        var truth: [[String]: String] = [:]
        HintedView.read(driver.kernel.find(path), [], into: &truth)
        for below in truth.keys.map({ path + $0 }) + [path] {
          guard let inode = driver.kernel.find(below), inode.isFolder else { continue }
          guard let descriptor = driver.kernel.watch(on: inode) else { return "\(below) is not watched" }
          needed.insert(descriptor)
          let places = driver.tree.table.watched(by: descriptor).compactMap {
            driver.tree.place(of: FolderNumber($0))
          }
          let texts = places.map {
            String(decoding: $0.root + Array(([[]] + $0.names).joined(separator: [47])), as: UTF8.self)
          }
          let wanted = "/" + below.joined(separator: "/")
          if !texts.allSatisfy({ $0 == wanted }) || texts.isEmpty { return "\(below) is taken for \(texts)" }
        }
      }
      return Set(driver.kernel.watched.keys) == needed ? nil : "watches are left over"
    }
  }

  /// What a reader of hints knows: it looks only where a hint says.
  struct HintedView {
    var roots: [RootNumber: [[String]: String]] = [:]
    private let places: [UInt64: [String]] = [0: ["r"], 1: ["s"], 2: ["r", "a"]]

    mutating func take(_ hint: FolderHint, _ kernel: MemoryKernel) {
      switch hint {
      case .watching(let root, _): roots[root] = [:]; rescan(root, [], kernel)
      case .changed(let root, let path, .deleted), .changed(let root, let path, .movedOut):
        forget(root, names(path))
        look(root, names(path), kernel)
      case .changed(let root, let path, _): look(root, names(path), kernel)
      case .moved(let root, let from, let to, let isFolder):
        for path in [from, to] {
          if isFolder { rescan(root, names(path), kernel) } else { look(root, names(path), kernel) }
        }
      case .rescan(let root, let path): rescan(root, names(path), kernel)
      case .rootLost(let root, _): roots[root] = nil
      case .watchLimit, .synchronized, .polling: break
      }
    }

    private func names(_ path: [[UInt8]]) -> [String] { path.map { String(decoding: $0, as: UTF8.self) } }

    private mutating func look(_ root: RootNumber, _ path: [String], _ kernel: MemoryKernel) {
      guard roots[root] != nil, let place = places[root.rawValue] else { return }
      let found = kernel.find(place + path)
      if found?.isFolder != true { forget(root, path) }
      if let found { roots[root]?[path] = Self.text(found) }
    }

    private mutating func rescan(_ root: RootNumber, _ path: [String], _ kernel: MemoryKernel) {
      guard roots[root] != nil, let place = places[root.rawValue] else { return }
      forget(root, path)
      if !path.isEmpty { look(root, path, kernel) }
      var found: [[String]: String] = [:]
      Self.read(kernel.find(place + path), path, into: &found)
      roots[root]?.merge(found) { $1 }
    }

    private mutating func forget(_ root: RootNumber, _ path: [String]) {
      for known in (roots[root] ?? [:]).keys where known.starts(with: path) { roots[root]?[known] = nil }
    }

    static func text(_ inode: MemoryKernel.Inode) -> String {
      inode.isFolder ? "folder" : "file \(inode.number) \(inode.version)"
    }

    static func read(_ inode: MemoryKernel.Inode?, _ path: [String], into found: inout [[String]: String]) {
      for (name, child) in inode?.names ?? [:] {
        found[path + [name]] = text(child)
        read(child, path + [name], into: &found)
      }
    }
  }
}
