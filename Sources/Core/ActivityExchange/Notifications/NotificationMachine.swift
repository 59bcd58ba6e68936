// SPDX-License-Identifier: MIT

public import ActivityModel

/// Decides of which offers the desktop tells a person, and when.
///
/// Once for each document and device: later saves change the notification without a sound. Nothing is told
/// of a document that an app here shows, and nothing of one that was put off, until the other device has
/// left it and takes it up again. What goes is withdrawn; after a restart of the notification server what
/// stands is shown again. Pure and total; it needs no clock.
public struct NotificationMachine: Sendable {
  /// An offer that stands, and what this device makes of it.
  public struct Candidate: Hashable, Sendable {
    /// The offer.
    public var offer: Offer
    /// The app on the other device, for people.
    public var appName: String
    /// Whether an app here has its document open.
    public var isShownHere: Bool
    /// With what it can be continued here; nil where it cannot.
    public var target: ContinuationTarget?
    /// How many documents its app has open there beside its own.
    public var besideCount: Int

    /// An offer, seen from here.
    public init(
      offer: Offer, appName: String, isShownHere: Bool, target: ContinuationTarget?, besideCount: Int = 0
    ) {
      self.offer = offer
      self.besideCount = besideCount
      self.appName = appName
      self.isShownHere = isShownHere
      self.target = target
    }
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// These offers stand now, newest first.
    case offers([Candidate])
    /// A notification server is there, or is gone with all that it showed.
    case server(isPresent: Bool)
    /// A person pressed this.
    case pressed(NotificationNumber, NotificationButton)
    /// A person took the notification away, or the server did.
    case closed(NotificationNumber)
    /// The notification's time on the screen is over. It may still be pressed, in a list of former ones.
    case expired(NotificationNumber)
    /// The person wants this told from now on.
    case settings(AgentSettings.Notifications)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Show this; in place of what has this number, if that is shown.
    case show(NotificationNumber, OfferNotification, isSilent: Bool)
    /// Take it away.
    case withdraw(NotificationNumber)
    /// Continue the offer with what the notification named: pressed on that one. With `isAll` what is open
    /// beside it there comes as well.
    case resume(OfferID, ContinuationTarget, NotificationNumber, isAll: Bool = false)
  }

  /// What is told of, once: a document of a device, whichever app has it open there, or an activity.
  fileprivate struct Topic: Hashable {
    let device: DeviceID
    let folderName: String
    let path: RelativePath?
    let activity: ActivityID?

    init(_ offer: Offer) {
      device = offer.id.device
      folderName = offer.folderName
      path = offer.path
      activity = offer.path == nil ? offer.id.activity : nil
    }
  }

  fileprivate enum Phase: Hashable {
    /// Its notification stands.
    case shown
    /// Its notification has been on the screen for as long as the server shows one.
    case expired
    /// Pressed; its notification asks whether that page is to be opened.
    case questioned(address: String)
    /// Pressed; whether its progress stands, and what was said of the offer before.
    case opening(isShown: Bool, before: [Reason])
    /// Put off, or taken away by a person or the server.
    case away
    /// An app here has shown it in this state.
    case hidden(since: WallTime)
    /// Told of together with others.
    case among
  }

  fileprivate struct Topical {
    var number: NotificationNumber
    /// The newest of its activities.
    var candidate: Candidate
    /// All of its activities: there is one for each window.
    var activities: Set<ActivityID> = []
    var phase: Phase
    /// What the notification says.
    var content: OfferNotification?
    /// Why the last try came to nothing, and in which state of the activity.
    var failure: (cause: Reason, changedAt: WallTime)?
  }

  /// More than so many that are told of are told of together.
  private static let limit = 5

  private var settings: AgentSettings.Notifications
  private var hasServer = false
  private var candidates: [Candidate] = []
  private var topics: [Topic: Topical] = [:]
  private var lastNumber: UInt64 = 0
  /// The notification of several, while it stands.
  private var summary: (number: NotificationNumber, content: OfferNotification)?

