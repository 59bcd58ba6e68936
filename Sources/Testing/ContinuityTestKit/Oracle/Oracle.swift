// SPDX-License-Identifier: MIT

import ActivityModel
import AgentEngine
import SyncedFolders
import Trust

/// What really happened, kept apart from the programs that are tested, and compared with what they say.
struct Oracle {
  /// What an app had when it said how things stand.
  struct Round {
    var device: Int
    var activity: ActivityID
    var path: RelativePath
    /// The file that it saved for it.
    var saved: Content?
  }

  struct Publication {
    var hash: UInt64
    var state: DeviceState
  }

  /// A promise of a version, by the round of its state.
  struct Promise: Hashable {
    var activity: ActivityID
    var document: DocumentReference?

    /// Whether this is what was delivered, under whichever name the document was found.
    func isKept(by delivered: ActivitySnapshot) -> Bool {
      guard activity == delivered.id, let document, let found = delivered.document else {
        return activity == delivered.id && delivered.document == nil && document == nil
      }
      return document.folder == found.folder && document.version == found.version
    }

    /// A lineage takes long to hash, and an activity has few versions in one round.
    func hash(into hasher: inout Hasher) { hasher.combine(activity) }
  }

  private struct Ending: Hashable {
    var process: UInt64
    var device: Int
    var request: RequestID
  }

  var sealsAreReal = false
  /// Computers that use one identity: what they say cannot be told apart.
  private(set) var cloned: Set<DeviceID> = []
  private var rounds: [Int64: Round] = [:]
  private(set) var publications: [DeviceID: [UInt64: Publication]] = [:]
  private var lastSequence: [DeviceID: UInt64] = [:]
  private var promises: [DeviceID: [Int64: Set<Promise>]] = [:]
  /// The highest number of each device that each device has accepted.
  private(set) var seen: [Int: [DeviceID: UInt64]] = [:]
  /// The bytes of that record, as a code.
  private var believed: [Int: [DeviceID: UInt64]] = [:]
  /// What was the highest until a step in which others were accepted.
  private var replaced: [Int: [DeviceID: (sequence: UInt64, step: Int)]] = [:]
  /// Versions that an agent knows to have been at a path, oldest first.
  var noted: [Int: [RelativePath: [ContentDigest]]] = [:]
  /// The same, with what adopted versions brought along between those known: what lineages carry on.
  var carried: [Int: [RelativePath: [ContentDigest]]] = [:]
  /// What a device's agent knew of a path when it said first which version is there.
  var pastWhenSaid: [DeviceID: [DocumentReference: [ContentDigest]]] = [:]
  /// Where persons went back to earlier texts.
  var returns: [(from: UInt32, to: UInt32)] = []
  /// What versions that were adopted were said to come after.
  var outgrown: [Int: [RelativePath: [[DigestPrefix]]]] = [:]
  /// What agents wrote themselves, into folders and private copies, by device.
  var laid: [Int: Set<ContentDigest>] = [:]
  private var deliveredRequests: Set<RequestID> = []
  private var begun: Set<Ending> = []
  private var ended: Set<Ending> = []
  private(set) var claims = ClaimTruth()
  var circle = CircleTruth()
  /// How many checks were made.
  var checks = 0

  typealias Verdict = (Violation.Rule, String)?

  init() {}

  mutating func knowsClone(_ device: DeviceID) { cloned.insert(device) }

  // MARK: What is said

  mutating func round(_ number: Int64, _ round: Round, at now: Instant) {
    rounds[number] = round
    claims.begin(round.activity, of: round.path, on: round.device, at: now)
  }

  /// An app lost its agent, or went away, with these in its windows.
  mutating func left(_ documents: [EditorApp.Opened], _ device: Device) {
    for document in documents {
      claims.leave(document.activity, of: document.path, on: device.number, at: device.now)
    }
  }

  /// S1 at its source: the version that goes out is the file that the app saved.
  mutating func translated(_ device: Device, _ snapshot: ActivitySnapshot, withFile: Bool) -> Verdict {
    checks += 1
    guard withFile, let round = Self.round(of: snapshot).flatMap({ rounds[$0] }), let saved = round.saved,
      let document = snapshot.document
    else { return nil }
    guard round.device == device.number, round.activity == snapshot.id, round.path == document.path else {
      return (.rightDocument, "a state was offered for another document than its app had")
    }
    let digest = device.world.contents.digest(of: saved)
    return document.version.digest == digest
      ? nil : (.rightVersion, "a state was offered with another version than its app had saved")
  }

