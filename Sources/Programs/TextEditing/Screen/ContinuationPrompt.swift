// SPDX-License-Identifier: MIT

import Continuo

/// The part of the editor's screen that is about other devices: an offer, a wait, or a choice.
struct ContinuationPrompt: Sendable {
  /// What the line is about.
  enum State: Hashable, Sendable {
    case idle
    /// Between accepting and the first word of the agent.
    case starting
    case waiting(title: String, ArrivalStatus)
  }

  /// What makes an offer a new one for a person who has seen it.
  private struct Seen: Hashable, Sendable {
    var id: OfferID
    var version: DocumentVersion?
    var title: String
  }

  private(set) var state = State.idle
  /// The person has done something to the document on the screen: Return is theirs.
  var isTouched = false {
    didSet {
      guard isTouched else { return }
      isWorkedHere = true
      resumeDeadline = nil
    }
  }
  /// The document on the screen was worked on here since the other device's version came: an offer of the
  /// same document brings something only when it has another version.
  var isWorkedHere = false
  /// Until when the newest offer is accepted by itself.
  var resumeDeadline: Instant?
  /// Which offer that is: one whose ID begins so; empty for any.
  var resumePrefix = ""
  /// What is open there beside it is accepted with it.
  var resumesAll = false
  private var offers: [Offer] = []
  /// How many documents are open there beside that of an offer.
  var beside: [OfferID: Int] = [:]
  private var shown: Set<OfferID> = []
  private var hidden: Set<Seen> = []
  private var accepted: Seen?
  /// The keys o, w and g decide; else they are text, and Control-R asks for the choice.
  private(set) var isChoosing = false
  private var typedWhileWaiting = false
  /// The conflict copies that the person can look at while choosing.
  private(set) var copies: [ConflictCopy] = []

  /// The offer that the line shows.
  var offer: Offer? {
    guard state == .idle else { return nil }
    return offers.filter { !hidden.contains(Self.seen($0)) && brings($0) }
      .max { ($0.changedAt, $0.id) < ($1.changedAt, $1.id) }
  }

  /// How many documents are open there beside that of the offer that the line shows.
  var besideCount: Int { offer.flatMap { beside[$0.id] } ?? 0 }

  /// Whether the wait needs the person: the version will not come by itself.
  var needsChoice: Bool {
    if case .waiting(_, let status) = state { return status.arrival == .diverged }
    return false
  }

  private func brings(_ offer: Offer) -> Bool {
    guard shown.contains(offer.id), isWorkedHere else { return true }
    return offer.status.arrival != .current && offer.status.arrival != .ahead
  }

  private static func seen(_ offer: Offer) -> Seen {
    Seen(id: offer.id, version: offer.version, title: offer.displayTitle)
  }

  // MARK: News

  /// Takes the offers that stand now.
  mutating func update(_ offers: [Offer], shown: Set<OfferID>) -> [EditorAction] {
    self.offers = offers
    self.shown = shown
    guard resumeDeadline != nil else { return [] }
    let wanted = resumePrefix.isEmpty ? offer : offers.first { $0.id.description.hasPrefix(resumePrefix) }
    return wanted.map { accept($0, withAll: resumesAll) } ?? []
  }

  /// A continuation is under way.
  mutating func begin() {
    resumeDeadline = nil
    if case .waiting = state { return }
    state = .starting
  }

  /// The version is awaited. The first time that it needs the person, plain keys decide, unless they are
  /// typing, or may be: in the document along with which this one comes.
  mutating func wait(
    _ title: String, _ status: ArrivalStatus, _ copies: [ConflictCopy] = [], comesAlong: Bool = false
  ) {
    self.copies = copies
    let neededChoice = needsChoice
    state = .waiting(title: title, status)
    if needsChoice, !neededChoice { isChoosing = !typedWhileWaiting && !comesAlong }
    if !needsChoice { isChoosing = false }
  }

  /// The document is here. From now on Return is a line break again.
  mutating func finish(_ how: ContinuedDocument) -> String {
    hideAccepted()
    end()
    isTouched = true
    let from = how.deviceName.map { " from \($0)" } ?? ""
    guard let place = how.keptFrom else {
      return how.isPlaceGone
        ? "Continued\(from); the place is gone from this text, here is the nearest line" : "Continued\(from)"
    }
    return "Continued\(from); your place is kept (there it was Ln \(place.line), Col \(place.column))"
  }

  /// What to say when it did not work; nil when the person ended it.
  mutating func fail(_ error: ContinuityError) -> String? {
    end()
    return error.code == .userCancelled ? nil : error.description
  }

  private mutating func end() {
    state = .idle
    isChoosing = false
    typedWhileWaiting = false
    accepted = nil
    copies = []
  }

  private mutating func hideAccepted() {
    if let accepted { hidden.insert(accepted) }
  }

  // MARK: Keys

  /// Keys went to the text without passing by here.
  mutating func noteUse() {
    isTouched = true
    if state != .idle { typedWhileWaiting = true }
  }

  /// What the key does here; nil leaves it to the text.
  mutating func press(_ key: Key) -> [EditorAction]? {
    if isChoosing, let choice = choose(key) { return choice }
    if !key.isMouse { isChoosing = false }
    if state != .idle, !key.isMouse { typedWhileWaiting = true }
    switch (key, state) {
    case (.escape, .idle): return hide()
    case (.escape, _): return [.cancel]
    case (.control("r"), .waiting):
      isChoosing = true
      return []
    case (.control("r"), .idle): return offer.map { accept($0) } ?? []
    case (.function(2), .idle) where besideCount > 0: return offer.map { accept($0, withAll: true) }
    case (.enter, .idle) where !isTouched: return offer.map { accept($0) }
    default: return nil
    }
  }

  private mutating func choose(_ key: Key) -> [EditorAction]? {
    if let copy = copies.chosen(by: key) { return [.openCopy(copy)] }
    switch key {
    case .text("o"), .text("O"): return [.choose(.openHere)]
    case .text("w"), .text("W"):
      isChoosing = false
      return [.choose(.keepWaiting)]
    case .text("g"), .text("G"): return [.choose(.giveUp)]
    case .control("r"):
      isChoosing = false
      return []
    default: return nil
    }
  }

  private mutating func hide() -> [EditorAction]? {
    resumeDeadline = nil
    guard let offer else { return nil }
    hidden.insert(Self.seen(offer))
    return []
  }

  private mutating func accept(_ offer: Offer, withAll isAll: Bool = false) -> [EditorAction] {
    resumeDeadline = nil
    accepted = Self.seen(offer)
    state = .starting
    return [.accept(offer.id, isAll: isAll)]
  }
}