  /// A machine that has told of nothing.
  public init(settings: AgentSettings.Notifications = AgentSettings.Notifications()) {
    self.settings = settings
  }

  /// Decides.
  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .offers(let candidates):
      self.candidates = candidates
      return update()
    case .settings(let settings):
      self.settings = settings
      return update()
    case .server(let isPresent):
      guard isPresent != hasServer else { return [] }
      hasServer = isPresent
      return isPresent ? showAgain() + update() : []
    case .pressed(let number, let button): return press(button, on: number)
    case .closed(let number): return close(number)
    case .expired(let number): return expire(number)
    }
  }

  /// Whether a notification stands, or would if there were a server.
  public var hasSomethingToTell: Bool {
    summary != nil || topics.values.contains(where: \.isOnScreen)
      || candidates.contains { isTold($0) && topics[Topic($0.offer)]?.phase != .away }
  }

  // MARK: Offers

  private mutating func update() -> [Action] {
    // Without a server nothing is told, and so nothing counts as told.
    guard hasServer else { return [] }
    var newest: [(topic: Topic, candidate: Candidate)] = []
    var activities: [Topic: Set<ActivityID>] = [:]
    for candidate in candidates {
      let topic = Topic(candidate.offer)
      if activities[topic] == nil { newest.append((topic, candidate)) }
      activities[topic, default: []].insert(candidate.offer.id.activity)
    }
    var actions = forgetPutOff(now: activities) + forgetTopics(except: Set(activities.keys))
    var fresh: [(topic: Topic, candidate: Candidate)] = []
    // The newest comes last, and stands on top.
    for (topic, candidate) in newest.reversed() {
      if topics[topic] == nil {
        if isTold(candidate) { fresh.append((topic, candidate)) } else { hide(topic, candidate) }
      } else {
        actions += renew(topic, candidate)
      }
      topics[topic]?.activities = activities[topic] ?? []
    }
    actions += announce(fresh)
    for (topic, _) in fresh { topics[topic]?.activities = activities[topic] ?? [] }
    return actions + updateSummary()
  }

  /// What was put off in other activities was left, and taken up again: between two records nobody sees the
  /// gap.
  private mutating func forgetPutOff(now activities: [Topic: Set<ActivityID>]) -> [Action] {
    let left = topics.filter { topic, topical in
      (topical.phase == .away || topical.phase == .expired)
        && topical.activities.isDisjoint(with: activities[topic] ?? [])
    }
    for topic in left.keys { topics[topic] = nil }
    return left.values.filter(\.isPressable).map(\.number).sorted().map { .withdraw($0) }
  }

  private mutating func forgetTopics(except known: Set<Topic>) -> [Action] {
    let gone = topics.filter { !known.contains($0.key) }
    for (topic, _) in gone { topics[topic] = nil }
    return gone.values.filter(\.isPressable).map(\.number).sorted().map { .withdraw($0) }
  }

  /// Whether a person wants to hear of it.
  private func isTold(_ candidate: Candidate) -> Bool {
    candidate.target != nil && !candidate.isShownHere && settings.tells(of: candidate.offer)
  }

  /// What an app here shows is known to the person as it is now.
  private mutating func hide(_ topic: Topic, _ candidate: Candidate) {
    guard candidate.isShownHere else { return }
    topics[topic] = Topical(
      number: nextNumber(), candidate: candidate, phase: .hidden(since: candidate.offer.changedAt))
  }

  private mutating func renew(_ topic: Topic, _ candidate: Candidate) -> [Action] {
    guard var topical = topics[topic] else { return [] }
    topical.candidate = candidate
    var actions: [Action] = []
    switch topical.phase {
    case .away: break
    case .opening(let isShown, let before):
      actions = topical.proceed(isShown: isShown, before: before, settings)
    case .questioned(let address) where isTold(candidate) && candidate.target?.questionedAddress == address:
      actions = topical.show(.questioned(address: address), isSilent: true, settings)
    case .shown, .expired, .among, .questioned:
      if !isTold(candidate) {
        if topical.isPressable { actions = [.withdraw(topical.number)] }
        guard candidate.isShownHere else {
          // Switched off, or no app takes it any more: told of anew when that changes.
          topics[topic] = nil
          return actions
        }
        topical.phase = .hidden(since: candidate.offer.changedAt)
      } else if topical.isOnScreen {
        // What was asked about is not what it leads to any more.
        topical.phase = .shown
        actions = topical.show(isSilent: true, settings)
      }
    case .hidden(let since):
      if candidate.isShownHere {
        topical.phase = .hidden(since: candidate.offer.changedAt)
      } else if isTold(candidate), candidate.offer.changedAt > since {
        topical.phase = .shown
        actions = topical.show(isSilent: false, settings)
      }
    }
    topics[topic] = topical
    return actions
  }

  private mutating func announce(_ fresh: [(topic: Topic, candidate: Candidate)]) -> [Action] {
    let shown = topics.values.count { $0.isOnScreen && !$0.isOpening }
    let isTooMuch = shown + fresh.count > Self.limit
    var actions: [Action] = []
    for (topic, candidate) in fresh {
      var topical = Topical(number: nextNumber(), candidate: candidate, phase: isTooMuch ? .among : .shown)
      if !isTooMuch { actions += topical.show(isSilent: false, settings) }
      topics[topic] = topical
    }
    return actions
  }

  private mutating func updateSummary() -> [Action] {
    let among = topics.values.filter { $0.phase == .among }
    guard !among.isEmpty else {
      guard let former = summary else { return [] }
      summary = nil
      return [.withdraw(former.number)]
    }
    let newest = among.map(\.candidate).sorted {
      ($1.offer.changedAt, $1.offer.id) < ($0.offer.changedAt, $0.offer.id)
    }
    let content = OfferNotification.several(
      count: UInt64(among.count),
      newest: newest.prefix(Self.limit).map { Topical.told($0, .offered, settings) })
    guard summary?.content != content else { return [] }
    let number = summary?.number ?? nextNumber()
    defer { summary = (number, content) }
    return [.show(number, content, isSilent: summary != nil)]
  }

  private mutating func nextNumber() -> NotificationNumber {
    lastNumber += 1
    return NotificationNumber(rawValue: lastNumber)
  }

  // MARK: The server and the person

  /// A server that has just come shows nothing yet; the person knows it all.
  private mutating func showAgain() -> [Action] {
    let again = topics.filter { $0.value.isOnScreen }.sorted { $0.value.number < $1.value.number }
    var actions: [Action] = again.compactMap { _, topical in
      topical.content.map { .show(topical.number, $0, isSilent: true) }
    }
    if let summary { actions.append(.show(summary.number, summary.content, isSilent: true)) }
    return actions
  }

  private mutating func press(_ button: NotificationButton, on number: NotificationNumber) -> [Action] {
    guard let (topic, topical) = topics.first(where: { $0.value.number == number }),
      topical.isPressable, !topical.isOpening, let target = topical.candidate.target
    else { return close(number) }
    switch button {
    case .notNow:
      topics[topic]?.phase = .away
      return [.withdraw(number)]
    case .resume, .resumeAll:
      // The server takes the notification away when it is pressed.
      topics[topic]?.content = nil
      if let address = target.questionedAddress, topical.phase != .questioned(address: address) {
        return [.withdraw(number)] + ask(about: address, of: topic)
      }
      topics[topic]?.phase = .opening(isShown: false, before: topical.candidate.offer.notes)
      return [
        .withdraw(number),
        .resume(topical.candidate.offer.id, target, number, isAll: button == .resumeAll),
      ]
    }
  }

  /// A notification of its own: a server shows nothing anew under the number of one that was pressed.
  private mutating func ask(about address: String, of topic: Topic) -> [Action] {
    guard var topical = topics[topic] else { return [] }
    topical.number = nextNumber()
    topical.phase = .questioned(address: address)
    defer { topics[topic] = topical }
    return topical.show(.questioned(address: address), isSilent: false, settings)
  }

  /// Nobody refused it; but what was seen for a while is not shown again with each save.
  private mutating func expire(_ number: NotificationNumber) -> [Action] {
    guard let topic = topics.first(where: { $0.value.number == number && $0.value.phase == .shown })?.key
    else { return close(number) }
    topics[topic]?.phase = .expired
    return []
  }

  /// What a person or the server took away is not shown again.
  private mutating func close(_ number: NotificationNumber) -> [Action] {
    if let standing = summary, standing.number == number {
      summary = nil
      for (topic, topical) in topics where topical.phase == .among { topics[topic]?.phase = .away }
      return []
    }
    guard let (topic, topical) = topics.first(where: { $0.value.number == number }) else { return [] }
    switch topical.phase {
    case .shown, .expired, .questioned: topics[topic]?.phase = .away
    case .opening(true, let before): topics[topic]?.phase = .opening(isShown: false, before: before)
    case .opening, .away, .hidden, .among: break
    }
    return []
  }
}

