// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import AppSession
import Testing

@Suite("An app before its agent")
struct AppSessionTests {
  @Test func everythingIsSaidAgainAfterAReconnect() {
    let app = App()
    app.session.handle(.opened(path: App.path, file: nil))
    app.session.handle(.becameCurrent(app.activity))
    app.link.comesUp = true
    app.session.connect()
    app.session.tick()
    app.session.offer(app.state)
    app.link.lose()
    app.link.requests = []
    app.now = app.now + .seconds(1)
    app.session.tick()
    #expect(
      app.link.requests == [
        .hello(app.session.manifest), .opened(path: App.path), .update(app.state, saved: nil),
      ])
  }

  @Test func anAgentThatIsNotThereIsTriedAgainAfterThePause() {
    let app = App()
    app.session.connect()
    #expect(app.reports == [.couldNotConnect])
    #expect(app.session.nextDeadline == app.now + .milliseconds(20))
    app.session.tick()
    #expect(app.link.tries == 1, "it is too early")
    app.now = app.now + .milliseconds(20)
    app.session.tick()
    #expect(app.link.tries == 2 && app.session.nextDeadline == app.now + .milliseconds(20))
    app.link.comesUp = true
    app.now = app.now + .milliseconds(20)
    app.session.tick()
    #expect(app.session.isConnected && app.session.nextDeadline == nil)
    app.link.lose()
    #expect(app.reports.last == .connectionChanged && app.session.nextDeadline != nil)
    app.session.stop()
    #expect(app.session.nextDeadline == nil)
  }

  @Test func aReportIsToldWhenItsForerunnerHasReturned() {
    let app = App.connected()
    var depth = 0
    var deepest = 0
    app.answer = { report in
      depth += 1
      deepest = max(deepest, depth)
      if case .round = report {
        app.session.receive(.roots([]))
        app.session.receive(.offers([]))
        app.session.offer(app.state)
        #expect(app.link.requests.last == .update(app.state, saved: nil), "what is said goes out at once")
      }
      depth -= 1
    }
    app.session.handle(.becameCurrent(app.activity))
    app.reports = []
    app.session.tick()
    #expect(app.reports == [.round(app.activity), .rootsChanged, .offersChanged])
    #expect(deepest == 1)
  }

  @Test func theOtherEndOfASocketIsHandedOverWithTheEndOfItsStreams() {
    let app = App.connected()
    let (asked, dropped) = (RequestID.random(), RequestID.random())
    app.session.handle(.asksStreams(asked, delivery: .random()))
    app.reports = []
    for (request, end) in [(asked, Int32(71)), (dropped, 72)] {
      app.session.receive(.streams(request, .prepared), descriptor: end)
    }
    app.session.receive(.streams(asked, .opened), descriptor: 73)
    app.session.receive(.streams(asked, .ended))
    #expect(
      app.reports == [
        .streams(asked, .opened, descriptor: 73), .streams(asked, .ended, descriptor: 71),
      ])
    app.link.lose()
    guard
      case .streams(dropped, .failed, descriptor: 72)? = app.reports.last(where: { $0 != .connectionChanged })
    else {
      Issue.record("\(app.reports)")
      return
    }
    app.session.receive(.streams(dropped, .prepared), descriptor: 74)
    app.session.stop()
    #expect(app.closed == [74])
  }

  @Test func streamsThatAreOpenedWithoutASocketOrEndBeforeFailOnce() {
    let app = App.connected()
    let (socketless, declined) = (RequestID.random(), RequestID.random())
    for request in [socketless, declined] {
      app.session.handle(.asksStreams(request, delivery: .random()))
      app.session.receive(.streams(request, .prepared), descriptor: 71)
    }
    app.reports = []
    app.session.receive(.streams(socketless, .opened))
    for request in [socketless, declined, declined] { app.session.receive(.streams(request, .ended)) }
    let told = app.reports.map { report -> String in
      guard case .streams(_, .failed(let error), descriptor: 71) = report else { return "\(report)" }
      return error.description
    }
    #expect(
      told == [
        "Too many files are open in this app: close some, and ask again.",
        "The app on the other device ended the streams at once.",
      ])
  }

  @Test func aRoundIsOneReportAndOneAnswer() {
    let app = App.connected()
    app.session.handle(.becameCurrent(app.activity))
    app.answer = { report in
      guard case .round(let activity) = report else { return }
      #expect(app.session.isInRound(activity))
      app.session.handle(.saved(activity))
      app.session.offer(app.state, saved: SavedFile(descriptor: 7, mark: App.mark))
    }
    app.reports = []
    app.link.requests = []
    app.session.tick()
    app.now = app.now + .seconds(10)
    app.session.tick()
    #expect(app.reports == [.round(app.activity)], "the save is part of the round that had it made")
    #expect(app.link.requests == [.update(app.state, saved: App.mark)])
    #expect(app.link.descriptors == [7] && app.closed == [7])
    #expect(!app.session.isInRound(app.activity))
  }

  @Test func aDocumentThatCannotSaveItselfYetGetsAnotherRound() {
    let app = App.connected()
    app.session.handle(.becameCurrent(app.activity))
    app.session.tick()
    app.session.offer(app.state, again: app.now + .seconds(5))
    #expect(app.session.nextDeadline == app.now + .seconds(5))
  }

  @Test func aRoundOfTheAppsOwnTakesThePendingOnesPlace() {
    let app = App.connected()
    app.session.handle(.becameCurrent(app.activity))
    app.session.handle(.beginsRound(app.activity))
    #expect(app.session.isInRound(app.activity) && app.session.nextDeadline == nil)
    app.session.offer(app.state)
    #expect(app.link.requests.last == .update(app.state, saved: nil))
  }

  @Test func whatCannotTravelIsWithheldWithTheReason() {
    let app = App.connected()
    app.session.handle(.becameCurrent(app.activity))
    app.session.tick()
    app.session.offer(app.state)
    var state = app.state
    state.requiredUserInfoKeys = ["page"]
    app.link.requests = []
    let obstacle = app.session.offer(state, saved: SavedFile(descriptor: 8, mark: App.mark))
    #expect(obstacle?.subject == "page")
    #expect(app.link.requests.first == .withdraw(app.activity))
    #expect(app.link.descriptors.isEmpty && app.closed == [8])
    state.flags = []
    #expect(app.session.offer(state) == nil, "nobody is to see it, so nothing is missing")
  }

  // MARK: Saves that another device asks for (semantics 25g)

  /// The state that was saved goes first, and the answer once.
  @Test func aSaveThatIsAskedForIsAnsweredByTheRoundThatFollows() {
    let app = App.current()
    let request = RequestID.random()
    app.session.receive(.saveNow(request, app.activity, device: "laptop"))
    app.session.receive(.saveNow(request, app.activity, device: "laptop"))
    #expect(app.reports == [.asksToSave(request, app.activity, device: "laptop")])
    app.session.offer(app.state)
    app.link.requests = []
    app.session.handle(.agreesToSave(request, isSaved: false))
    #expect(app.reports.last == .round(app.activity) && app.link.requests.isEmpty)
    app.session.offer(app.state, saved: SavedFile(descriptor: 8, mark: App.mark))
    #expect(
      app.link.requests == [
        .update(app.state, saved: App.mark),
        .answerSave(request, .saved(changedAt: app.state.changedAt)),
      ])
    app.session.handle(.refusesToSave(request, "late"))
    app.session.offer(app.state)
    #expect(app.link.requests.count == 3, "an answer once")
  }

  @Test func whatStaysUnsavedIsNoAnswerOfARoundThatRanBefore() {
    let app = App.current()
    let request = RequestID.random()
    app.state.flags.insert(.unsavedChanges)
    // A round began before the question, and ends after it.
    app.session.handle(.beginsRound(app.activity))
    app.session.receive(.saveNow(request, app.activity, device: "laptop"))
    app.session.handle(.agreesToSave(request, isSaved: false))
    app.link.requests = []
    app.session.offer(app.state)
    #expect(app.link.requests == [.update(app.state, saved: nil)])
    app.session.offer(app.state)
    #expect(app.link.requests.last == .answerSave(request, .refused("")))
  }

  @Test func aSaveOfWhatIsNotOfferedIsRefusedAndOneWhoseAgentIsGoneIsForgotten() {
    let app = App.current()
    let (first, second) = (RequestID.random(), RequestID.random())
    app.session.receive(.saveNow(first, .random(), device: "laptop"))
    app.session.handle(.agreesToSave(first, isSaved: true))
    #expect(app.link.requests.last == .answerSave(first, .refused("")))
    let (ended, other) = (RequestID.random(), ActivityID.random())
    app.session.receive(.saveNow(ended, other, device: "laptop"))
    #expect(app.session.requestedSaves(of: other) == [ended])
    app.session.receive(.saveNow(second, app.activity, device: "laptop"))
    app.link.lose()
    app.now = app.now + .seconds(1)
    app.session.tick()
    app.link.requests = []
    app.session.handle(.agreesToSave(second, isSaved: true))
    app.session.offer(app.state)
    #expect(
      app.link.requests == [.update(app.state, saved: nil)] && app.session.requestedSaves(of: other).isEmpty)
  }

  @Test func aSaveOfWhatHasEndedIsRefusedThoughItsAppSaysNothing() {
    let app = App.current()
    let request = RequestID.random()
    app.session.receive(.saveNow(request, app.activity, device: "laptop"))
    app.link.requests = []
    app.session.handle(.invalidated(app.activity))
    #expect(app.link.requests == [.withdraw(app.activity), .answerSave(request, .refused(""))])
  }

  // MARK: Who else has a document open (semantics 34h)

  @Test func whereTheCursorIsIsSaidOncePerLineAndAgainToTheNextAgent() {
    let app = App.connected()
    app.link.requests = []
    app.session.handle(.cursorMoved(app.activity, line: 3))
    #expect(app.link.requests == [], "the agent has not said yet what it takes")
    app.session.receive(.roots([]))
    app.session.handle(.cursorMoved(app.activity, line: 3))
    app.session.receive(.roots([]))
    #expect(app.link.requests == [.cursorMoved(app.activity, line: 3)])
    // However fast it moves on, the agent hears the newest line twenty times a second at most.
    for line in (4...4_000).reversed() as ReversedCollection<ClosedRange<UInt32>> {
      app.session.handle(.cursorMoved(app.activity, line: line))
    }
    #expect(app.link.requests.count == 1 && app.session.nextDeadline == app.now + .milliseconds(50))
    app.now = app.now + .milliseconds(50)
    app.session.tick()
    #expect(app.link.requests.last == .cursorMoved(app.activity, line: 4))
    #expect(app.link.requests.count == 2 && app.session.nextDeadline == nil)
    app.link.lose()
    app.now = app.now + .seconds(1)
    app.session.tick()
    app.link.requests = []
    app.session.receive(.roots([]))
    #expect(app.link.requests == [.cursorMoved(app.activity, line: 4)])
    app.session.handle(.invalidated(app.activity))
    app.link.lose()
    app.now = app.now + .seconds(1)
    app.session.tick()
    app.link.requests = []
    app.session.receive(.roots([]))
    #expect(app.link.requests == [], "it has ended")
  }

  @Test func whoIsThereIsNotThereWithoutAnAgentOrActivity() {
    let app = App.connected()
    let others = [DocumentPresence(offer: App.offer.id, deviceName: "laptop", line: 3)]
    app.reports = []
    app.session.receive(.presence(app.activity, []))
    app.session.receive(.presence(app.activity, others))
    app.session.receive(.presence(app.activity, others))
    #expect(app.session.presence(of: app.activity) == others)
    app.link.lose()
    #expect(
      app.reports.filter { $0 != .connectionChanged } == [
        .presence(app.activity, others), .presence(app.activity, []),
      ])
    #expect(app.session.presence(of: app.activity) == [])
    app.session.receive(.presence(app.activity, others))
    app.reports = []
    app.session.handle(.invalidated(app.activity))
    #expect(app.reports == [.presence(app.activity, [])])
  }

  @Test func aDeliveredDescriptorIsTheReceiversAndAnyOtherIsClosed() {
    let app = App.connected()
    let request = RequestID.random()
    app.session.handle(.accept(App.offer.id, request))
    app.session.receive(.roots([]), descriptor: 5)
    #expect(app.closed == [5])
    let delivery = Delivery(
      activity: app.state, path: App.path, status: ArrivalStatus(.current), deviceName: "desktop")
    app.session.receive(.deliver(request, delivery), descriptor: 6)
    #expect(app.reports.last == .deliver(request, delivery, descriptor: 6))
    app.session.handle(.finished(request, .opened))
    #expect(app.link.requests.last == .outcome(request, .opened))
    app.session.receive(.deliver(request, delivery), descriptor: 9)
    #expect(app.closed == [5, 9], "nothing is delivered twice")
  }

  @Test func aDeliveryThatNobodyWaitsForAnyMoreIsClosed() {
    let app = App.connected()
    let request = RequestID.random()
    app.session.handle(.accept(App.offer.id, request))
    app.session.didReport = nil
    let delivery = Delivery(
      activity: app.state, path: App.path, status: ArrivalStatus(.current), deviceName: "desktop")
    app.session.receive(.deliver(request, delivery), descriptor: 6)
    #expect(app.closed == [6])
  }

  @Test func aDocumentHasAnActivityInASyncedFolderOnly() {
    let app = App.connected()
    #expect(!app.session.knowsRoots)
    #expect(app.session.activityType(ofDocumentAt: App.path) == nil)
    app.session.receive(.roots([SyncedRoot(id: .random(), name: "notes", path: Array("/notes".utf8))]))
    #expect(app.session.knowsRoots)
    #expect(app.session.activityType(ofDocumentAt: App.path) == App.type)
    #expect(app.session.activityType(ofDocumentAt: Array("/notes/plan.log".utf8)) == nil)
    #expect(app.session.activityType(ofDocumentAt: Array("/notes/plan.log".utf8), ofType: "Text") == App.type)
    #expect(app.session.activityType(ofDocumentAt: Array("/else/plan.txt".utf8)) == nil)
  }

  @Test func anAnswerComesOnce() {
    let app = App.connected()
    let request = RequestID.random()
    app.session.handle(.asks(request, .contentType(name: [], beginning: [])))
    app.session.receive(.contentType(request, ["text/plain"], nil))
    app.session.receive(.contentType(request, ["text/plain"], nil))
    #expect(app.reports.filter { $0 == .answered(request, .contentTypes(["text/plain"], nil)) }.count == 1)
  }
}

