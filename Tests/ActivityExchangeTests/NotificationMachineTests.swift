// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Of which offers the desktop tells a person, and when.
@Suite struct NotificationMachineTests {
  private typealias Action = NotificationMachine.Action
  private typealias Candidate = NotificationMachine.Candidate

  private var machine = NotificationMachine()
  private let world = ExchangeWorld()

  init() { _ = machine.handle(.server(isPresent: true)) }

  private func candidate(
    _ activity: UInt8 = 0xac, path: String = "notes/plan.md", at minute: UInt64 = 0, shown: Bool = false,
    status: ArrivalStatus = ArrivalStatus(.current), notes: [Reason] = [],
    target: ContinuationTarget? = .app, beside: Int = 0
  ) -> Candidate {
    var snapshot = world.snapshot(version: world.version())
    if let path = RelativePath(path) { snapshot.document?.path = path }
    snapshot.changedAt = WallTime(milliseconds: world.wall.milliseconds + minute * 60_000)
    let id = OfferID(device: world.desktop, activity: ExchangeWorld.id(activity, ActivityID.self))
    var offer = Offer(id: id, deviceName: "desktop", snapshot: snapshot, folderName: "notes", status: status)
    offer.notes = notes
    return Candidate(offer: offer, appName: "Editor", isShownHere: shown, target: target, besideCount: beside)
  }

  private func shown(_ actions: [Action]) -> [(
    number: NotificationNumber, content: OfferNotification, isSilent: Bool
  )] {
    actions.compactMap { action in
      if case .show(let number, let content, let isSilent) = action {
        (number, content, isSilent)
      } else {
        nil
      }
    }
  }

  private func number(_ actions: [Action]) throws -> NotificationNumber {
    try #require(shown(actions).first).number
  }

  @Test mutating func anOfferIsToldOfOnceAndALaterSaveChangesItWithoutASound() throws {
    let first = shown(machine.handle(.offers([candidate()])))
    #expect(first.count == 1 && first.first?.isSilent == false)
    #expect(machine.handle(.offers([candidate()])).isEmpty)
    // Within the minute it says the same.
    let later = shown(machine.handle(.offers([candidate(at: 3)])))
    #expect(later.count == 1 && later.first?.isSilent == true && later.first?.number == first.first?.number)
    // Another window, or another run of the app there, is the same document.
    #expect(shown(machine.handle(.offers([candidate(0xad, at: 3)]))).isEmpty)
  }