extension NotificationMachine.Topical {
  /// Whether its notification stands.
  fileprivate var isOnScreen: Bool {
    switch phase {
    case .shown, .questioned, .opening(isShown: true, before: _): true
    case .opening, .expired, .away, .hidden, .among: false
    }
  }

  /// Whether a person may press it: where it is shown, or in a server's list of former ones.
  fileprivate var isPressable: Bool { isOnScreen || phase == .expired }

  /// Whether it was pressed, and is on its way.
  fileprivate var isOpening: Bool {
    if case .opening = phase { true } else { false }
  }

  /// Shows how things stand, unless the notification says that already.
  fileprivate mutating func show(
    _ state: OfferNotification.State = .offered, isSilent: Bool, _ settings: AgentSettings.Notifications
  ) -> [NotificationMachine.Action] {
    var state = state
    if state == .offered, let failure, failure.changedAt == candidate.offer.changedAt {
      state = .failed(failure.cause)
    }
    let content = OfferNotification.one(Self.told(candidate, state, settings))
    guard content != self.content else { return [] }
    self.content = content
    return [.show(number, content, isSilent: isSilent)]
  }

  /// A pressed one: its progress, or what it came to.
  fileprivate mutating func proceed(
    isShown: Bool, before: [Reason], _ settings: AgentSettings.Notifications
  ) -> [NotificationMachine.Action] {
    let offer = candidate.offer
    if offer.notes != before, let cause = offer.notes.first {
      phase = .shown
      failure = (cause, offer.changedAt)
      return show(isSilent: false, settings)
    }
    if candidate.isShownHere {
      phase = .hidden(since: offer.changedAt)
      return isShown ? [.withdraw(number)] : []
    }
    // What is here is opened at once, and needs no word. One that was taken away is not shown again.
    guard offer.status.arrival != .current, isShown || content == nil else { return [] }
    phase = .opening(isShown: true, before: before)
    return show(.arriving(offer.status.cause, percent: offer.status.percent), isSilent: true, settings)
  }

  fileprivate static func told(
    _ candidate: NotificationMachine.Candidate, _ state: OfferNotification.State,
    _ settings: AgentSettings.Notifications
  ) -> OfferNotification.Told {
    OfferNotification.Told(
      title: settings.hidesTitles ? nil : candidate.offer.displayTitle,
      deviceName: candidate.offer.deviceName, appName: candidate.appName,
      changedAt: candidate.offer.changedAt, target: candidate.target ?? .app,
      besideCount: UInt64(candidate.besideCount), state: state)
  }
}

extension ArrivalStatus {
  /// How much of the version is here, where that is known.
  fileprivate var percent: UInt8? {
    guard expected > 0, received > 0 else { return nil }
    return UInt8(min(100, Double(received) / Double(expected) * 100))
  }
}
