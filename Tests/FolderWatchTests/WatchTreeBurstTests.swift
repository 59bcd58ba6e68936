// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import Testing

@testable import FolderWatch

/// Which events are told by their frame alone. That the frames are the right ones is checked by every other
/// test of the tree: see `TreeDriver`.
@Suite("Events that come by the thousand")
struct WatchTreeBurstTests {
  private var driver = TreeDriver()
  private let folder: Int32

  init() throws {
    for path in [["r"], ["r", "a"], ["r", "a", "b"]] { driver.kernel.make(path, folder: true) }
    driver.add(0, ["r"])
    driver.settle()
    let inode = try #require(driver.kernel.find(["r", "a", "b"]))
    folder = try #require(driver.kernel.watch(on: inode))
  }

  private func frame(_ mask: KernelEvent.Mask, _ name: String, in watch: Int32? = nil) -> [UInt8]? {
    var bytes: [UInt8] = []
    let isAlone = Array(name.utf8).withUnsafeBytes {
      driver.tree.appendFrame(of: mask, in: watch ?? folder, name: $0, to: &bytes)
    }
    #expect(isAlone != bytes.isEmpty)
    return isAlone ? bytes : nil
  }

  @Test(
    "What happens to a file is told by its frame alone",
    arguments: [
      (KernelEvent.Mask.create, FolderHint.Change.created), (.delete, .deleted), (.closeWrite, .written),
      (.attributes, .attributes),
    ])
  func files(mask: KernelEvent.Mask, change: FolderHint.Change) {
    let hint = FolderHint.changed(
      RootNumber(rawValue: 0), path: ["a", "b", "file"].map { Array($0.utf8) }, change: change)
    #expect(frame(mask, "file") == hint.frame)
  }

  @Test("What means more, or something else, is not")
  func others() {
    for mask: KernelEvent.Mask in [.create, .delete, .attributes] {
      #expect(frame(mask.union(.isFolder), "folder") == nil)
    }
    for mask: KernelEvent.Mask in [.movedFrom, .movedTo, .overflow, .ignored, .unmount, []] {
      #expect(frame(mask, "file") == nil)
    }
    #expect(frame(.attributes, "") == nil)
    #expect(frame(.create, ".continuo-cookie-00ff~") == nil)
    #expect(frame(.create, "file", in: 1_000_000) == nil)
    #expect(frame(.create, "file", in: -1) == nil)
  }

  @Test("Below a folder in the middle of a rename, or with two names, nothing is")
  mutating func unsurePlaces() throws {
    let path = ["r", "a"]
    driver.kernel.move(path, ["r", "c"])
    _ = driver.readOne()
    #expect(frame(.create, "file") == nil)
    driver.settle()
    #expect(frame(.create, "file") != nil)
    // The same folders under a second root.
    driver.add(1, ["r", "c"])
    driver.settle()
    #expect(frame(.create, "file") == nil)
  }
}
