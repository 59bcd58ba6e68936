// SPDX-License-Identifier: MIT

import ActivityModel
import Dispatch
import Foundation
import Synchronization
import UserActivities

/// Which files were used last, newest first, and how a file keeps that: a line each, with the time in
/// milliseconds since 1970 and the URL. Pure.
struct RecentList: Hashable {
  struct Entry: Hashable {
    var usedAt: UInt64
    var url: String
  }

  /// One thing that happened; several processes of an app each apply theirs to what the file holds.
  enum Change: Hashable {
    case used(url: String, at: UInt64)
    /// The file has another name now.
    case moved(from: String, to: String)
    case cleared
  }

  /// Why a file is not taken for a list.
  enum Fault: Error, Hashable {
    case damaged
    /// A later version of the library wrote it.
    case newer
  }

  private(set) var entries: [Entry] = []

  /// More are forgotten, the oldest first, however many an app wants to show.
  static let limit = 100
  private static let heading = "continuo-recent"

  mutating func apply(_ change: Change) {
    switch change {
    case .used(let url, let time):
      entries.removeAll { $0.url == url }
      entries.insert(Entry(usedAt: time, url: url), at: 0)
      entries = Array(entries.prefix(Self.limit))
    case .moved(let former, let url):
      guard let index = entries.firstIndex(where: { $0.url == former }) else { return }
      let isKnown = entries.contains { $0.url == url }
      if isKnown { entries.remove(at: index) } else { entries[index].url = url }
    case .cleared: entries = []
    }
  }

  var text: String {
    (["\(Self.heading) 1"] + entries.map { "\($0.usedAt) \($0.url)" }).map { $0 + "\n" }.joined()
  }

  init() {}

  /// Every line has to be whole: a list that is cut is damaged.
  init(text: String) throws(Fault) {
    guard text.hasSuffix("\n") else { throw .damaged }
    var lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)[...]
    let heading = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard heading.count == 2, heading[0] == Self.heading, let version = UInt(heading[1]) else {
      throw .damaged
    }
    guard version == 1 else { throw .newer }
    for line in lines {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let time = UInt64(parts[0]), FileURL.path(of: String(parts[1])) != nil else {
        throw .damaged
      }
      entries.append(Entry(usedAt: time, url: String(parts[1])))
    }
  }
}

/// An app's recent files, durably and for all its processes, where there is a place for them. Main actor
/// only; the file is written elsewhere.
@MainActor
final class RecentDocuments {
  private let file: RecentFile?
  /// What the file held when it was read last; without a file the list itself.
  private var list = RecentList()
  private var stamp: FileStamp?
  /// What the file does not hold yet, oldest first.
  private var unwritten: [RecentList.Change] = []
  private var isWriting = false
  private var toldFaults: Set<String> = []
  private let queue = DispatchQueue(label: "org.continuo.documents.recent")
  private nonisolated let outcome = Mutex<(count: Int, result: Result<ContinuityError?, ContinuityError>)?>(
    nil)

  /// Without a place the list lives as long as the process.
  init(_ file: RecentFile?) { self.file = file }

  /// Whether it outlives the process.
  var isKept: Bool { file != nil }

  /// Newest first, with what other processes of this app used.
  var urls: [String] {
    look()
    var list = list
    for change in unwritten { list.apply(change) }
    return list.entries.map(\.url)
  }

  func record(_ change: RecentList.Change) {
    guard file != nil else { return list.apply(change) }
    unwritten.append(change)
    // One that cannot be written grows no further than a list may.
    if unwritten.count > 2 * RecentList.limit { unwritten.removeFirst() }
    write()
  }

  /// Returns when what was taken is on the disk, or cannot be brought there. A process of this app that was
  /// stopped while it wrote is not waited for longer than 2 s.
  func finish() {
    repeat {
      let turn = DispatchSemaphore(value: 0)
      queue.async { turn.signal() }
      guard turn.wait(timeout: .now() + 2) == .success else { return }
      ended()
    } while isWriting
  }

  private func look() {
    guard let file, let now = DocumentFile.stamp(file.path), now != stamp else { return }
    do throws(ContinuityError) {
      list = try file.read()
      stamp = now
    } catch {
      report(error)
    }
  }

  private func write() {
    guard let file, !isWriting, !unwritten.isEmpty else { return }
    isWriting = true
    let changes = unwritten
    queue.async {
      let result = Result { () throws(ContinuityError) in try file.apply(changes) }
      self.outcome.withLock { $0 = (changes.count, result) }
      DispatchQueue.main.async { MainActor.assumeIsolated { self.ended() } }
    }
  }

  private func ended() {
    let ended = outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
    guard let ended else { return }
    isWriting = false
    switch ended.result {
    case .success(let damage): damage.map(report)
    // What failed is tried again with the next use.
    case .failure(let fault): return report(fault)
    }
    look()
    unwritten.removeFirst(min(ended.count, unwritten.count))
    write()
  }

  private func report(_ fault: ContinuityError) {
    if toldFaults.insert(fault.description).inserted { ActivityLog.error(fault.description) }
  }
}
