// SPDX-License-Identifier: MIT

import ActivityModel
import SyncedFolders
import Testing

@Suite("What an app shows, as far as its agent knows") struct ShownVersionTests {
  private let one = ArrivalScript.digest("one")
  private let two = ArrivalScript.digest("two")
  private var shown = ShownVersion()

  private mutating func isTold(_ digest: ContentDigest, _ number: UInt64) -> Bool {
    shown.mustHear(of: digest, telling: number)
  }

  private mutating func isToldOfTheEnd(_ number: UInt64) -> Bool { shown.mustHearOfEnd(telling: number) }

  /// Whether the disk's bytes are news, without telling them.
  private func isNews(_ digest: ContentDigest) -> Bool {
    var asked = shown
    return asked.mustHear(of: digest, telling: .max)
  }

  @Test func whoSaidNothingYetIsTold() {
    #expect(isNews(one))
  }

  @Test mutating func whatItShowsItIsNotTold() {
    shown.shows(one, said: 1)
    #expect(!isNews(one))
    #expect(isNews(two))
    let answer2 = isTold(two, 2)
    #expect(answer2)
    let answer3 = isTold(two, 3)
    #expect(!answer3)
  }

  @Test mutating func whatItSaidBeforeItWasToldDoesNotCount() {
    shown.saves(said: 1)
    let answer2 = isTold(two, 2)
    let answer3 = isTold(two, 3)
    #expect(answer2 && answer3, "its save was under way")
    shown.shows(one, said: 1)
    #expect(isNews(one))
    #expect(!isNews(two))
  }

  @Test mutating func theAnswerToAnEarlierStatementDoesNotCountAfterThatToALaterOne() {
    shown.shows(two, said: 2)
    shown.shows(one, said: 1)
    #expect(!isNews(two))
    shown.shows(nil, said: 3)
    #expect(isNews(one))
    #expect(isNews(two))
  }

  @Test mutating func whatItTookItShows() {
    shown.shows(one, said: 1)
    shown.took(two, handed: 2, said: 3)
    #expect(!isNews(two))
    #expect(isNews(one))
  }

  @Test mutating func whoWasToldBetweenTheHandOverAndTheAnswerShowsEither() {
    let answer2 = isTold(one, 2)
    #expect(answer2)
    shown.took(two, handed: 1, said: 3)
    #expect(isNews(one))
    #expect(isNews(two))
  }

  @Test mutating func whatItShowedBeforeItsSaveIsNewsUntilTheSaveIsFoundOut() {
    shown.shows(one, said: 1)
    shown.saves(said: 2)
    #expect(isNews(one))
    let answer3 = isTold(one, 3)
    #expect(answer3)
    // It may have seen its own save, which may come to nothing yet.
    let answer4 = isTold(one, 4)
    #expect(answer4)
    #expect(!isNews(one))
    // The answer comes after a look that found the earlier bytes again.
    shown.shows(two, said: 2)
    #expect(!isNews(one))
    #expect(isNews(two))
    shown.saves(said: 5)
    shown.shows(two, said: 5)
    #expect(!isNews(two))
  }

  @Test mutating func whoOpensAgainIsStillKnownToHaveBeenTold() {
    let answer2 = isTold(one, 2)
    let answer3 = isToldOfTheEnd(3)
    #expect(answer2 && answer3)
    shown.opens(said: 4)
    shown.took(two, handed: 1, said: 5)
    #expect(isNews(two))
    let answer6 = isToldOfTheEnd(6)
    #expect(answer6, "whoever opens it takes it for one that is there")
  }

  @Test mutating func whoSavedBetweenTheHandOverAndTheAnswerShowsEither() {
    shown.shows(one, said: 1)
    shown.saves(said: 3)
    shown.took(two, handed: 2, said: 4)
    #expect(isNews(two))
    // What it had saved is found out only now: it may have taken the other over it.
    shown.shows(one, said: 3)
    #expect(isNews(one))
  }

  @Test mutating func whoSavedBeforeTheHandOverShowsWhatItTook() {
    shown.saves(said: 1)
    shown.took(two, handed: 2, said: 3)
    shown.shows(one, said: 1)
    #expect(!isNews(two))
    #expect(isNews(one))
  }

  @Test mutating func theEndIsToldOnceAndEndsWithWhatComesBack() {
    shown.shows(one, said: 1)
    let answer2 = isToldOfTheEnd(2)
    #expect(answer2)
    let answer3 = isToldOfTheEnd(3)
    #expect(!answer3)
    #expect(isNews(one))
    let answer4 = isTold(one, 4)
    #expect(answer4)
    let answer5 = isToldOfTheEnd(5)
    #expect(answer5)
    shown.moved()
    let answer6 = isToldOfTheEnd(6)
    #expect(answer6)
    shown.shows(one, said: 7)
    let answer8 = isToldOfTheEnd(8)
    #expect(answer8)
  }
}
