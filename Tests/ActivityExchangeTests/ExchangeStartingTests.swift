// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Testing

/// Apps that are started because a person wants an offer in them.
@Suite struct ExchangeStartingTests {
  private func offered() -> ExchangeWorld {
    var world = ExchangeWorld()
    let state = world.state([world.snapshot(version: world.version())])
    _ = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
    return world
  }

  private func began(_ actions: [ExchangeMachine.Action], for client: ClientNumber) -> [RequestID] {
    actions.compactMap { action in
      if case .report(client, .willContinue(let request, _)) = action { request } else { nil }
    }
  }

  @Test func itGetsTheOfferWhenItIsConnectedAndOnlyOnce() {
    var world = offered()
    let waiting = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    // Its document is looked for while the app starts.
    #expect(waiting.contains { if case .track(world.offer, _, isAwaited: true) = $0 { true } else { false } })
    #expect(world.machine.isStarting(for: world.offer))
    #expect(
      began(world.handle(.connected(world.other, ExchangeWorld.manifest("org.other"))), for: world.other)
        == [])
    _ = world.handle(.arrival(world.offer, ArrivalStatus(.current)))
    let connected = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    #expect(began(connected, for: world.editor) == [world.request] && connected.opened)
    #expect(!world.machine.isStarting(for: world.offer))
    let second = ClientNumber(rawValue: 9)
    #expect(began(world.handle(.connected(second, ExchangeWorld.manifest())), for: second) == [])
  }

  @Test func oneThatConnectedByItselfGetsItAtOnce() {
    var world = offered()
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    let actions = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    #expect(began(actions, for: world.editor) == [world.request])
  }

  @Test func oneThatNeverConnectsLeavesTheOfferWithTheReason() {
    var world = offered()
    let waiting = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    #expect(waiting.wake == world.now + .seconds(60))
    world.pass(.seconds(60))
    let late = world.handle(.timer)
    #expect(late.contains { if case .track(world.offer, _, isAwaited: false) = $0 { true } else { false } })
    let offers = world.machine.offers(wall: world.wall) { _ in nil }
    #expect(offers.first?.notes == [.neverConnected(app: "Editor")])
    #expect(began(world.handle(.connected(world.editor, ExchangeWorld.manifest())), for: world.editor) == [])
  }

  @Test func oneThatCannotBeStartedLeavesTheOfferWithTheReason() {
    var world = offered()
    _ = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    let cause = Reason.notStarted(app: "Editor", message: "No such file.")
    _ = world.handle(.startFailed(ExchangeWorld.manifest(), cause))
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.first?.notes == [cause])
    #expect(!world.machine.isStarting(for: world.offer))
  }

  /// It is started once for all that a person wants in it.
  @Test func s52g_oneThatIsStartedForSeveralGetsThemAllOrLeavesThemAll() {
    func two() -> (world: ExchangeWorld, other: OfferID, request: RequestID) {
      var world = ExchangeWorld()
      var other = world.snapshot(version: world.version())
      other.id = ExchangeWorld.id(0xee, ActivityID.self)
      let state = world.state([world.snapshot(version: world.version()), other])
      _ = world.handle(.received(world.desktop, name: "desktop", sequence: 1, state))
      let id = OfferID(device: world.desktop, activity: other.id)
      #expect(!world.machine.isStarting(ExchangeWorld.manifest()))
      _ = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
      #expect(world.machine.isStarting(ExchangeWorld.manifest()))
      #expect(!world.machine.isStarting(ExchangeWorld.manifest("org.other")))
      let request = ExchangeWorld.id(0xef, RequestID.self)
      _ = world.handle(.awaitsApp(ExchangeWorld.manifest(), id, request))
      return (world, id, request)
    }
    var (world, other, request) = two()
    let began = began(world.handle(.connected(world.editor, ExchangeWorld.manifest())), for: world.editor)
    #expect(Set(began) == [world.request, request] && !world.machine.isStarting(ExchangeWorld.manifest()))
    (world, other, request) = two()
    let cause = Reason.notStarted(app: "Editor", message: "No such file.")
    _ = world.handle(.startFailed(ExchangeWorld.manifest(), cause))
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.map(\.notes) == [[cause], [cause]])
    #expect(!world.machine.isStarting(for: other) && !world.machine.isStarting(ExchangeWorld.manifest()))
  }

  @Test func aPageThatCouldNotBeOpenedLeavesTheOfferWithTheReason() {
    var world = offered()
    let cause = Reason.told("There is no browser.")
    _ = world.handle(.notOpened(world.offer, cause))
    #expect(world.machine.offers(wall: world.wall) { _ in nil }.first?.notes == [cause])
  }

  @Test func anOfferThatIsGoneIsNotWaitedFor() {
    var world = offered()
    _ = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    _ = world.handle(.received(world.desktop, name: "desktop", sequence: 2, world.state([])))
    #expect(!world.machine.isStarting(for: world.offer))
    #expect(began(world.handle(.connected(world.editor, ExchangeWorld.manifest())), for: world.editor) == [])
  }

  @Test func whatIsBeingStartedOutlivesTheAgent() throws {
    var world = offered()
    #expect(world.machine.startedApps.isEmpty)
    _ = world.handle(.awaitsApp(ExchangeWorld.manifest(), world.offer, world.request))
    let started = try #require(world.machine.startedApps[world.request])
    #expect(started.offer == world.offer && started.app.appID == "org.continuo.edit")
    #expect(world.machine.isAwaited(started, wall: world.wall))
    let minute = WallTime(milliseconds: world.wall.milliseconds + 60_000)
    #expect(!world.machine.isAwaited(started, wall: minute))
    // A clock that was set back says nothing.
    #expect(!world.machine.isAwaited(started, wall: WallTime(milliseconds: world.wall.milliseconds - 1)))
    _ = world.handle(.connected(world.editor, ExchangeWorld.manifest()))
    #expect(world.machine.startedApps.isEmpty)
  }

  @Test func aPageOfABrowserGoesToTheAppOfItsDomain() {
    let world = ExchangeWorld()
    var snapshot = world.snapshot(version: world.version())
    (snapshot.type, snapshot.appID) = (AppManifest.browsingWeb, "org.browser")
    snapshot.document = nil
    snapshot.webpageURL = "https://trails.example.org/7"
    let offer = Offer(
      id: world.offer, deviceName: "desktop", snapshot: snapshot, folderName: "",
      status: ArrivalStatus(.current))
    let browser = ExchangeWorld.manifest("org.browser", types: [AppManifest.browsingWeb])
    let other = ExchangeWorld.manifest("org.other.browser", types: [AppManifest.browsingWeb])
    var trails = ExchangeWorld.manifest("org.trails", types: ["org.trails.hike"])
    #expect(AppChoice().best(for: offer, among: [trails]) == nil)
    #expect(AppChoice().best(for: offer, among: [trails, other]) == 1)
    #expect(AppChoice().best(for: offer, among: [trails, other, browser]) == 2)
    trails.associatedDomains = ["*.example.org"]
    #expect(AppChoice().best(for: offer, among: [browser, trails]) == 1)
    // An activity of an app's own, which has a page as well, is no page of a browser.
    var own = offer
    own.type = "org.other.reading"
    #expect(AppChoice().best(for: own, among: [trails]) == nil)
  }

  @Test func theAppThatMadeItComesFirstThenItsTeamThenThePersonsOrder() throws {
    let world = ExchangeWorld()
    let snapshot = world.snapshot(version: world.version())
    let offer = Offer(
      id: world.offer, deviceName: "desktop", snapshot: snapshot, folderName: "",
      status: ArrivalStatus(.current))
    let (one, two) = (ExchangeWorld.manifest("org.one"), ExchangeWorld.manifest("org.two"))
    let maker = ExchangeWorld.manifest()
    #expect(AppChoice().best(for: offer, among: [one, two]) == 0)
    let choice = AppChoice(preferred: [ExchangeWorld.type: "org.two"])
    #expect(choice.best(for: offer, among: [one, two]) == 1)
    #expect(choice.best(for: offer, among: [one, two, maker]) == 2)
    #expect(choice.best(for: offer, among: [ExchangeWorld.manifest("org.x", types: ["org.x.y"])]) == nil)
    // The one that claims the document's extension comes before one that stands earlier.
    var claiming = two
    claiming.documentTypes = [AppManifest.DocumentType(name: "Plan")]
    claiming.documentTypes[0].extensions = ["MD"]
    #expect(AppChoice().best(for: offer, among: [one, claiming]) == 1)
    #expect(
      AppChoice(preferred: [ExchangeWorld.type: "org.one"]).best(for: offer, among: [claiming, one]) == 1)
    var teamed = offer
    var mate = ExchangeWorld.manifest("org.mate")
    (teamed.team, mate.team) = ([1], [1])
    #expect(choice.best(for: teamed, among: [two, mate]) == 1)
  }
}
