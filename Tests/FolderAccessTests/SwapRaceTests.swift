// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem
import SyncedFolders
import Synchronization
import TestSupport
import Testing

@testable import FolderAccess

/// Names in a synced folder change places with links that lead out of it, while files below them are opened:
/// nothing outside is read, listed or written. `CONTINUO_SWAPS` says how often; `make swaps` plays 100,000.
@Suite(.serialized) struct SwapRaceTests {
  static let swaps = CurrentProcess.variable("CONTINUO_SWAPS").flatMap { Int($0) } ?? 10_000

  /// What changes places with a link.
  enum Swapped: String, CaseIterable {
    case folder = "real"
    case file = "real/plan.md"

    /// Where the link lies, and where it leads from there.
    var link: (name: String, target: String) {
      switch self {
      case .folder: ("spare", "../outside")
      case .file: ("real/spare.md", "../../outside/plan.md")
      }
    }
  }

  @Test(
    "whatever is swapped for a link, 0 opens lead outside", arguments: [Beneath.Way.kernel, .walk],
    Swapped.allCases)
  func swapRace(way: Beneath.Way, swapped: Swapped) throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    try scratch.folder("synced/real")
    try scratch.write("outside/plan.md", "secret")
    try scratch.write("outside/elsewhere.md", "secret")
    try scratch.write("synced/real/plan.md", "alpha")
    try scratch.link("synced/\(swapped.link.name)", to: swapped.link.target)
    let directory = try scratch.directory(way)
    let swapper = try Swapper(
      "\(scratch.path)/synced/\(swapped.rawValue)", "\(scratch.path)/synced/\(swapped.link.name)",
      count: Self.swaps)
    let (path, folder) = (try relative("real/plan.md"), try relative("real"))
    let secret = ContentHasher.digest(of: Array("secret".utf8))
    var (opened, refused, escapes) = (0, 0, 0)
    repeat {
      if case .file(let stamp) = directory.observe(path), stamp.size == 6 { escapes += 1 }
      if case .stable(let digest, _, _) = directory.hash(path), digest == secret { escapes += 1 }
      if let listing = try? directory.list(folder),
        listing.entries.contains(where: { $0.name == Array("elsewhere.md".utf8) })
      {
        escapes += 1
      }
      guard let document = try? directory.open(path) else {
        refused += 1
        continue
      }
      opened += 1
      if text(of: document) != "alpha" { escapes += 1 }
    } while !swapper.isDone
    print(
      "\(Self.swaps) swaps of a \(swapped), by \(way): \(opened) opened, \(refused) refused, "
        + "\(escapes) escapes"
    )
    #expect(escapes == 0)
    #expect(opened > 0 && refused > 0, "opened \(opened), refused \(refused): the race did not happen")
  }

  @Test("whoever swaps .continuo for a link gets no record outside, and 0 bytes of what lies there")
  func recordsRace() throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    try scratch.write("outside/d-x.rec", "secret")
    let directory = try scratch.directory()
    let records = try #require(try OwnDirectory.records(in: directory, creating: true))
    try records.replace("d-x.rec", with: Array("alpha".utf8))
    try scratch.link("synced/spare", to: "../outside")
    let swapper = try Swapper(
      "\(scratch.path)/synced/.continuo", "\(scratch.path)/synced/spare", count: Self.swaps)
    var (done, refused, escapes) = (0, 0, 0)
    repeat {
      if let bytes = try? records.read("d-x.rec", limit: 64) {
        done += 1
        if bytes != Array("alpha".utf8) { escapes += 1 }
      } else {
        refused += 1
      }
      _ = try? records.replace("d-x.rec", with: Array("alpha".utf8))
    } while !swapper.isDone
    print("\(Self.swaps) swaps of .continuo: \(done) read, \(refused) refused, \(escapes) escapes")
    #expect(escapes == 0)
    #expect(done > 0 && refused > 0, "read \(done), refused \(refused): the race did not happen")
    #expect(Scratch.names(in: "\(scratch.path)/outside") == ["d-x.rec"])
    #expect(scratch.text("outside/d-x.rec") == "secret")
  }
}

/// Exchanges two names as fast as it can, on a thread of its own: every second time in one step, else over a
/// third name.
private final class Swapper: Sendable {
  private let isFinished = Atomic(false)

  /// Begins at once.
  init(_ one: String, _ other: String, count: Int) throws {
    try DetachedThread.start { self.run(FilePath(one), FilePath(other), count: count) }
  }

  var isDone: Bool { isFinished.load(ordering: .acquiring) }

  private func run(_ one: FilePath, _ other: FilePath, count: Int) {
    let between = FilePath(bytes: other.bytes + Array(".between".utf8))
    for number in 0..<count {
      if number.isMultiple(of: 2) {
        try? one.rename(to: other, mode: .exchanging)
      } else {
        try? one.rename(to: between)
        try? other.rename(to: one)
        try? between.rename(to: other)
      }
    }
    isFinished.store(true, ordering: .releasing)
  }
}