  mutating func published(
    _ device: Device, _ sequence: UInt64, _ record: [UInt8], _ state: DeviceState, carried: [Claim]
  ) -> Verdict {
    checks += 1
    let hash = QuickCode.code(record[...], 0)
    let before = publications[device.id]?[sequence]
    publications[device.id, default: [:]][sequence] = Publication(hash: hash, state: state)
    for activity in state.activities {
      guard let round = Self.round(of: activity) else { continue }
      promises[device.id, default: [:]][round, default: []].insert(
        Promise(activity: activity.id, document: activity.document))
    }
    for document in state.activities.compactMap(\.document)
    where pastWhenSaid[device.id]?[document] == nil {
      pastWhenSaid[device.id, default: [:]][document] = noted[device.number]?[document.path] ?? []
    }
    for claim in carried where claim.outcome.isContinued {
      claims.record(claim)
    }
    if sealsAreReal, Self.contains(record, Array(World.secret.utf8)) {
      return (.secrecy, "a record shows a title or a name")
    }
    guard !cloned.contains(device.id) else { return nil }
    if before.map({ $0.hash != hash }) == true || sequence <= lastSequence[device.id] ?? 0 {
      return (.monotone, "record \(sequence) was published after \(lastSequence[device.id] ?? 0)")
    }
    lastSequence[device.id] = sequence
    return nil
  }

  /// Numbers that were lost with a restored disk may be used again only above what others saw.
  static func round(of snapshot: ActivitySnapshot) -> Int64? {
    if case .int(let round) = snapshot.userInfo[EditorApp.roundKey] { round } else { nil }
  }

  private static func contains(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
    guard bytes.count >= text.count else { return false }
    return (0...(bytes.count - text.count)).contains { start in
      bytes[start] == text[0] && bytes[start..<(start + text.count)].elementsEqual(text)
    }
  }

  /// S6: what an agent writes, or removes, is its own.
  mutating func wrote(_ device: Device, _ path: [[UInt8]]) -> Verdict {
    checks += 1
    guard path.count == 2, path[0] == RecordFiles.names[0], let name = path.last,
      let identity = device.agent?.core.store.identity ?? Optional(device.identity)
    else { return (.confinement, "the agent wrote outside .continuo") }
    let keys = identity.keys.publicKeys
    // Mostly it is one of the key in use, which is the last.
    let isOwn = identity.circle.epochs.reversed().contains { epoch in
      RecordFileKind.allCases.contains { epoch.fileName($0, of: keys).utf8.elementsEqual(name) }
    }
    if isOwn || name.starts(with: "i-".utf8) { return nil }
    return (.confinement, "the agent wrote a file that is not its own")
  }

  // MARK: What is believed

  /// S3 for records: what an agent believes was published, byte by byte, by that device.
  mutating func accepted(
    _ device: Device, _ code: UInt64, _ sender: DeviceID, _ sequence: UInt64
  ) -> Verdict {
    checks += 1
    if circle.refuses(device, sender, sequence) {
      return (.noInvention, "record \(sequence) of a removed device was believed")
    }
    let isKnown = publications[sender]?[sequence].map { $0.hash == code } ?? false
    if !isKnown, !cloned.contains(sender) {
      return (.noInvention, "record \(sequence) was believed and never published")
    }
    let highest = seen[device.number]?[sender] ?? 0
    if sequence == highest { return (.monotone, "two records of one number were both believed") }
    seen[device.number, default: [:]][sender] = max(highest, sequence)
    if sequence > highest { believed[device.number, default: [:]][sender] = code }
    let step = device.world.step
    if replaced[device.number]?[sender]?.step != step {
      replaced[device.number, default: [:]][sender] = (highest, step)
    }
    if sequence < highest {
      return (.noResurrection, "record \(sequence) was believed after \(highest)")
    }
    return nil
  }

  /// S3 for two computers with one identity: what one said is not taken for what the other said.
  mutating func acceptedAgain(
    _ device: Device, _ code: UInt64, _ sender: DeviceID, _ sequence: UInt64
  ) -> Verdict {
    checks += 1
    guard seen[device.number]?[sender] == sequence, let known = believed[device.number]?[sender] else {
      return nil
    }
    return known == code ? nil : (.monotone, "two records of one number were both believed")
  }

  mutating func saysClone(_ device: Device, _ sender: DeviceID) -> Verdict {
    device.world.count(.clones)
    return cloned.contains(sender)
      ? nil : (.monotone, "an honest device was called a clone: one number was used twice")
  }

