// SPDX-License-Identifier: MIT

public import ActivityModel

/// Saving a document where it is being edited, before a person goes on with it elsewhere: who is asked, by
/// whom, and what comes of it. Without links, apps and a clock.
///
/// An offer is asked for once, when it is accepted. The device that is asked answers when its record names
/// what its app saved, so that whoever asked has that first.
public struct SaveMachine: Sendable {
  /// So long the other device may say nothing: one of an earlier release passes over what it is asked.
  public static let patience = Duration.seconds(10)
  /// So long an app here may take, so that its device's answer is there in time.
  public static let appPatience = Duration.seconds(9)
  /// So many questions of one device may wait for apps here.
  public static let limit = 4
  /// So soon after an answer the same device is told that it asks too often for the same activity.
  public static let pause = Duration.seconds(5)

  /// A question of another device.
  public struct Place: Hashable, Sendable, Comparable {
    /// The link over which it came.
    public var link: LinkNumber
    /// The number there.
    public var number: SaveNumber

    /// The question of that number on a link.
    public init(on link: LinkNumber, as number: SaveNumber) { (self.link, self.number) = (link, number) }

    /// By link, then as they were counted.
    public static func < (left: Place, right: Place) -> Bool {
      (left.link, left.number) < (right.link, right.number)
    }
  }

  /// What this device's record says of an activity.
  public struct Stated: Hashable, Sendable {
    /// In which state.
    public var changedAt: WallTime
    /// What it is continued with: its document's version, or a draft; nil without either.
    public var digest: ContentDigest?
    /// Whether its app has text that this does not hold.
    public var hasUnsavedChanges: Bool

    /// That state of the activity.
    public init(changedAt: WallTime, digest: ContentDigest?, hasUnsavedChanges: Bool) {
      (self.changedAt, self.digest) = (changedAt, digest)
      self.hasUnsavedChanges = hasUnsavedChanges
    }
  }

  /// What happened.
  public enum Event: Sendable {
    /// These links there are, and no others any more.
    case linked([LinkNumber: DeviceID])
    /// A person here goes on with that offer, and its app has text that is not saved.
    case wants(OfferID)
    /// Another device said a word over its link.
    case said(SaveWord, DeviceID, LinkNumber)
    /// An app here is asked under that request; or it is not, and why.
    case passedOn(Place, RequestID, SaveRefusal?)
    /// The app says what came of it.
    case answered(RequestID, SaveAnswer)
    /// The app has ended.
    case ended(RequestID)
    /// This device's record states these activities, and no others.
    case stated([ActivityID: Stated])
    /// Time has passed.
    case time
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// A word goes to the other device.
    case say(SaveWord, LinkNumber)
    /// Ask the app that has the activity, if that device may have it saved; then tell `passedOn`.
    case ask(Place, ActivityID, DeviceID)
    /// Whoever continues that offer here goes on.
    case end(OfferID, SaveOutcome)
  }

  private struct Question {
    let offer: OfferID
    let deadline: Instant
  }

  private struct Asked {
    let request: RequestID
    let device: DeviceID
    let activity: ActivityID
    let deadline: Instant
    /// The state that the app says it saved, while the record does not have it.
    var saved: WallTime?
  }

  private struct Asker: Hashable {
    let device: DeviceID
    let activity: ActivityID
  }

  private var links: [LinkNumber: DeviceID] = [:]
  /// What is asked of others.
  private var questions: [Place: Question] = [:]
  private var counted: UInt32 = 0
  /// What others ask: until it is known whether an app takes it, and until that answers.
  private var awaited: [Place: ActivityID] = [:]
  private var asked: [Place: Asked] = [:]
  /// Whose question was answered lately, and until when another one is too soon.
  private var answered: [Asker: Instant] = [:]
  private var stated: [ActivityID: Stated] = [:]

  /// Without links.
  public init() {}

  /// When time is to be told next.
  public var nextMoment: Instant? {
    (questions.values.map(\.deadline) + asked.values.map(\.deadline)).min()
  }

