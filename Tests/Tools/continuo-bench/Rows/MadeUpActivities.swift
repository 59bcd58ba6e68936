// SPDX-License-Identifier: MIT

import ActivityModel

/// Saved activities with texts that look real: words of the lengths and the frequencies of a language (the
/// word of rank n is 1/n as frequent as the first), always the same ones.
struct MadeUpActivities {
  static let appID = "org.example.reader"
  /// Words that there are, as a power of two.
  private static let vocabulary = 15.0
  private static let consonants = Array("bdfghklmnprstvz")
  private static let vowels = Array("aeiou")

  private var generator = Xorshift()
  private let first = WallTime(milliseconds: 1_800_000_000_000)
  private var count: UInt64 = 0

  /// Its moment is that of the first one.
  var wall: WallTime { first }

  private mutating func random(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  /// Frequent words are short.
  mutating func word() -> String {
    // Evenly within each power of two, and the powers evenly: Zipf's law.
    var rest = Double.random(in: 0..<Self.vocabulary, using: &generator)
    var rank = 1.0
    while rest > 1 { (rank, rest) = (rank * 2, rest - 1) }
    var number = Int(rank * (1 + rest))
    var word = ""
    repeat {
      let syllable = number % (Self.consonants.count * Self.vowels.count)
      word += [Self.consonants[syllable / Self.vowels.count], Self.vowels[syllable % Self.vowels.count]]
      number /= Self.consonants.count * Self.vowels.count
    } while number > 0
    return word
  }

  private mutating func words(_ count: Int) -> [String] { (0..<count).map { _ in word() } }

  /// The next one: of a document, or of a page.
  mutating func next() -> SavedActivity {
    count += 1
    var snapshot = ActivitySnapshot(
      id: .random(), type: "org.example.reading", appID: Self.appID,
      changedAt: first.adding(seconds: count))
    snapshot.flags.insert(.search)
    snapshot.title = words(3 + random(below: 6)).joined(separator: " ")
    snapshot.keywords = Set(words(random(below: 5)))
    snapshot.contentAttributes = [
      .text("contentDescription"): .text(words(8 + random(below: 25)).joined(separator: " "))
    ]
    if count.isMultiple(of: 2) {
      let path = "/home/person/\(count)/" + words(3).joined(separator: "/") + ".md"
      snapshot.persistentIdentifier = path
      snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file://" + path)
    } else {
      let page = "https://www." + word() + ".example/" + words(3).joined(separator: "-")
      snapshot.persistentIdentifier = "page-\(count)"
      snapshot.webpageURL = page
    }
    return SavedActivity(appID: Self.appID, snapshot: snapshot)
  }

  /// What a person looks for, of five kinds in turn: a word, two, the beginning of one, its first letter, and
  /// a phrase of a title. recoll is asked for three letters instead of one, which it refuses as too many
  /// words, or takes half a minute for, where it is told to accept them.
  mutating func query(_ number: Int, among activities: [SavedActivity]) -> Query {
    switch number % 5 {
    case 0: return Query(ours: word(), recoll: nil)
    case 1: return Query(ours: word() + " " + word(), recoll: nil)
    case 2, 3:
      let word = word()
      let beginning = String(word.prefix(3))
      return Query(ours: number % 5 == 2 ? beginning : String(word.prefix(1)), recoll: beginning + "*")
    default:
      let title = activities[random(below: activities.count)].snapshot.title
      let phrase = title.split(separator: " ").prefix(2).joined(separator: " ")
      return Query(ours: "\"\(phrase)\"", recoll: nil)
    }
  }

  struct Query {
    var ours: String
    var recoll: String

    init(ours: String, recoll: String?) { (self.ours, self.recoll) = (ours, recoll ?? ours) }
  }
}

/// Always the same numbers (xorshift64).
private struct Xorshift: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

extension SavedActivity {
  /// What a person or an app wrote of it, a line each.
  var text: String {
    var lines = [snapshot.title] + snapshot.keywords.sorted()
    if case .text(let text)? = snapshot.contentAttributes?[.text("contentDescription")] { lines.append(text) }
    lines += [snapshot.webpageURL, snapshot.persistentIdentifier].compactMap(\.self)
    return lines.joined(separator: "\n") + "\n"
  }
}