  @Test mutating func whatGoesIsWithdrawnAndToldOfAnewWhenItComesBack() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    #expect(machine.handle(.offers([])) == [.withdraw(number)])
    #expect(shown(machine.handle(.offers([candidate()]))).first?.isSilent == false)
  }

  @Test mutating func whatWasPutOffStaysSoUntilTheOtherDeviceTakesItUpAgain() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    #expect(machine.handle(.pressed(number, .notNow)) == [.withdraw(number)])
    #expect(machine.handle(.offers([candidate(at: 9)])).isEmpty)
    // A second window, and then that one alone.
    #expect(machine.handle(.offers([candidate(0xad, at: 9), candidate(at: 9)])).isEmpty)
    #expect(machine.handle(.offers([candidate(0xad, at: 10)])).isEmpty)
    #expect(machine.handle(.offers([])).isEmpty)
    #expect(shown(machine.handle(.offers([candidate(at: 10)]))).count == 1)
  }

  @Test mutating func whatWasLeftAndTakenUpAgainBetweenTwoRecordsIsToldOfAnew() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    _ = machine.handle(.pressed(number, .notNow))
    #expect(shown(machine.handle(.offers([candidate(0xad)]))).first?.isSilent == false)
  }

  @Test mutating func whatThePersonOrTheServerTookAwayIsNotShownAgain() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    #expect(machine.handle(.closed(number)).isEmpty)
    #expect(machine.handle(.offers([candidate(at: 9)])).isEmpty)
    #expect(machine.handle(.server(isPresent: false)).isEmpty)
    #expect(machine.handle(.server(isPresent: true)).isEmpty)
  }

  @Test mutating func nothingIsToldOfADocumentThatAnAppHereShows() throws {
    #expect(machine.handle(.offers([candidate(shown: true)])).isEmpty)
    // Closed here, the person knows it as it was.
    #expect(machine.handle(.offers([candidate()])).isEmpty)
    let number = try number(machine.handle(.offers([candidate(at: 5)])))
    #expect(machine.handle(.offers([candidate(at: 5, shown: true)])) == [.withdraw(number)])
  }

  @Test mutating func aServerThatReturnsIsToldAgainWhatStands() throws {
    let first = shown(machine.handle(.offers([candidate()])))
    _ = machine.handle(.server(isPresent: false))
    let again = shown(machine.handle(.server(isPresent: true)))
    #expect(again.map(\.number) == first.map(\.number) && again.map(\.content) == first.map(\.content))
    #expect(again.first?.isSilent == true)
  }

  @Test func withoutAServerNothingCountsAsTold() {
    var machine = NotificationMachine()
    #expect(machine.handle(.offers([candidate()])).isEmpty)
    #expect(shown(machine.handle(.server(isPresent: true))).first?.isSilent == false)
  }

  @Test mutating func aPressedOneIsContinuedAndShowsWhatItWaitsForAndThatItFailed() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    let offer = candidate().offer.id
    #expect(machine.handle(.pressed(number, .resume)) == [.withdraw(number), .resume(offer, .app, number)])
    // The server's own word of it.
    #expect(machine.handle(.closed(number)).isEmpty)
    let waiting = ArrivalStatus(.behind, because: .looking, received: 31, expected: 50)
    let progress = shown(machine.handle(.offers([candidate(status: waiting)])))
    guard case .one(let told)? = progress.first?.content else { throw Unexpected() }
    #expect(told.state == .arriving(.looking, percent: 62) && progress.first?.isSilent == true)
    let cause = Reason.neverConnected(app: "Editor")
    let failed = shown(machine.handle(.offers([candidate(status: waiting, notes: [cause])])))
    guard case .one(let word)? = failed.first?.content else { throw Unexpected() }
    #expect(word.state == .failed(cause) && failed.first?.isSilent == false)
    // It can be pressed again.
    #expect(machine.handle(.pressed(number, .resume)).contains(.resume(offer, .app, number)))
  }

  @Test mutating func allThatIsOpenThereIsContinuedWithItsOwnButton() throws {
    let first = shown(machine.handle(.offers([candidate(beside: 9)])))
    let number = try #require(first.first).number
    let text = first[0].content.text(in: .english) { _ in "10:00" }
    #expect(text.buttons.map(\.label) == ["Continue", "Continue all 10", "Not now"])
    #expect(first[0].content.text(in: .german) { _ in "" }.buttons.map(\.label)[1] == "Alle 10 fortsetzen")
    let offer = candidate().offer.id
    #expect(
      machine.handle(.pressed(number, .resumeAll))
        == [.withdraw(number), .resume(offer, .app, number, isAll: true)])
    // One that was closed there meanwhile changes the number.
    var other = NotificationMachine()
    _ = other.handle(.server(isPresent: true))
    _ = other.handle(.offers([candidate(beside: 9)]))
    let fewer = shown(other.handle(.offers([candidate(beside: 0)])))
    #expect(fewer.first?.isSilent == true)
    #expect(fewer.first?.content.text(in: .english) { _ in "" }.buttons.count == 2)
  }

  @Test mutating func aPressedOneThatIsHereNeedsNoWordAndEndsWhenTheAppShowsIt() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    _ = machine.handle(.pressed(number, .resume))
    #expect(machine.handle(.offers([candidate(shown: true)])).isEmpty)
    #expect(machine.handle(.offers([])).isEmpty)
  }

  @Test mutating func aThousandOffersMakeOneNotification() throws {
    let many = (0..<1000).map { candidate(UInt8($0 % 250), path: "notes/\($0).md", at: UInt64($0)) }
    let actions = machine.handle(.offers(many))
    let content = try #require(shown(actions).first).content
    guard actions.count == 1, case .several(1000, let newest) = content else { throw Unexpected() }
    #expect(newest.count == 5 && newest.first?.title == "999.md")
    let fewer = machine.handle(.offers(Array(many.prefix(3))))
    guard case .several(3, _)? = shown(fewer).first?.content else { throw Unexpected() }
    #expect(shown(fewer).first?.isSilent == true)
    let number = try number(actions)
    #expect(machine.handle(.offers([])) == [.withdraw(number)])
  }

  @Test mutating func whatAPersonSwitchedOffIsNotToldOfAndWithdrawn() throws {
    var settings = AgentSettings.Notifications()
    let number = try number(machine.handle(.offers([candidate()])))
    settings.hidesTitles = true
    guard case .one(let told)? = shown(machine.handle(.settings(settings))).first?.content else {
      throw Unexpected()
    }
    #expect(told.title == nil)
    for off in 0..<4 {
      var settings = AgentSettings.Notifications()
      switch off {
      case 0: settings.isEnabled = false
      case 1: settings.offTypes = [ExchangeWorld.type]
      case 2: settings.offFolders = ["notes"]
      default: settings.offDevices = ["desktop"]
      }
      var other = machine
      #expect(other.handle(.settings(settings)) == [.withdraw(number)])
      #expect(other.handle(.offers([candidate(at: 5)])).isEmpty)
      #expect(shown(other.handle(.settings(AgentSettings.Notifications()))).count == 1)
    }
  }

  @Test mutating func whatWentByItselfIsNotShownAgainAndCanStillBePressed() throws {
    let number = try number(machine.handle(.offers([candidate()])))
    #expect(machine.handle(.expired(number)).isEmpty)
    #expect(machine.handle(.offers([candidate(at: 5)])).isEmpty)
    #expect(machine.hasSomethingToTell)
    var gone = machine
    #expect(gone.handle(.offers([])) == [.withdraw(number)])
    #expect(shown(gone.handle(.offers([candidate(at: 6)]))).first?.isSilent == false)
    var opened = machine
    #expect(opened.handle(.offers([candidate(at: 6, shown: true)])) == [.withdraw(number)])
    // Taken up again there, by another run of the app.
    var anew = machine
    #expect(shown(anew.handle(.offers([candidate(0xad, at: 6)]))).count == 1)
    #expect(
      machine.handle(.pressed(number, .resume))
        == [.withdraw(number), .resume(candidate().offer.id, .app, number)])
  }

  @Test mutating func whatNoAppTakesIsToldOfWithWhatOpensIt() throws {
    let viewer = ContinuationTarget.defaultApp(name: "Viewer")
    #expect(machine.handle(.offers([candidate(target: nil)])).isEmpty)
    let actions = machine.handle(.offers([candidate(target: viewer)]))
    guard case .one(let told)? = shown(actions).first?.content else { throw Unexpected() }
    #expect(told.target == viewer)
    let number = try number(actions)
    #expect(
      machine.handle(.pressed(number, .resume))
        == [.withdraw(number), .resume(candidate().offer.id, viewer, number)])
  }

  @Test mutating func anEncryptedPageIsOpenedAtOnce() throws {
    let page = ContinuationTarget.browser(address: "https://example.org/")
    let number = try number(machine.handle(.offers([candidate(target: page)])))
    #expect(
      machine.handle(.pressed(number, .resume))
        == [.withdraw(number), .resume(candidate().offer.id, page, number)])
  }

  @Test mutating func aPageWithoutEncryptionIsAskedAboutWithItsAddress() throws {
    let page = ContinuationTarget.browser(address: "http://example.org/")
    let first = try number(machine.handle(.offers([candidate(target: page)])))
    let question = machine.handle(.pressed(first, .resume))
    guard case .one(let told)? = shown(question).first?.content else { throw Unexpected() }
    #expect(told.state == .questioned(address: "http://example.org/"))
    let second = try number(question)
    #expect(question.first == .withdraw(first) && second != first)
    // The next record of the same state changes nothing.
    #expect(machine.handle(.offers([candidate(target: page)])).isEmpty)
    var declined = machine
    #expect(declined.handle(.pressed(second, .notNow)) == [.withdraw(second)])
    #expect(declined.handle(.offers([candidate(at: 5, target: page)])).isEmpty)
    #expect(
      machine.handle(.pressed(second, .resume))
        == [.withdraw(second), .resume(candidate().offer.id, page, second)])
  }

  @Test mutating func anotherAddressIsAskedAboutAnew() throws {
    let first = ContinuationTarget.browser(address: "http://example.org/")
    let other = ContinuationTarget.browser(address: "http://other.example/")
    let number = try number(machine.handle(.offers([candidate(target: first)])))
    let asked = try self.number(machine.handle(.pressed(number, .resume)))
    let changed = machine.handle(.offers([candidate(at: 1, target: other)]))
    guard case .one(let told)? = shown(changed).first?.content else { throw Unexpected() }
    #expect(told.state == .offered)
    let question = machine.handle(.pressed(asked, .resume))
    guard case .one(let questioned)? = shown(question).first?.content else { throw Unexpected() }
    #expect(questioned.state == .questioned(address: "http://other.example/"))
  }

  @Test func theWordsNameTheDocumentOrHideIt() {
    let at = WallTime(milliseconds: 1_800_000_061_000)
    func text(
      _ title: String?, _ state: OfferNotification.State, target: ContinuationTarget = .app
    ) -> NotificationText {
      OfferNotification.one(
        .init(
          title: title, deviceName: "desktop", appName: "Editor", changedAt: at, target: target, state: state)
      ).text(in: .english) { "\($0.milliseconds)" }
    }
    let open = text("plan.md", .offered)
    #expect(open.summary == "Continue plan.md from desktop" && open.body == "Editor, 1800000060000")
    #expect(
      open.buttons.map(\.key) == [.resume, .notNow] && open.buttons.map(\.label) == ["Continue", "Not now"])
    #expect(text(nil, .offered).summary == "Continue from desktop")
    let waiting = text("plan.md", .arriving(.absent, percent: 7))
    #expect(waiting.summary == "Opening plan.md from desktop" && waiting.body == "The document is not here.")
    #expect(waiting.buttons.isEmpty && waiting.percent == 7)
    let viewer = text("plan.md", .offered, target: .defaultApp(name: "Viewer"))
    #expect(viewer.buttons.map(\.label) == ["Open with Viewer", "Not now"])
    let page = ContinuationTarget.browser(address: "http://a.example/\u{202E}x")
    let question = text("plan.md", .questioned(address: "http://a.example/\u{202E}x"), target: page)
    #expect(question.buttons.map(\.label) == ["Open in browser", "Not now"])
    #expect(question.summary == "Open this page without encryption?")
    #expect(question.body.hasPrefix("http://a.example/") && !question.body.contains("\u{202E}"))
    // A reason names the document.
    #expect(!text(nil, .failed(.unopenable(document: "plan.md", why: "x"))).body.contains("plan"))
  }

  private struct Unexpected: Error {}
}