  /// What to do about an event.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .linked(let links): return use(links, at: now)
    case .wants(let offer): return want(offer, at: now)
    case .said(let word, let device, let link): return hear(word, from: device, on: link, at: now)
    case .passedOn(let place, let request, let refusal): return pass(place, request, refusal, at: now)
    case .answered(let request, let answer):
      guard let (place, question) = asked.first(where: { $0.value.request == request }) else { return [] }
      return take(answer, of: question, at: place, now)
    case .ended(let request):
      guard let place = asked.first(where: { $0.value.request == request })?.key else { return [] }
      return refuse(place, .appGone, at: now)
    case .stated(let activities):
      stated = activities
      return asked.sorted { $0.key < $1.key }.flatMap { settle($0.key, $0.value, at: now) }
    case .time: return expire(at: now)
    }
  }

  /// Whether an app's answer under that request would be one.
  public func awaits(_ request: RequestID) -> Bool { asked.values.contains { $0.request == request } }

  /// Whoever asks, and asks again over another link, has not waited longer by that.
  private mutating func use(_ links: [LinkNumber: DeviceID], at now: Instant) -> [Action] {
    self.links = links
    awaited = awaited.filter { links[$0.key.link] != nil }
    for (place, question) in asked where links[place.link] == nil { close(place, question, at: now) }
    let lost = questions.filter { links[$0.key.link] == nil }.sorted { $0.key < $1.key }
    for (place, _) in lost { questions[place] = nil }
    return lost.map { .end($0.value.offer, .notSaved("")) }
  }

  private mutating func expire(at now: Instant) -> [Action] {
    let late = questions.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
    for (place, _) in late { questions[place] = nil }
    let silent = asked.filter { $0.value.deadline <= now }.keys.sorted()
    return late.map { .end($0.value.offer, .notSaved("")) }
      + silent.flatMap { refuse($0, .unanswered, at: now) }
  }

  // MARK: Asking

  private mutating func want(_ offer: OfferID, at now: Instant) -> [Action] {
    // Whoever accepts it as well waits for the same answer.
    guard !questions.values.contains(where: { $0.offer == offer }) else { return [] }
    guard let link = links.filter({ $0.value == offer.device }).keys.min() else {
      return [.end(offer, .notAsked)]
    }
    counted &+= 1
    let number = SaveNumber(rawValue: counted)
    questions[Place(on: link, as: number)] = Question(offer: offer, deadline: now + Self.patience)
    return [.say(.ask(number, offer.activity), link)]
  }

  // MARK: Being asked

  private mutating func hear(
    _ word: SaveWord, from device: DeviceID, on link: LinkNumber, at now: Instant
  ) -> [Action] {
    switch word {
    case .ask(let number, let activity):
      let place = Place(on: link, as: number)
      // A number that is in use says that the other device has lost count.
      guard awaited[place] == nil, asked[place] == nil else { return [] }
      // A link may be used before it is told of here.
      links[link] = device
      guard mayAsk(Asker(device: device, activity: activity), at: now) else {
        return [.say(.refuse(number, .busy, message: ""), link)]
      }
      awaited[place] = activity
      return [.ask(place, activity, device)]
    case .saved(let number, let digest, let hasTextAfter):
      guard let question = questions.removeValue(forKey: Place(on: link, as: number)) else { return [] }
      return [.end(question.offer, .saved(digest, hasTextAfter: hasTextAfter))]
    case .refuse(let number, _, let message):
      guard let question = questions.removeValue(forKey: Place(on: link, as: number)) else { return [] }
      return [.end(question.offer, .notSaved(message))]
    }
  }

  private mutating func mayAsk(_ asker: Asker, at now: Instant) -> Bool {
    answered = answered.filter { $0.value > now }
    let waiting = asked.values.filter { $0.device == asker.device }
    return answered[asker] == nil && !waiting.contains { $0.activity == asker.activity }
      && waiting.count < Self.limit
  }

  private mutating func pass(
    _ place: Place, _ request: RequestID, _ refusal: SaveRefusal?, at now: Instant
  ) -> [Action] {
    guard let activity = awaited.removeValue(forKey: place), let device = links[place.link] else { return [] }
    if let refusal { return [.say(.refuse(place.number, refusal, message: ""), place.link)] }
    asked[place] = Asked(
      request: request, device: device, activity: activity, deadline: now + Self.appPatience)
    return []
  }

  private mutating func take(
    _ answer: SaveAnswer, of question: Asked, at place: Place, _ now: Instant
  ) -> [Action] {
    switch answer {
    case .refused(let message): return refuse(place, .refused, message: message, at: now)
    case .saved(let changedAt):
      var question = question
      question.saved = changedAt
      asked[place] = question
      return settle(place, question, at: now)
    }
  }

  /// Answers once the record states what the app saved, or states the activity no more.
  private mutating func settle(_ place: Place, _ question: Asked, at now: Instant) -> [Action] {
    guard let saved = question.saved else { return [] }
    guard let state = stated[question.activity] else { return refuse(place, .unknownActivity, at: now) }
    guard state.changedAt >= saved else { return [] }
    guard let digest = state.digest else { return refuse(place, .unknownActivity, at: now) }
    close(place, question, at: now)
    return [.say(.saved(place.number, digest, hasTextAfter: state.hasUnsavedChanges), place.link)]
  }

  private mutating func refuse(
    _ place: Place, _ refusal: SaveRefusal, message: String = "", at now: Instant
  ) -> [Action] {
    guard let question = asked[place] else { return [] }
    close(place, question, at: now)
    return [.say(.refuse(place.number, refusal, message: message), place.link)]
  }

  private mutating func close(_ place: Place, _ question: Asked, at now: Instant) {
    asked[place] = nil
    answered[Asker(device: question.device, activity: question.activity)] = now + Self.pause
  }
}
