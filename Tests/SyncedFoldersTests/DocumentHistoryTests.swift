// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite struct DocumentHistoryTests {
  private func digest(_ number: Int) -> ContentDigest { ArrivalScript.digest("v\(number)") }

  private func history(_ numbers: Int...) -> DocumentHistory {
    var history = DocumentHistory()
    for number in numbers { history.record(digest(number)) }
    return history
  }

  @Test("a version descends from those before it, and none twice in a row")
  func lineage() {
    let history = history(1, 2, 2, 3)
    #expect(history.generation == 3)
    #expect(history.lineage(before: digest(3)) == [digest(2).prefix, digest(1).prefix])
    #expect(history.lineage(before: digest(9)).count == 3)
    #expect(history.contains(digest(2)) && !history.contains(digest(9)))
  }

  @Test("a version that comes back stands there twice")
  func undo() {
    #expect(history(1, 2, 1).lineage(before: digest(1)) == [digest(2).prefix, digest(1).prefix])
  }

  @Test("after a thousand versions the newest half is whole and the first is remembered")
  func thinning() {
    var history = DocumentHistory()
    for number in 1...1000 { history.record(digest(number)) }
    #expect(history.versions.count <= DocumentHistory.limit)
    #expect(history.generation == 1000)
    #expect(history.contains(digest(1)))
    for number in 873...1000 { #expect(history.contains(digest(number)), "\(number)") }
  }

  @Test("what another device knows of older versions counts, too")
  func olderVersionsOfAnother() {
    var history = history(1, 2)
    let lineage = [digest(1), digest(8), digest(9)].map(\.prefix)
    history.adopt(DocumentVersion(digest: digest(2), size: 1, generation: 2, lineage: lineage))
    #expect(history.versions == [digest(2).prefix] + lineage)
    #expect(history.generation == 4, "never fewer than are known")
  }

  @Test("the largest number that another device can say does not end anything")
  func largestGeneration() {
    var history = history(1)
    history.adopt(DocumentVersion(digest: digest(2), size: 1, generation: .max))
    history.record(digest(3))
    #expect(history.generation == .max)
    #expect(history.versions == [3, 2, 1].map { digest($0).prefix })
  }

  @Test("continuing another device's version takes its ancestors over, in order")
  func adopting() {
    var history = history(1)
    let other = self.history(0, 1, 2, 3)
    history.adopt(other.version(digest(3), size: 5))
    #expect(history.versions == other.versions)
    #expect(history.generation == 4)
    history.adopt(other.version(digest(3), size: 5))
    #expect(history.versions == other.versions)
    #expect(history.generation == 4)
  }

  @Test("a version seen before its ancestors were known gets them below it")
  func adoptingWhatIsHere() {
    var history = history(1, 3)
    history.adopt(self.history(1, 2, 3).version(digest(3), size: 5))
    #expect(history.versions == [digest(3), digest(2), digest(1)].map(\.prefix))
  }

  @Test("each of two devices that went back and forth knows which of them is later")
  func turns() {
    let early = history(1, 2)
    let late = history(1, 2, 1)
    let lateVersion = late.version(digest(1), size: 5)
    let earlyVersion = early.version(digest(2), size: 5)
    #expect(VersionOrder.standing(of: digest(2), to: lateVersion, history: early) == .behind)
    #expect(VersionOrder.standing(of: digest(1), to: earlyVersion, history: late) == .ahead)
  }

  @Test("what neither side ever had is diverged, and an ancestor from an earlier record counts")
  func s45b_standing() {
    let version = history(1, 2).version(digest(2), size: 5)
    #expect(VersionOrder.standing(of: digest(2), to: version) == .current)
    #expect(VersionOrder.standing(of: digest(1), to: version) == .behind)
    #expect(VersionOrder.standing(of: digest(7), to: version) == .diverged)
    #expect(VersionOrder.standing(of: digest(7), to: version, ancestors: [digest(7).prefix]) == .behind)
    #expect(VersionOrder.standing(of: digest(7), to: version, history: history(2, 7)) == .ahead)
  }
}
