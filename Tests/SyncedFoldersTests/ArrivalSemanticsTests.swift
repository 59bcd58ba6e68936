// SPDX-License-Identifier: MIT

import Testing

/// Sentences of docs/semantics.md about arrival, each as a short script in the language of
/// `Fixtures/arrival`: what happens, by the millisecond, and what is reported.
@Suite struct ArrivalSemanticsTests {
  /// Steps before the line `reports`, expected reports after it. The closing counts are left out.
  private func play(_ script: String) throws -> (reported: [String], expected: [String]) {
    let parts = script.split(separator: "\n").split(separator: "reports")
    let steps = (parts.first ?? []).map { $0.split(separator: " ").map(String.init) }
    let reported = try ArrivalScript(steps: steps).output.filter { $0.first?.isNumber == true }
    return (reported, (parts.dropFirst().first ?? []).map(String.init))
  }

  @Test func s45b_whatTheHistoriesKnowSaysHowItStands() throws {
    let reference = "reference new 12 after old\n"
    let here = ["new 12", "old 5", "newer 15", "mine 8"].map { version in
      let history = version == "newer 15" ? "-50000 history newer new old\n" : ""
      return reference + "-60000 replaced \(version)\n\(history)0 folder Notes\n4000 later"
    }
    let standings = try here.map { try play($0).reported.last?.split(separator: " ")[1].filter(\.isLetter) }
    #expect(standings == ["current", "behind", "ahead", "diverged"])
  }

  @Test func s45c_whatIsNotThereIsMissingAndWhatCannotBeReadUnreadable() throws {
    let script = try play(
      """
      reference new 12
      0 folder Notes
      3000 unreadable permission is denied; give this user access
      4000 later
      reports
      0 missing: plan.md is not here; the version from desktop is still on its way through folder Notes.
      3000 unreadable: plan.md is here but cannot be read: permission is denied; give this user access; \
      it is looked at again as soon as it changes.
      """)
    #expect(script.reported == script.expected)
  }

  @Test func s46f_ofADivergedDocumentTheConflictCopyIsNamed() throws {
    let script = try play(
      """
      reference new 12 after old
      -60000 replaced mine 8
      -60000 copy new plan.sync-conflict-20260101-120000-ABCDEFG.md
      0 folder Notes
      """)
    #expect(script.reported.allSatisfy { $0.contains(" diverged: ") })
    #expect(
      script.reported.last?.contains("“plan.sync-conflict-20260101-120000-ABCDEFG.md”; choose which") == true)
  }

  @Test func s46h_whoWaitsIsToldHowFarAnUnfinishedCopyIs() throws {
    let script = try play(
      """
      reference new 50000000
      0 folder Notes
      500 accepted 60
      600 partial 20000000
      2600 later
      """)
    #expect(script.reported.contains { $0.contains("20000000/50000000") && $0.contains("20 MB of 50 MB") })
  }

  @Test func s47b_aTemporaryNameOrAConflictCopyIsNoArrival() throws {
    let unfinished = try play("reference new 12\n0 folder Notes\n500 partial 12\n60000 later\n")
    #expect(!unfinished.reported.isEmpty && !unfinished.reported.contains { $0.contains("current") })
    let places = ["plan.md~", ".plan.md.swp", "plan.sync-conflict-20260101-120000-ABCDEFG.md"]
    for place in places {
      let script = try play(
        """
        reference new 12 after old
        -60000 replaced new 12
        0 folder Notes
        1000 moved notes/\(place)
        60000 later
        """)
      #expect(script.reported.last?.contains(" missing: ") == true, "\(place)")
    }
  }

  @Test func s47c_anIntermediateVersionIsNoArrival() throws {
    let script = try play(
      """
      reference new 12 after middle old
      -60000 replaced old 5
      0 folder Notes
      500 replaced middle 12
      900 replaced new 12
      reports
      0 behind: An older version of plan.md is here; the version from desktop is still on its way \
      through folder Notes.
      900 current
      """)
    #expect(script.reported == script.expected)
  }

  @Test func s48b_aNameThatComesBackIsTheDocumentAgain() throws {
    let script = try play(
      """
      reference new 12 after old
      -60000 replaced new 12
      0 folder Notes
      1000 moved notes/saved.md
      4000 replaced new 12
      8000 later
      """)
    #expect(script.reported.contains("2000 current: plan.md is now at “notes/saved.md” in folder Notes."))
    #expect(script.reported.last == "4000 current")
  }

  @Test func s49a_anUnknownFolderIsToldWithWhatToDoAndWaitedFor() throws {
    let script = try play(
      """
      reference new 12
      -5000 replaced new 12
      0 unknown
      0 accepted 30
      12000 folder Notes
      """)
    #expect(script.reported.first?.hasPrefix("0 folderUnknown: plan.md lies in a synced folder") == true)
    #expect(script.reported.first?.contains("continuo folder add") == true)
    #expect(script.reported.last == "12000 current")
  }

  @Test func s50a_whateverIsNotThereYetIsExplained() throws {
    let states = ["replaced old 5", "replaced mine 8", "unreadable permission is denied", "unknown"]
    for state in states {
      let first = state == "unknown" ? "" : "0 folder Notes\n"
      let script = try play("reference new 12 after old\n0 accepted 60\n\(first)5000 \(state)\n9000 later\n")
      let sentence = try #require(script.reported.last?.split(separator: ": ", maxSplits: 1).last)
      #expect(sentence.hasSuffix(".") && sentence.contains("plan.md"), "\(state): \(sentence)")
    }
  }
}
