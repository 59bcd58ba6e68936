// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import TestSamples

/// One app and one agent, of which either may be killed at any moment, and the sockets between them. Every
/// step is chosen by a seeded generator, so that a history can be played again.
struct HandoffHistory {
  /// One socket. What a process sent before it died can still be read.
  struct Connection {
    var toAgent: [AgentRequest] = []
    var toApp: [AgentReport] = []
    var isAppThere = true
    var isAgentThere = true
  }

  /// What one process of the app was told of one continuation.
  struct Telling: Hashable {
    var begun = 0
    var answers = 0
  }

  struct Opening {
    var request: RequestID
    var client: ClientNumber
    var offer: OfferID
    var snapshot: ActivitySnapshot
    var status: ArrivalStatus
  }

  var random: SeededGenerator
  var now = Instant(nanoseconds: 1_000_000_000)
  var wall = WallTime(milliseconds: 1_800_000_000_000)

  var agent: ExchangeMachine?
  var app: SessionMachine?
  var connections: [UInt64: Connection] = [:]
  var appConnection: UInt64?
  private var lastConnection: UInt64 = 0
  var openings: [Opening] = []
  /// Deliveries that the app has not finished.
  var shown: [RequestID] = []
  /// What the agent has on its disk.
  private var record: DeviceState?
  private var continued: [OfferID: WallTime] = [:]
  private var toldClaims: Set<RequestID> = []
  /// What the other device says.
  var source: DeviceState
  var sequence: UInt64 = 1

  var told: [RequestID: Telling] = [:]
  /// How many answers all processes of the app got.
  var answers = 0
  var finished: [RequestID] = []
  var faults: [String] = []
  var steps: [String] = []

  static let desktop = ExchangeWorld.id(0xd0, DeviceID.self)
  static let activities = [
    ExchangeWorld.id(1, ActivityID.self), ExchangeWorld.id(2, ActivityID.self),
  ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    source = DeviceState(issuedAt: wall, bootNonce: [UInt8](repeating: 2, count: 16))
    for activity in Self.activities { offer(activity) }
    startAgent()
    startApp()
  }

  // MARK: Steps

  mutating func play(_ count: Int) {
    for _ in 0..<count where faults.isEmpty { step() }
  }

  private mutating func step() {
    switch random.next(below: 40) {
    case 0: killApp()
    case 1: killAgent()
    case 2: breakConnection()
    case 3: startApp()
    case 4: startAgent()
    case 5...7: connect()
    case 8...12: agentReads()
    case 13...17: appReads()
    case 18...20: accept()
    case 21: personDecides()
    case 22: sourceSpeaks()
    case 23: arrive(Arrival.allCases[Int(random.next(below: UInt64(Arrival.allCases.count)))])
    case 24...25: arrive(.current)
    case 26...28: open()
    case 29...32: finish()
    case 33...37: connect()
    default: pass(.seconds(Int64(random.next(below: 40))))
    }
  }

  /// Both run, are connected, and everything is said, until nothing waits any more.
  mutating func heal() {
    steps.append("heal")
    // Once all is answered, another minute and a half shows whether anything is answered again.
    var calmRounds = 0
    for round in 0..<20 where faults.isEmpty && calmRounds < 4 {
      if round > 3, unanswered.isEmpty { calmRounds += 1 }
      startAgent()
      startApp()
      connect()
      for _ in 0..<24 {
        if isQuiet { break }
        agentReads()
        appReads()
        open(always: true)
        finish()
      }
      pass(.seconds(round < 4 ? 1 : 31))
    }
  }

  /// Nothing is said that was not heard, and nothing is shown that was not answered.
  private var isQuiet: Bool {
    guard openings.isEmpty, shown.isEmpty else { return false }
    return connections.allSatisfy { number, connection in
      connection.toApp.isEmpty && !hasNews(number) && (connection.isAgentThere || !connection.isAppThere)
    }
  }

  /// Continuations of the living process that have another number of answers than one.
  var unanswered: [RequestID] { told.filter { $0.value != Telling(begun: 1, answers: 1) }.map(\.key) }
  /// What the living process showed, and no claim tells of.
  var unclaimed: [RequestID] {
    finished.suffix(4).filter { request in record?.claims.contains { $0.request == request } != true }
  }

  // MARK: Processes

  private mutating func startAgent() {
    guard agent == nil else { return }
    steps.append("start the agent")
    agent = ExchangeMachine(
      bootNonce: [UInt8](repeating: 1, count: 16), continued: continued, toldClaims: toldClaims)
    if let record { feed(.restored(record)) }
    feed(.received(Self.desktop, name: "desktop", sequence: sequence, source))
  }

  private mutating func killAgent() {
    guard agent != nil else { return }
    steps.append("kill the agent")
    agent = nil
    openings = []
    for number in connections.keys {
      connections[number]?.isAgentThere = false
      connections[number]?.toAgent = []
    }
  }

