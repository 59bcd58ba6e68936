// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

/// What other devices offer, and what the person decided about it.
struct LanguageOffers: Hashable {
  /// One offer, as far as an editor is concerned; texts are as they may be shown.
  struct Entry: Hashable {
    var id: String
    var title: String
    var device: String
    var changedAt: Int64
    var hasUnsavedChanges: Bool
    var leftOpen: Bool
    var arrival: String
    var uri: FileURI?
    var remark: String?

    init?(_ json: JSONValue?) {
      guard case .text(let id)? = json?["id"], case .text(let device)? = json?["device"] else { return nil }
      (self.id, self.device) = (id, LanguageWords.shown(device))
      if case .text(let title)? = json?["title"] {
        self.title = LanguageWords.shown(title)
      } else {
        title = ""
      }
      if case .int(let moment)? = json?["changedAt"] { changedAt = moment } else { changedAt = 0 }
      hasUnsavedChanges = json?["unsavedChanges"] == true
      leftOpen = json?["leftOpen"] == true
      if case .text(let name)? = json?["status"]?["arrival"] { arrival = name } else { arrival = "" }
      if case .text(let text)? = json?["uri"] { uri = FileURI(text) }
      if case .text(let text)? = json?["remark"] { remark = LanguageWords.shown(text) }
      if title.isEmpty { title = uri.map(LanguageWords.name) ?? "a document" }
    }

    /// “plan.md from laptop”.
    var label: String {
      "\(title) from \(device)" + (hasUnsavedChanges ? ", with unsaved changes there" : "")
    }
  }

  /// A continuation that has not ended.
  struct Wait: Hashable {
    var offer: Entry
    /// When the person asked for it.
    var since: Instant
    /// What is told of its version; empty before anything is.
    var arrival = ""
    var reason = ""
    var percentage: Int64?
    /// How its progress is shown.
    var progress = Progress.none
    var isAsked = false

    enum Progress: Hashable { case none, wanted, shown }

    /// Whether the person is to be told anew.
    func differs(from other: Wait) -> Bool { (arrival, reason) != (other.arrival, other.reason) }

    /// “Waiting for plan.md from laptop: …”.
    var sentence: String {
      let beginning =
        arrival == "diverged" ? "\(offer.title) has diverged" : "Waiting for \(offer.label)"
      return reason.isEmpty ? beginning : "\(beginning): \(reason)"
    }
  }

  /// What is put away stays so for as long, by the other device's clock.
  static let quiet: Int64 = 600_000

  private(set) var list: [Entry] = []
  private(set) var waits: [String: Wait] = [:]
  private var accepted: [String: Instant] = [:]
  /// Until when an offer is not shown, by its device's clock.
  private var hidden: [String: Int64] = [:]
  private var shown: Set<String> = []

  /// Takes the whole list; of each document of a device the newest alone counts.
  mutating func replace(_ entries: [Entry]) {
    var found: [Entry] = []
    for entry in entries {
      let twin = found.firstIndex { $0.device == entry.device && $0.uri != nil && $0.uri == entry.uri }
      guard let twin else {
        found.append(entry)
        continue
      }
      if entry.changedAt > found[twin].changedAt { found[twin] = entry }
    }
    list = found
    let present = Set(found.map(\.id))
    accepted = accepted.filter { present.contains($0.key) }
    hidden = hidden.filter { present.contains($0.key) }
    shown = shown.intersection(present)
  }

  /// The newest offer that the person has neither accepted nor put away; `isWorkedOn` tells whether it would
  /// only bring the text that they have.
  func news(isWorkedOn: (FileURI) -> Bool) -> Entry? {
    list.filter { offer in
      guard accepted[offer.id] == nil, offer.changedAt > hidden[offer.id] ?? -1 else { return false }
      guard ["current", "ahead"].contains(offer.arrival), let uri = offer.uri else { return true }
      return !isWorkedOn(uri)
    }.max { $0.changedAt < $1.changedAt }
  }

  /// Whether it was not shown before; from now on it was.
  mutating func show(_ offer: Entry) -> Bool { shown.insert(offer.id).inserted }

  /// It could not be shown after all.
  mutating func showAgain(_ offer: String) { shown.remove(offer) }

  var newest: Entry? { list.max { $0.changedAt < $1.changedAt } }

  func find(_ id: String) -> Entry? { list.first { $0.id == id } }

  mutating func accept(_ id: String, at now: Instant) { accepted[id] = now }

  mutating func refuse(_ id: String) { accepted[id] = nil }

  mutating func dismiss(_ id: String) {
    guard let offer = find(id) else { return }
    hidden[id] = offer.changedAt + Self.quiet
    shown.remove(id)
  }

  // MARK: Continuations

  mutating func begin(_ request: String, _ offer: Entry, at now: Instant) {
    waits[request] = Wait(offer: offer, since: accepted[offer.id] ?? now)
    accepted[offer.id] = waits[request]?.since
  }

  mutating func change(_ request: String, _ body: (inout Wait) -> Void) {
    guard var wait = waits[request] else { return }
    body(&wait)
    waits[request] = wait
  }

  /// It is over; `isDone` puts the offer away until it changes again.
  mutating func finish(_ request: String, isDone: Bool) -> Wait? {
    guard let wait = waits.removeValue(forKey: request) else { return nil }
    accepted[wait.offer.id] = nil
    if isDone, let offer = find(wait.offer.id) {
      hidden[offer.id] = offer.changedAt
      shown.remove(offer.id)
    }
    return wait
  }

  /// The continuation that began last and waits.
  var waiting: (request: String, wait: Wait)? {
    waits.filter { !$0.value.arrival.isEmpty }.max { $0.value.since < $1.value.since }
      .map { ($0.key, $0.value) }
  }
}

/// How things are called to the person.
enum LanguageWords {
  /// One line; what some editors take for markup in a message is replaced by what looks like it.
  static func shown(_ text: String) -> String {
    let plain = DisplayText.shown(text, byteLimit: 1024)
    guard plain.utf8.contains(where: { marks[$0] != nil }) else { return plain }
    return String(plain.map { $0.asciiValue.flatMap { Self.marks[$0] } ?? $0 })
  }

  private static let marks: [UInt8: Character] = [
    UInt8(ascii: "<"): "‹", UInt8(ascii: ">"): "›", UInt8(ascii: "&"): "＆", UInt8(ascii: "["): "［",
    UInt8(ascii: "]"): "］", UInt8(ascii: "`"): "ˋ",
  ]

  /// A file's name.
  static func name(_ uri: FileURI) -> String {
    shown(plainName(uri))
  }

  /// The same for those that show it as it is.
  static func plainName(_ uri: FileURI) -> String {
    DisplayText.shown(uri.path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? uri.path)
  }

  /// A file's whole path.
  static func path(_ uri: FileURI) -> String { shown(DisplayText.shown(uri.path)) }

  /// “ at 12:34”, by the clock here; empty for no moment.
  static func clock(_ moment: JSONValue?, minutesEast: Int, _ word: String) -> String {
    guard case .int(let milliseconds)? = moment, milliseconds >= 0 else { return "" }
    let minute = (Int(milliseconds / 60_000) + minutesEast) % 1440
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let of = minute < 0 ? minute + 1440 : minute
    return " \(word) \(two(of / 60)):\(two(of % 60))"
  }
}
