// SPDX-License-Identifier: MIT

/// A language in which reasons and notifications are told: templates, and how amounts and lists are
/// written.
///
/// Another language is one more file like `ReasonLanguage+English.swift`. Of the templates of a kind that
/// one is taken which has exactly the slots that the reason fills; `{slot}` stands for each, once or more
/// often.
public struct ReasonLanguage: Sendable {
  /// How numbers of bytes are written.
  struct Units: Sendable {
    var bytes: String
    var kilo: String
    var mega: String
    var giga: String
    var point: String
  }

  /// How names of a list are written.
  struct Quotes: Sendable {
    var open: String
    var close: String
    var separator: String
  }

  /// What begins the name of its locales, as `de`.
  public let code: String
  let units: Units
  let quotes: Quotes
  let templates: [Reason.Kind: [ReasonTemplate]]
  let phrases: [Phrase: ReasonTemplate]
  /// All of them, in the order of the kinds.
  private let all: [(kind: Reason.Kind, template: ReasonTemplate)]

  init(
    code: String, units: Units, quotes: Quotes, templates: [Reason.Kind: [String]], phrases: [Phrase: String]
  ) {
    self.code = code
    self.units = units
    self.quotes = quotes
    self.phrases = phrases.mapValues(ReasonTemplate.init)
    let read = templates.mapValues { $0.map(ReasonTemplate.init) }
    self.templates = read
    all = Reason.Kind.allCases.flatMap { kind in (read[kind] ?? []).map { (kind, $0) } }
  }

  /// What nests deeper than this is left as it was told.
  private static let depth = 2

  // MARK: From the case to the sentence

  func sentence(of reason: Reason) -> String {
    let (kind, fields) = reason.parts
    guard case .told(let sentence) = reason else {
      let template = templates[kind]?.first { $0.slots == Set(fields.keys) }
      return template?.text { slot in fields[slot].map(text) ?? "" } ?? ""
    }
    return sentence
  }

  func text(of value: Reason.Value) -> String {
    switch value {
    case .text(let text): text
    case .amount(let amount): amount.text(units)
    case .number(let number): "\(number)"
    case .names(let names): names.map { quotes.open + $0 + quotes.close }.joined(separator: quotes.separator)
    case .reason(let reason): sentence(of: reason)
    case .mark: ""
    }
  }

  // MARK: From the sentence to the case

  /// The one inverse of all templates. What does not give exactly this sentence again is `told`.
  func reason(in sentence: String) -> Reason {
    found(in: sentence, depth: Self.depth)?.reason ?? .told(sentence)
  }

  /// A reading of a sentence.
  private struct Found {
    var reason: Reason
    /// The sentence with something that stands for any text in its slots.
    var pattern: [UInt8]
  }

  private func found(in sentence: String, depth: Int) -> Found? {
    let bytes = Array(sentence.utf8)
    var matches: [(kind: Reason.Kind, template: ReasonTemplate, match: ReasonTemplate.Match)] = []
    for (kind, template) in all {
      if let match = template.match(bytes, accepts) { matches.append((kind, template, match)) }
    }
    // A sentence with more parts also fits a template in which a name takes those parts for its own: of
    // several templates the one counts that all others fit, whatever stands in its slots.
    let readings = matches.compactMap { kind, template, match -> Found? in
      guard case .places(let places) = match else { return nil }
      let reading = reading(kind, template, places.map { String(decoding: bytes[$0], as: UTF8.self) }, depth)
      let isSpecial = matches.allSatisfy {
        $0.template == template || $0.template.match(reading.pattern, accepts) != nil
      }
      return isSpecial ? reading : nil
    }
    guard readings.count == 1, let found = readings.first,
      self.sentence(of: found.reason).utf8.elementsEqual(sentence.utf8)
    else { return nil }
    return found
  }

  private func reading(
    _ kind: Reason.Kind, _ template: ReasonTemplate, _ texts: [String], _ depth: Int
  ) -> Found {
    var fields: Reason.Fields = [:]
    var nested: [Reason.Slot: [UInt8]] = [:]
    for (slot, text) in zip(template.order, texts) {
      if slot.form == .reason, depth > 0, let found = found(in: text, depth: depth - 1) {
        fields[slot] = .reason(found.reason)
        nested[slot] = found.pattern
      } else {
        fields[slot] = value(of: text, in: slot)
      }
    }
    return Found(
      reason: Reason(kind, fields), pattern: template.bytes { nested[$0] ?? Array(sample($0).utf8) })
  }

  /// What is told beside another reason, behind it.
  private static let beside: Set<Reason.Kind> = [
    .addressesLeftOut, .filesLeftOut, .moreOffers, .moreActivities,
  ]

  /// Several sentences, one after the other: one, and behind it at most three that are told beside others.
  func reasons(in text: String) -> [Reason] {
    var (first, others) = (text, [Reason]())
    while others.count < 3, let (before, last) = splitOff(first) {
      (first, others) = (before, [last] + others)
    }
    return first.isEmpty ? others : [reason(in: first)] + others
  }

  private func splitOff(_ text: String) -> (before: String, last: Reason)? {
    let bytes = Array(text.utf8)
    let spaces = bytes.indices.dropFirst().filter { bytes[$0] == 0x20 && bytes[$0 - 1] == UInt8(ascii: ".") }
    for space in spaces.suffix(8) {
      let last = reason(in: String(decoding: bytes[(space + 1)...], as: UTF8.self))
      if Self.beside.contains(last.kind) { return (String(decoding: bytes[..<space], as: UTF8.self), last) }
    }
    return nil
  }

  private func value(of text: String, in slot: Reason.Slot) -> Reason.Value? {
    switch slot.form {
    case .text: .text(text)
    case .amount: ByteAmount(text, units).map(Reason.Value.amount)
    case .number: UInt64(text).map(Reason.Value.number)
    case .names: names(in: text).map(Reason.Value.names)
    case .reason: .reason(.told(text))
    case .mark: .mark
    }
  }

  private func names(in text: String) -> [String]? {
    guard text.count >= 2, text.hasPrefix(quotes.open), text.hasSuffix(quotes.close) else { return nil }
    let between = Array((quotes.close + quotes.separator + quotes.open).utf8)
    let inner = Array(text.utf8.dropFirst(quotes.open.utf8.count).dropLast(quotes.close.utf8.count))
    var (names, start) = ([String](), 0)
    for place in ReasonTemplate.places(of: between, in: inner) where place >= start {
      names.append(String(decoding: inner[start..<place], as: UTF8.self))
      start = place + between.count
    }
    return names + [String(decoding: inner[start...], as: UTF8.self)]
  }

  /// Whether a slot may hold these bytes.
  private func accepts(_ slot: Reason.Slot, _ bytes: ArraySlice<UInt8>) -> Bool {
    switch slot.form {
    case .text, .reason: true
    case .amount, .number:
      bytes.count < 32 && value(of: String(decoding: bytes, as: UTF8.self), in: slot) != nil
    case .names: names(in: String(decoding: bytes, as: UTF8.self)) != nil
    case .mark: bytes.isEmpty
    }
  }

  /// A text that stands in a slot for any.
  private func sample(_ slot: Reason.Slot) -> String {
    switch slot.form {
    case .text, .reason: "\u{FFFC}"
    case .amount: text(of: .amount(ByteAmount(1)))
    case .number: text(of: .number(1))
    case .names: text(of: .names(["\u{FFFC}"]))
    case .mark: ""
    }
  }
}
