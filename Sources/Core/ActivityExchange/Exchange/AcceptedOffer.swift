// SPDX-License-Identifier: MIT

import ActivityModel

/// One accepted offer on its way to an app: whom it goes to, how far it has come, and until when.
struct AcceptedOffer: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// For the version.
    case waiting
    /// For the person's choice, the deadline having passed.
    case overdue
    /// For the shell to open and verify the document.
    case opening
    /// For the app's outcome.
    case delivered
    /// For nothing: the app has it and does not answer. A late outcome still counts.
    case unanswered

    /// Whether the app has it.
    var isDelivered: Bool { self == .delivered || self == .unanswered }
    /// Whether it is the document, or the person, that is awaited.
    var isWaiting: Bool { self == .waiting || self == .overdue }
    /// Whether something happens when its time is over.
    var hasDeadline: Bool { isWaiting || self == .delivered }
  }

  /// How far a wait has come: it goes on where it was when the app's connection is lost and made again, for
  /// the person has waited all the time.
  struct Wait: Hashable, Sendable {
    private(set) var isOverdue = false
    private(set) var deadline: Instant
    private(set) var agreed: Arrival?
    let postponed: ArrivalStatus?

    init(until deadline: Instant) {
      self.deadline = deadline
      postponed = nil
    }

    fileprivate init(isOverdue: Bool, deadline: Instant, agreed: Arrival?, postponed: ArrivalStatus?) {
      (self.isOverdue, self.deadline, self.agreed, self.postponed) = (isOverdue, deadline, agreed, postponed)
    }

    /// Another process may come back, in which nobody chose anything: the question is asked there, and stands
    /// until `choiceEnd` at least.
    mutating func forgetAgreement(choiceEnd: Instant) {
      guard agreed != nil else { return }
      isOverdue = true
      deadline = max(deadline, choiceEnd)
      agreed = nil
    }
  }

  /// What the end of a time means.
  enum Expiry: Hashable, Sendable {
    /// The person is asked.
    case asks
    /// Nobody answered the question: the continuation fails.
    case fails
    /// The app has the document and does not answer.
    case staysUnanswered
  }

  let client: ClientNumber
  let offer: OfferID
  /// The state that is continued: the latest, until the app has it.
  private(set) var snapshot: ActivitySnapshot
  private(set) var phase: Phase
  private(set) var deadline: Instant
  /// What the last delivery in vain found.
  private(set) var postponed: ArrivalStatus?
  /// Why the app will have failed, as it says.
  private(set) var explanation = ""
  /// What the person agreed to open though it is not the version meant.
  private var agreed: Arrival?
  /// Whether the document is continued as it was saved: its draft is not to be had.
  private var forgoesDraft = false
  /// While the document is opened: whether the person had been asked before, and has not answered.
  private var wasOverdue = false
  /// While the document is opened: since when.
  private var openingSince: Instant?

  /// Whether it is a saved activity of this device: the newest version that is here is the one meant, for
  /// nobody else has another one to give.
  let takesWhatIsHere: Bool

  init(
    of offer: OfferID, by client: ClientNumber, _ snapshot: ActivitySnapshot, wait: Wait,
    takesWhatIsHere: Bool = false
  ) {
    self.takesWhatIsHere = takesWhatIsHere
    self.client = client
    self.offer = offer
    self.snapshot = snapshot
    phase = wait.isOverdue ? .overdue : .waiting
    deadline = wait.deadline
    agreed = wait.agreed
    postponed = wait.postponed
  }

  /// How far the wait has come; nil once the app has the document.
  var wait: Wait? {
    let isOverdue = phase == .overdue || phase == .opening && wasOverdue
    guard !phase.isDelivered else { return nil }
    return Wait(isOverdue: isOverdue, deadline: deadline, agreed: agreed, postponed: postponed)
  }

  // MARK: The person and the app

  mutating func extend(by seconds: UInt64, at now: Instant) {
    guard phase.isWaiting else { return }
    deadline = max(deadline, now) + .seconds(Int64(clamping: min(seconds, 86400)))
    phase = .waiting
    postponed = nil
  }

  /// Waits for the version as if the wait began now.
  mutating func keepWaiting(until deadline: Instant) {
    phase = .waiting
    self.deadline = deadline
    agreed = nil
    postponed = nil
  }

  /// The person wants what is here, as long as it stands like this.
  mutating func agree(to arrival: Arrival) { agreed = arrival }

  /// The app says why it will have failed.
  mutating func explain(_ message: String) { explanation = message }

  // MARK: The document

  /// The other device has another state of the activity.
  mutating func renew(_ snapshot: ActivitySnapshot) {
    guard !phase.isDelivered else { return }
    self.snapshot = snapshot
    if forgoesDraft { self.snapshot.draft = nil }
  }

  /// The draft did not come: the document is continued instead, and the wait goes on where it was.
  mutating func forgoDraft() {
    forgoesDraft = true
    snapshot.draft = nil
    phase = wasOverdue ? .overdue : .waiting
  }

  /// Begins to open the document, if it stands so that it may be: true then.
  mutating func open(_ status: ArrivalStatus, at now: Instant) -> Bool {
    let mayOpen =
      status.arrival == .current || status.arrival == .ahead || agreed == status.arrival
      || takesWhatIsHere && status.arrival.hasSomethingHere
    guard phase.isWaiting, mayOpen else { return false }
    // Who answered agreed to this alone, and is asked about anything else.
    wasOverdue = phase == .overdue && agreed == nil
    phase = .opening
    openingSince = now
    return true
  }

  /// The app has it, and answers until `deadline`.
  mutating func deliver(answerUntil deadline: Instant) {
    phase = .delivered
    self.deadline = deadline
  }

  /// The document turned out to be another one while it was opened.
  ///
  /// The wait goes on where it was: a person who was asked is not asked a second time, and one who answered
  /// soon, for the question's time is over. Reading may have taken longer than the wait: once there is as
  /// much time to look again, and `secondLook` at least.
  mutating func postpone(_ status: ArrivalStatus, secondLook: Duration, at now: Instant) {
    phase = wasOverdue ? .overdue : .waiting
    let again = now + max(secondLook, now - (openingSince ?? now))
    if postponed == nil { deadline = agreed != nil ? again : max(deadline, again) }
    postponed = status
  }

  /// The time is over; nil when that means nothing in this phase. A question stands until `choiceEnd`.
  mutating func expire(choiceEnd: Instant) -> Expiry? {
    switch phase {
    case .waiting:
      // An answer was about what lay there then; without it this question is the last.
      agreed = nil
      phase = .overdue
      deadline = choiceEnd
      return .asks
    case .overdue: return .fails
    case .delivered:
      phase = .unanswered
      return .staysUnanswered
    case .opening, .unanswered: return nil
    }
  }
}