  /// S3 and S4: each offer stands in the newest record that was accepted of its device. An agent believes all
  /// records of a folder before it lists what the first of them changed: until the step is over a list may
  /// still have what a record before said.
  mutating func offers(_ device: Device, _ offers: [Offer]) -> Verdict {
    for offer in offers where !cloned.contains(offer.id.device) {
      checks += 1
      if circle.isRemoved(device, offer.id.device), circle.isSettled(device) {
        return (.noInvention, "an offer of a removed device stands")
      }
      let newest = seen[device.number]?[offer.id.device].flatMap { publications[offer.id.device]?[$0] }
      if newest.map({ Self.holds($0.state, offer) }) == true { continue }
      if let former = replaced[device.number]?[offer.id.device], former.step == device.world.step,
        publications[offer.id.device]?.contains(where: {
          $0.key >= former.sequence && Self.holds($0.value.state, offer)
        }) == true
      {
        continue
      }
      let wasOffered = publications[offer.id.device]?.values.contains { Self.holds($0.state, offer) }
      return wasOffered == true
        ? (.noResurrection, "an offer came back that a newer record had ended")
        : (.noInvention, "an offer was shown that was never made")
    }
    return nil
  }

  private static func holds(_ state: DeviceState, _ offer: Offer) -> Bool {
    state.activities.indices.contains { place in
      state.activities[place].id == offer.id.activity
        && state.activities[place].changedAt == offer.changedAt
        && state.activities[place].document?.version == offer.version
        && state.activities[place].document?.path == offer.path
    }
  }

  // MARK: What people get

  mutating func begins(
    _ process: UInt64, _ device: Device, _ request: RequestID, _ offer: OfferID
  ) -> Verdict {
    checks += 1
    let key = Ending(process: process, device: device.number, request: request)
    return begun.insert(key).inserted ? nil : (.noDuplicate, "a continuation was announced twice")
  }

  mutating func ends(_ process: UInt64, _ device: Device, _ request: RequestID) -> Verdict {
    checks += 1
    let key = Ending(process: process, device: device.number, request: request)
    return ended.insert(key).inserted ? nil : (.noDuplicate, "a continuation ended twice")
  }

  /// S1, S2 and S5: the one delivery of a request.
  mutating func opened(
    _ process: UInt64, _ device: Device, _ request: RequestID, _ offer: OfferID?, _ delivery: Delivery,
    _ content: Content?, isChosen: Bool
  ) -> Verdict {
    checks += 1
    guard deliveredRequests.insert(request).inserted else {
      return (.noDuplicate, "a request was delivered twice")
    }
    if let twice = ends(process, device, request) { return twice }
    guard let offer, let round = Self.round(of: delivery.activity) else {
      return (.noInvention, "something was delivered that nobody was told of")
    }
    guard delivery.activity.id == offer.activity,
      let promise = promises[offer.device]?[round]?.first(where: { $0.isKept(by: delivery.activity) })
    else { return (.rightDocument, "what was delivered is not what that device offered") }
    guard let document = promise.document else { return nil }
    if let place = delivery.path.flatMap(FilePlace.init(absolute:)) {
      claims.continueHere(place.isCopy ? document.path : place.path, on: device.number)
    }
    return version(device, offer.device, document, delivery.status.arrival, content, isChosen: isChosen)
  }

  private func version(
    _ device: Device, _ sender: DeviceID, _ document: DocumentReference, _ arrival: Arrival,
    _ content: Content?, isChosen: Bool
  ) -> Verdict {
    let contents = device.world.contents
    guard let content else { return (.rightVersion, "a document was delivered without its file") }
    let digest = contents.digest(of: content)
    switch arrival {
    case .current:
      return digest == document.version.digest
        ? nil : (.rightVersion, "bytes were opened that are not the version that was offered")
    case .ahead:
      guard !device.world.simulation.faults.contains(.undo), let here = contents.text(of: digest),
        let meant = contents.text(of: document.version.digest), here != meant,
        contents.descends(meant, from: here), knows(sender, document, digest),
        !wasPast(meant, document.version.digest, document.path, device),
        !wasGoneBackTo(digest, from: meant, document.path, contents)
      else { return nil }
      return (.rightVersion, "an older version was opened as a newer one")
    default:
      return isChosen ? nil : (.rightVersion, "a version was opened that nobody chose: \(arrival.name)")
    }
  }

  /// At most once for each claim.
  mutating func told(_ device: Device, _ activity: ActivityID) -> Verdict {
    checks += 1
    guard !claims.tell(activity), !device.world.simulation.faults.contains(.full) else { return nil }
    return (.noDuplicate, "one continuation was told to its source more than once")
  }
}