/// An app that notes what it is told, with a clock and descriptors of its own.
private final class App {
  static let type = "public.text-editing"
  static let path = Array("/notes/plan.txt".utf8)
  static let mark = FileMark(inode: 1, size: 2, modified: 3)
  static let offer = Offer(
    id: OfferID(device: .random(), activity: .random()), deviceName: "desktop",
    snapshot: ActivitySnapshot(
      id: .random(), type: type, appID: "org.example.editor", changedAt: WallTime(milliseconds: 1)),
    folderName: "notes", status: ArrivalStatus(.current))

  let link = Link()
  let activity = ActivityID.random()
  private(set) lazy var session = AppSession(
    manifest: manifest, now: { [unowned self] in now }, close: { [unowned self] in closed.append($0) })
  private let manifest: AppManifest
  var now = Instant(nanoseconds: 1_000_000_000)
  var reports: [AppSession.Report] = []
  var closed: [Int32] = []
  var answer: (AppSession.Report) -> Void = { _ in }
  var state: ActivitySnapshot

  init() {
    var text = AppManifest.DocumentType(name: "Text")
    text.extensions = ["txt"]
    text.activityType = Self.type
    manifest = AppManifest(appID: "org.example.editor", name: "Editor", documentTypes: [text])
    var state = ActivitySnapshot(
      id: activity, type: Self.type, appID: manifest.appID, changedAt: WallTime(milliseconds: 1))
    state.flags = .handoff
    self.state = state
    session.link = link
    link.didChange = { [unowned self] in session.linkDidChange(isUp: $0) }
    session.didReport = { [unowned self] report in
      reports.append(report)
      answer(report)
    }
  }

  /// One whose activity is current and offered, with no report of it left.
  static func current() -> App {
    let app = connected()
    app.session.handle(.becameCurrent(app.activity))
    app.session.tick()
    app.session.offer(app.state)
    app.reports = []
    return app
  }

  static func connected() -> App {
    let app = App()
    app.link.comesUp = true
    app.session.connect()
    return app
  }
}

/// A link that comes up when the test says so.
private final class Link: ConnectingLink {
  var requests: [AgentRequest] = []
  var descriptors: [Int32] = []
  var tries = 0
  var comesUp = false
  var didChange: (Bool) -> Void = { _ in }
  private(set) var isConnected = false
  let retryDelay = Duration.milliseconds(20)

  func connect() {
    tries += 1
    guard comesUp else { return }
    isConnected = true
    didChange(true)
  }

  func retry() { connect() }

  func lose() {
    isConnected = false
    didChange(false)
  }

  func send(_ request: AgentRequest, descriptor: Int32?) {
    requests.append(request)
    if let descriptor { descriptors.append(descriptor) }
  }
}