  private mutating func startApp() {
    guard app == nil else { return }
    steps.append("start the app")
    app = SessionMachine(manifest: ExchangeWorld.manifest())
    (told, finished, shown) = ([:], [], [])
  }

  private mutating func killApp() {
    guard app != nil else { return }
    steps.append("kill the app")
    app = nil
    leave()
    (told, finished, shown) = ([:], [], [])
  }

  private mutating func connect() {
    guard app != nil, agent != nil, appConnection == nil else { return }
    lastConnection += 1
    steps.append("connect \(lastConnection)")
    connections[lastConnection] = Connection()
    appConnection = lastConnection
    feedApp(.connected)
  }

  private mutating func breakConnection() {
    guard app != nil, appConnection != nil else { return }
    steps.append("break the connection")
    leave()
    feedApp(.disconnected)
  }

  private mutating func leave() {
    guard let number = appConnection else { return }
    appConnection = nil
    connections[number]?.isAppThere = false
    connections[number]?.toApp = []
  }

  // MARK: Messages

  private mutating func agentReads() {
    guard agent != nil, let number = connections.keys.sorted().first(where: { hasNews($0) }) else { return }
    guard let request = connections[number]?.toAgent.first else {
      connections[number] = nil
      return feed(.disconnected(ClientNumber(rawValue: number)))
    }
    // Another socket may be read first.
    if connections.count > 1, random.next(below: 3) == 0, let last = appConnection, last != number,
      hasNews(last), let first = connections[last]?.toAgent.first
    {
      connections[last]?.toAgent.removeFirst()
      return take(first, from: ClientNumber(rawValue: last))
    }
    connections[number]?.toAgent.removeFirst()
    take(request, from: ClientNumber(rawValue: number))
  }

  private func hasNews(_ number: UInt64) -> Bool {
    guard let connection = connections[number], connection.isAgentThere else { return false }
    return !connection.toAgent.isEmpty || !connection.isAppThere
  }

  private mutating func take(_ request: AgentRequest, from client: ClientNumber) {
    switch request {
    case .hello(let manifest): feed(.connected(client, manifest))
    case .accept(let offer, let request): feed(.accepted(client, offer, request))
    case .cancel(let request): feed(.cancelled(request))
    case .choose(let request, let choice): feed(.chose(request, choice))
    case .extend(let request, let seconds): feed(.extended(request, seconds: seconds))
    case .explain(let request, let message): feed(.explained(client, request, message))
    case .outcome(let request, let outcome): feed(.outcome(client, request, outcome))
    case .concluded(let request, let ended): feed(.concluded(client, request, ended))
    case .update, .withdraw, .withheld, .opened, .closed, .save, .deleteSaved, .askContentType, .usedRecently,
      .openStreams, .answerSave, .cursorMoved:
      break
    }
  }

  private mutating func appReads() {
    guard app != nil, let number = appConnection, let connection = connections[number] else { return }
    if let report = connection.toApp.first {
      connections[number]?.toApp.removeFirst()
      return feedApp(.report(report))
    }
    guard !connection.isAgentThere else { return }
    connections[number] = nil
    appConnection = nil
    feedApp(.disconnected)
  }

  mutating func feed(_ event: ExchangeMachine.Event) {
    guard let actions = agent?.handle(event, at: now, wall: wall) else { return }
    (continued, toldClaims) = (agent?.continued ?? [:], agent?.toldClaims ?? [])
    for action in actions {
      switch action {
      case .publish(let state), .publishOnLinks(let state): record = state
      case .report(let client, let report): connections[client.rawValue]?.toApp.append(report)
      case .open(let request, let client, let offer, let snapshot, let status):
        openings.append(
          Opening(request: request, client: client, offer: offer, snapshot: snapshot, status: status))
      case .layRecord, .track, .untrack, .askSave, .log, .wake: break
      }
    }
  }

  mutating func feedApp(_ event: SessionMachine.Event) {
    for action in app?.handle(event, at: now) ?? [] {
      switch action {
      case .send(let request): if let appConnection { connections[appConnection]?.toAgent.append(request) }
      case .willContinue(let request, _): tell(request) { $0.begun += 1 }
      case .didFail(let request, _, _): tell(request) { $0.answers += 1 }
      case .deliver(let request, _):
        tell(request) { $0.answers += 1 }
        shown.append(request)
      default: break
      }
    }
  }

  mutating func tell(_ request: RequestID, _ change: (inout Telling) -> Void) {
    change(&told[request, default: Telling()])
    answers += told[request]?.answers == 1 ? 1 : 0
    guard let telling = told[request], telling.begun == 1, telling.answers <= 1 else {
      return faults.append("\(request) was told \(told[request] ?? Telling())")
    }
  }
}

extension SeededGenerator {
  mutating func next(below limit: UInt64) -> UInt64 { next() % limit }
}
