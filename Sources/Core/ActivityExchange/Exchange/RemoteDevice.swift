// SPDX-License-Identifier: MIT

import ActivityModel

/// What another device said of itself last, and whether two computers use its identity.
struct RemoteDevice: Hashable, Sendable {
  private(set) var name: String
  let sequence: UInt64
  private(set) var state: DeviceState {
    didSet { (standing, offers) = (Self.standing(of: state.activities), []) }
  }
  /// What decides whether its activities are offered, in their order: asked for each offer at each event.
  private(set) var standing: [Standing] = []
  /// Its activities as apps are shown them, in their order, but for what is found out here. Empty until
  /// `makeOffers` was called.
  private(set) var offers: [Offer] = []
  /// What of an activity no app is handed, in a sentence.
  private var leftOut: [ActivityID: Reason] = [:]
  /// Runs of its agent that had ended when another one spoke, the last ones.
  private var formerRuns: [[UInt8]] = []
  /// A run spoke again that had ended: two computers are this device (threat T41). They would take turns,
  /// so nothing of either stands.
  private(set) var isCopied = false
  /// Whether the run that speaks now had ended once, and no run was heard for the first time since.
  private var hasReturned = false
  /// When a record ends that its device dates so far ahead that the clock here would never end it.
  private(set) var endsAt: Instant?

  /// When the record was read here first by this agent, by the clock here.
  private(set) var heardAt: WallTime?
  /// Whether its record ended that was dated far ahead.
  private(set) var isOver = false

  private static let memory = 8

  /// What decides whether an activity is offered.
  struct Standing: Hashable, Sendable {
    let id: ActivityID
    /// When it expires, by its device's clock.
    let expiry: WallTime
    /// Whether the user info holds all keys that the activity requires.
    let isWhole: Bool
  }

  private static func standing(of activities: [ActivitySnapshot]) -> [Standing] {
    activities.map { Standing(id: $0.id, expiry: $0.expiry, isWhole: $0.holdsRequiredKeys) }
  }

  init(name: String, sequence: UInt64, state: DeviceState) {
    self.name = name
    self.sequence = sequence
    self.state = state
    for place in state.activities.indices {
      let addresses = state.activities[place].leftOutAddresses
      leftOut[state.activities[place].id] = addresses
      if addresses != nil { self.state.activities[place] = state.activities[place].withWebAddressesOnly }
    }
    // What is open beside a document is offered by itself.
    self.state.activities += self.state.activities.flatMap(\.openedBeside)
    standing = Self.standing(of: self.state.activities)
  }

  /// Makes what apps are shown, once for all events that its record outlives.
  mutating func makeOffers(as device: DeviceID) {
    offers = state.activities.map { activity in
      var offer = Offer(
        id: OfferID(device: device, activity: activity.id), deviceName: name, snapshot: activity,
        folderName: "", status: ArrivalStatus(.current))
      offer.notes = [leftOut[activity.id]].compactMap { $0 }
      return offer
    }
  }

  mutating func rename(to name: String, as device: DeviceID) {
    self.name = name
    makeOffers(as: device)
  }

  /// Keeps documents that the record before this one offered and a person here waits for, where this one
  /// does not offer them.
  mutating func keep(_ awaited: [ActivitySnapshot]) {
    let offered = Set(state.activities.map(\.id))
    let missing = awaited.filter { !offered.contains($0.id) }
    if !missing.isEmpty { state.activities += missing }
  }

  /// The record was read.
  mutating func heard(at wall: WallTime) { heardAt = wall }

  /// The record ends at `moment`, whatever its date says.
  mutating func expire(at moment: Instant) { endsAt = moment }

  /// The record has ended: nothing of it is offered.
  mutating func endNow() {
    endsAt = nil
    isOver = !state.activities.isEmpty
    state.activities = []
  }

  /// Takes over what the device's record before this one told of its runs. Each run of an agent has its own
  /// nonce and never comes back once a later one spoke; where one does, both are alive, until a run is heard
  /// that was never heard before, or one of the two leaves the identity to the other. But for one time: a
  /// virtual machine that is set back with its memory goes on with its former run, and says that it heard the
  /// later one.
  mutating func follow(_ known: Self, of device: DeviceID) {
    let run = state.bootNonce
    guard run != TwinWatch.leaving else { return }
    formerRuns = known.formerRuns
    (isCopied, hasReturned) = (known.isCopied, known.hasReturned)
    if known.state.bootNonce != run {
      let isReturn = formerRuns.contains(run)
      let hasHeardOther = state.acknowledgements[device].map { $0 >= known.sequence } ?? false
      isCopied = isReturn && (known.isCopied || known.hasReturned || !hasHeardOther)
      hasReturned = isReturn
      if known.state.bootNonce != TwinWatch.leaving, !formerRuns.contains(known.state.bootNonce) {
        formerRuns = (formerRuns + [known.state.bootNonce]).suffix(Self.memory)
      }
    }
    if isCopied { state.activities = [] }
  }
}
