// SPDX-License-Identifier: MIT

import Continuo
import TestSupport
import Testing

@testable import TextEditing

/// What a bar with buttons says, and that its buttons mean what the keys do.
extension EditorMachineTests {
  private var bar: MessageBar? { machine.bar(facts) }

  @Test mutating func theBarOffersAndItsFirstButtonAccepts() throws {
    let offer = try offer()
    send(.offers([offer], shown: []))
    let shown = try #require(bar)
    #expect(shown.text == "Continue plan.md from desktop")
    #expect(shown.detail.hasPrefix("Left there at "))
    #expect(shown.answers == [.accept, .hide])
    #expect(send(.key(shown.answers[0].key)) == [.accept(offer.id)])
    #expect(bar == MessageBar(text: "Continuing …", isBusy: true, answers: [.cancel]))
  }

  @Test mutating func theBarHasAButtonForAllThatIsOpenThere() throws {
    let offer = try offer()
    send(.offers([offer], shown: [], beside: [offer.id: 9]))
    #expect(bar?.answers == [.accept, .acceptAll(10), .hide])
    #expect(send(.key(MessageBar.Answer.acceptAll(10).key)) == [.accept(offer.id, isAll: true)])
  }

  @Test func whatNeedsThePersonIsShownBeforeWhatComesByItself() throws {
    let (late, both) = (try offer("late.md", device: 1), try offer("both.md", device: 2))
    var awaited = AwaitedDocuments()
    #expect(
      awaited.note(late, standing: ArrivalStatus(.missing))
        && awaited.note(both, standing: ArrivalStatus(.diverged)))
    #expect(!awaited.note(late, standing: ArrivalStatus(.behind)) && awaited.shown?.offer.id == both.id)
    #expect(
      awaited.note(both, standing: ArrivalStatus(.behind))
        && awaited.note(late, standing: ArrivalStatus(.missing)))
    #expect(awaited.shown?.offer.id == late.id)
  }

  @Test mutating func hidingHidesTheBar() throws {
    send(.offers([try offer()], shown: []))
    send(.key(MessageBar.Answer.hide.key))
    #expect(bar == nil)
  }

  @Test mutating func theBarWaitsWithProgressAndReasonAndItsButtonsDecide() throws {
    send(.continuing)
    let status = ArrivalStatus(.behind, reason: "Syncthing brings it.", received: 50, expected: 200)
    send(.waiting(title: "plan.md", status))
    #expect(
      bar
        == MessageBar(
          text: "Waiting for plan.md", detail: "25 % of 200 bytes. Syncthing brings it.", share: 0.25,
          answers: [.choose, .cancel]))
    #expect(send(.key(MessageBar.Answer.choose.key)) == [])
    #expect(bar?.answers == [.openHere, .keepWaiting, .giveUp])
    #expect(send(.key(MessageBar.Answer.giveUp.key)) == [.choose(.giveUp)])
    #expect(send(.key(MessageBar.Answer.cancel.key)) == [.cancel])
  }

  @Test mutating func aFileThatChangedIsDecidedInTheBar() throws {
    send(.notSaved(reason: "", isChangedOnDisk: true))
    #expect(bar?.answers == [.showBoth, .keepMine, .loadTheirs, .later])
    #expect(bar?.text == "plan.md changed on disk")
    #expect(send(.key(MessageBar.Answer.keepMine.key)) == [.keepMine])
    #expect(bar == nil)
  }

  @Test mutating func typingInAViewCountsAsUseAndTakesNoAnswer() throws {
    let offer = try offer()
    send(.notice("Saved plan.md"))
    send(.offers([offer], shown: []))
    send(.used)
    #expect(machine.said == "")
    #expect(!machine.isUntouched)
    #expect(bar?.answers == [.accept, .hide])
  }

  @Test mutating func hostileNamesAreCleanInTheBar() throws {
    for bytes in try HostileNames.all() {
      guard let path = RelativePath(components: [bytes]) else { continue }
      machine = EditorMachine()
      var offered = try offer()
      let name = String(decoding: bytes, as: UTF8.self)
      (offered.path, offered.deviceName) = (path, name)
      send(.offers([offered], shown: []))
      #expect(DisplayText.isClean(try #require(bar).text))
      let label = MessageBar.Answer.copy(1, name: name).label
      #expect(DisplayText.isClean(label))
    }
  }
}