/// All accepted offers, by the request of the acceptance.
struct AcceptedOffers: Hashable, Sendable {
  private var accepted: [RequestID: AcceptedOffer] = [:]

  subscript(request: RequestID) -> AcceptedOffer? {
    get { accepted[request] }
    _modify { yield &accepted[request] }
  }

  /// Those of one offer, in order.
  func requests(of offer: OfferID) -> [RequestID] { requests { $0.offer == offer } }

  /// Those of one app, in order.
  func requests(by client: ClientNumber) -> [RequestID] { requests { $0.client == client } }

  /// Those whose time is over, in order.
  func requestsDue(at now: Instant) -> [RequestID] { requests { $0.deadline <= now } }

  /// Whether a person waits for the document of that offer.
  func isAwaited(_ offer: OfferID) -> Bool {
    accepted.values.contains { $0.offer == offer && !$0.phase.isDelivered }
  }

  /// The apps that wait for the document of that offer.
  func clients(awaiting offer: OfferID) -> Set<ClientNumber> {
    Set(accepted.values.lazy.filter { $0.offer == offer && !$0.phase.isDelivered }.map(\.client))
  }

  /// The next moment at which a time is over.
  var nextMoment: Instant? {
    if accepted.isEmpty { return nil }
    return accepted.values.lazy.filter(\.phase.hasDeadline).map(\.deadline).min()
  }

  private func requests(where isMeant: (AcceptedOffer) -> Bool) -> [RequestID] {
    accepted.filter { isMeant($0.value) }.keys.sorted()
  }
}
