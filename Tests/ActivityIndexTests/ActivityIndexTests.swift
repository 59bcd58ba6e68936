// SPDX-License-Identifier: MIT

import ActivityModel
import GRDBSQLite
import StateDatabase
import TestSamples
import TestSupport
import Testing

@testable import ActivityIndex

/// Saved activities by their words: what is found, and that what was deleted is nowhere any more.
@Suite struct ActivityIndexTests {
  private let scratch: Scratch
  private let wall = WallTime(milliseconds: 1_800_000_000_000)

  init() throws { scratch = try Scratch("index", inMemory: true) }

  private func index(_ limits: SavedActivityLimits = SavedActivityLimits()) throws -> ActivityIndex {
    try ActivityIndex(directory: scratch.path, limits: limits)
  }

  private func activity(
    _ identifier: String, title: String, keywords: Set<String> = [], description: String? = nil,
    domain: String? = nil, of appID: String = "org.a", after seconds: UInt64 = 0
  ) -> SavedActivity {
    var snapshot = ActivitySnapshot(
      id: .random(), type: "org.a.reading", appID: appID, changedAt: wall.adding(seconds: seconds))
    snapshot.flags.insert(.search)
    snapshot.persistentIdentifier = identifier
    (snapshot.title, snapshot.keywords) = (title, keywords)
    var attributes: UserInfo = [:]
    attributes[.text("contentDescription")] = description.map { .text($0) }
    attributes[.text("domainIdentifier")] = domain.map { .text($0) }
    snapshot.contentAttributes = attributes.isEmpty ? nil : attributes
    return SavedActivity(appID: appID, snapshot: snapshot)
  }

  private func found(_ words: String, in index: ActivityIndex, of appID: String? = nil) throws -> [String] {
    try index.search(words, of: appID, atMost: 20, at: wall).map { $0.snapshot.persistentIdentifier ?? "" }
  }

  /// Whether any file of the state holds `text`, in whatever case.
  private func isReadable(_ text: String) -> Bool {
    Scratch.isReadable(text, in: scratch.path)
  }

  /// In a process of its own, where nothing else asks SQLite for memory.
  @Test func whatTheLookAtAStartReadIsNotKeptInMemory() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch("index", inMemory: true)
      let wall = WallTime(milliseconds: 1_800_000_000_000)
      let saved = (0..<300).map { number in
        var snapshot = ActivitySnapshot(
          id: .random(), type: "org.a.reading", appID: "org.a", changedAt: wall)
        snapshot.flags.insert(.search)
        snapshot.persistentIdentifier = "\(number)"
        snapshot.title = String(repeating: "Soup number\(number) ", count: 80)
        return SavedActivity(appID: "org.a", snapshot: snapshot)
      }
      let before = try ActivityIndex(directory: scratch.path)
      try before.save(saved, at: wall)
      before.close()
      let size = try #require(Scratch.bytes(at: scratch.path + "/" + IndexSchema.fileName)).count
      let index = try ActivityIndex(directory: scratch.path)
      #expect(size > 150_000 && sqlite3_memory_used() < 100_000)
      #expect(try index.search("number7", of: nil, atMost: 2000, at: wall).count > 1)
    }
  }

  @Test func s11d_wordsAreJoinedAndEachMayBeTheBeginningOfOne() throws {
    let index = try index()
    try index.save(
      [
        activity("soup", title: "Lentil soup", keywords: ["recipe"]),
        activity("salad", title: "Lentil salad", description: "Not a soup, but a recipe."),
      ], at: wall)
    #expect(try found("lentil", in: index).count == 2)
    #expect(try found("SOUP lent", in: index) == ["soup", "salad"], "in the title it counts more")
    #expect(try found("recip salad", in: index) == ["salad"])
    #expect(try found("\"lentil soup\"", in: index) == ["soup"])
    #expect(try found("\"lentil sou\"", in: index) == [], "a phrase is of whole words")
    #expect(try found("lentil steak", in: index) == [])
    #expect(try found("entil", in: index) == [])
    #expect(try found("lentil NOT soup", in: index) == ["salad"], "“not” is a word like others")
  }

  /// Beginnings of one and two characters, and phrases, are found by other means than words are.
  @Test(arguments: [
    ("l s", ["soup", "salad", "stew"]), ("le", ["soup", "salad", "stew"]), ("le st", ["stew"]),
    ("n", ["soup", "salad"]),
    ("l", ["soup", "salad", "stew"]), ("\"l\"", []), ("\"a\" soup", ["salad"]), ("zz", []),
    ("\"lentil soup\" a", ["soup"]), ("\"soup lentil\"", []), ("\"a soup\"", ["salad"]),
    ("\"salad not\"", []),
    ("\"soup warm\"", ["soup"]), ("lentil-so", ["soup"]), ("lentil-sa", ["salad"]), ("soup,wa", ["soup"]),
    ("\"one recipe\" \"not a\"", []), ("\"two recipe\" \"not a\"", ["salad"]),
  ])
  func beginningsAndPhrases(words: String, expected: [String]) throws {
    let index = try index()
    try index.save(
      [
        activity("stew", title: "Stew", keywords: ["leek"]),
        activity("salad", title: "Lentil salad", description: "Not a soup, and two recipes; a two recipe."),
        activity(
          "soup", title: "Lentil soup, warm", keywords: ["all", "nuts"], description: "Another salad."),
      ], at: wall)
    #expect(Set(try found(words, in: index)) == Set(expected))
  }

  /// What has all words of a phrase, elsewhere or in another order, is looked at and passed over.
  @Test func phrasesAreFoundAmongTheirWords() throws {
    let index = try index()
    let others = (0..<300).map { activity("\($0)", title: "soup lentil", description: "lentil, no soup") }
    try index.save([activity("it", title: "x", description: "a lentil soup")] + others, at: wall)
    #expect(try found("\"lentil soup\"", in: index) == ["it"])
    #expect(try found("\"soup lentil\"", in: index).count == 20)
    #expect(try index.search("\"lentil soup\"", of: "org.b", atMost: 9, at: wall).isEmpty)
  }

  /// Documents are found by their names, pages by their addresses; accents count for nothing.
  @Test(arguments: [
    ("plan", "plan"), ("plan.md", "plan"), ("example.org", "plan"), ("creme brulee", "dessert"),
    ("CRÈME", "dessert"), ("cre\u{301}me", "dessert"), ("strasse", "none"), ("Straße", "street"),
  ])
  func otherWordsOfIt(words: String, identifier: String) throws {
    let index = try index()
    var plan = activity("plan", title: "")
    plan.snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///home/a/notes/plan.md")
    plan.snapshot.webpageURL = "https://example.org/a"
    plan.snapshot.requiredUserInfoKeys = [NSUserActivityDocumentURLKey]
    try index.save(
      [plan, activity("dessert", title: "Crème brûlée"), activity("street", title: "Straße")], at: wall)
    #expect(try found(words, in: index) == (identifier == "none" ? [] : [identifier]))
  }

  @Test(arguments: [
    ("机器学习入门", ["学习", "机", "门", "机器学习入门", "机器"], ["学机", "习器"]),
    ("東京タワーの写真", ["東京", "タワー", "写真", "京タ"], ["京東", "ワタ"]),
    ("ต้มยำกุ้งสูตรเด็ด", ["ต้มยำ", "กุ้ง", "สูตร"], ["ยำต้ม"]),
    ("ကြက်သားဟင်း", ["ကြက်သား", "ဟင်း"], ["ဟင်းကြက်"]),
    ("한국어 공부", ["한국", "공부"], ["국어한"]),
    ("Рецепт борща", ["рецепт", "БОРЩ"], ["рщборща"]),
    ("हिन्दी पाठ", ["हिन्दी", "पाठ"], ["दीहि"]),
  ])
  func scriptsWithAndWithoutSpaces(title: String, finding: [String], missing: [String]) throws {
    let index = try index()
    try index.save([activity("it", title: title), activity("other", title: "soup")], at: wall)
    for words in finding { #expect(try found(words, in: index) == ["it"], "\(words)") }
    for words in missing { #expect(try found(words, in: index) == [], "\(words)") }
  }

  /// Nothing that a person types is syntax of FTS5.
  @Test(arguments: [
    "\"", "\"\"\"", "*", "a*", "NEAR(a b, 2)", "-a", "a^", "{title}: a", "a:b", "'; DROP", "(", "a\\",
    "b\"\u{200d}", "b\"\u{301} c", "b\"\u{fe0f}\"",
  ])
  func noCharacterIsSyntax(words: String) throws {
    let index = try index()
    try index.save([activity("it", title: "soup")], at: wall)
    #expect(try found(words, in: index) == [] && index.losses.isEmpty)
  }

  @Test func anAppSearchesItsOwn() throws {
    let index = try index()
    try index.save(
      [activity("mine", title: "soup"), activity("theirs", title: "soup", of: "org.b")], at: wall)
    #expect(try found("soup", in: index, of: "org.b") == ["theirs"])
    #expect(try found("soup", in: index).count == 2)
    #expect(try index.recent(of: "org.a", atMost: 5, at: wall).map(\.appID) == ["org.a"])
  }

  @Test func theNewestComesFirstAndTheSameIdentifierTakesItsPlace() throws {
    let index = try index()
    try index.save([activity("a", title: "oboe"), activity("b", title: "two", after: 1)], at: wall)
    try index.save([activity("a", title: "three", after: 2)], at: wall)
    #expect(try index.recent(of: nil, atMost: 9, at: wall).map(\.snapshot.title) == ["three", "two"])
    #expect(try found("oboe", in: index) == [] && found("three", in: index) == ["a"])
    try index.removeExpired(at: wall)
    try index.erase()
    index.close()
    #expect(!isReadable("oboe"), "what was replaced is erased with the next look")
    let again = try self.index()
    #expect(try found("three", in: again) == ["a"])
  }

  @Test func s11e_whatIsDeletedIsNowhereAnyMore() throws {
    let index = try index()
    let kept = (0..<300).map { activity("kept \($0)", title: "Ordinary words \($0)") }
    try index.save(
      kept + [activity("secret", title: "Xylophone", description: "Zeppelin", domain: "q")], at: wall)
    #expect(isReadable("xylophone") && isReadable("zeppelin"))
    try index.delete(["secret", "secret", "absent"], of: "org.a")
    try index.erase()
    // While it is open, as whoever looks into the files finds it.
    #expect(!isReadable("xylophone") && !isReadable("zeppelin") && !isReadable("secret"))
    #expect(try found("xylo", in: index) == [] && found("ordinary", in: index).count == 20)
  }

  /// Killed between the removal and the erasing: whoever asks again gets both.
  @Test func whatWasRemovedIsErasedAfterARestart() throws {
    let database = try IndexDatabase(
      DatabaseFile(directory: scratch.path, name: IndexSchema.fileName), limits: SavedActivityLimits())
    let secret = activity("secret", title: "Xylophone")
    try database.save([(IndexedApp("org.a"), secret.snapshot)])
    try database.delete(["secret"], domains: nil, of: "org.a")
    database.close()
    #expect(isReadable("xylophone"), "what this test is about")
    let index = try index()
    try index.delete(["secret"], of: "org.a")
    try index.erase()
    #expect(!isReadable("xylophone") && !isReadable("org.a"))
  }

  /// Pages keep what was moved away from them, wherever it lay: any part of it counts.
  @Test(arguments: 4...6 as ClosedRange<UInt64>) func s11e_whatLayAnywhereIsErased(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let index = try index()
    func word() -> String {
      String((0..<12).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) })
    }
    var kept: [String] = []
    for round in 0..<60 {
      for _ in 0..<20 {
        let identifier = word()
        let words = (0..<Int.random(in: 1...30, using: &generator)).map { _ in word() }.joined(separator: " ")
        try index.save([activity(identifier, title: word(), description: "\(identifier) \(words)")], at: wall)
        kept.append(identifier)
      }
      let gone = (0..<8).map { _ in kept.remove(at: Int.random(in: kept.indices, using: &generator)) }
      try index.delete(gone, of: "org.a")
      try index.erase()
      let bytes = Scratch.names(in: scratch.path).flatMap { Scratch.bytes(at: scratch.path + "/" + $0) ?? [] }
      let text = String(decoding: bytes, as: UTF8.self)
      let left = gone.filter { text.contains($0.suffix(9)) }
      #expect(left.isEmpty, "round \(round)")
      let isThere = text.contains(kept[0])
      #expect(isThere)
    }
  }

  /// Texts that SQLite would cut at their zero byte, or that Swift takes for the same.
  @Test func identifiersAreBytes() throws {
    let index = try index()
    for name in ["a\u{0}b", "a\u{0}c", "a"] { try index.save([activity(name, title: "soup")], at: wall) }
    for app in ["org.caf\u{e9}", "org.cafe\u{301}"] {
      try index.save([activity("a", title: "soup", of: app)], at: wall)
    }
    #expect(try index.recent(of: nil, atMost: 9, at: wall).count == 5)
    try index.delete(["a"], of: "org.a")
    try index.delete(nil, of: "org.cafe\u{301}")
    let left = try index.recent(of: nil, atMost: 9, at: wall)
    #expect(left.map { $0.snapshot.persistentIdentifier } == ["a", "a\u{0}c", "a\u{0}b"])
    #expect(Array(left[0].appID.utf8) == Array("org.caf\u{e9}".utf8) && index.losses.isEmpty)
  }

  /// Rows are found by a number that identifiers may have in common.
  @Test func identifiersOfOneKeyAreDifferentOnes() throws {
    let (one, other) = ("4586", "9652")
    let app = IndexedApp("org.a")
    try #require(ActivityRow.key(one, of: app) == ActivityRow.key(other, of: app))
    let index = try index()
    try index.save([activity(one, title: "soup"), activity(other, title: "stew")], at: wall)
    try index.save([activity(one, title: "salad")], at: wall)
    #expect(try index.recent(of: nil, atMost: 9, at: wall).map(\.snapshot.title) == ["salad", "stew"])
    try index.delete([other], of: "org.a")
    #expect(try index.recent(of: nil, atMost: 9, at: wall).map(\.snapshot.title) == ["salad"])
  }

  /// What is indexed of these is what releases before indexed: a change wants another `SearchText.version`.
  @Test func theWordsOfAnActivityStayWhatTheyAre() {
    var snapshot = activity("x", title: "Suppe 汤 🍲", keywords: ["b", "a"], description: "Für\u{200d} 机器学习")
      .snapshot
    snapshot.webpageURL = "https://example.org/é"
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url("file:///home/a/%F0%9F%8D%B2%FF%07.md")
    let words = IndexedWords(snapshot)
    #expect(SearchText.version == 3 && words.title == "Suppe  汤  🍲" && words.keywords == "a\nb")
    #expect(words.description == "Für\u{200d}  机器 器学 学习 习 ")
    #expect(words.place == "🍲\u{fffd}\u{7}.md\nhttps://example.org/é")
  }

  @Test func s11c_allOfAnAppAreDeletedAndNobodyElses() throws {
    let index = try index()
    try index.save([activity("a", title: "soup", of: "org.gone"), activity("b", title: "soup")], at: wall)
    try index.delete(nil, of: "org.gone")
    try index.erase()
    #expect(try found("soup", in: index) == ["b"])
    #expect(!isReadable("org.gone"))
  }

  @Test func aDomainIsDeletedWithThoseBelowIt() throws {
    let index = try index()
    let domains = ["mail", "mail.work", "mails", "mail/x", nil]
    try index.save(domains.map { activity($0 ?? "none", title: "soup", domain: $0) }, at: wall)
    try index.delete(nil, domains: ["mail"], of: "org.a")
    try index.erase()
    #expect(Set(try found("soup", in: index)) == ["mails", "mail/x", "none"])
  }

  @Test func s11e_whatHasExpiredIsNeitherFoundNorReadable() throws {
    let index = try index()
    var soon = activity("soon", title: "Quicksilver")
    soon.snapshot.expiresAt = wall.adding(seconds: 10)
    try index.save([soon, activity("later", title: "Mercury")], at: wall)
    #expect(try index.nextExpiry() == wall.adding(seconds: 10))
    let later = wall.adding(seconds: 10)
    #expect(try index.search("quicksilver", of: nil, atMost: 5, at: later).isEmpty)
    try index.removeExpired(at: later)
    try index.erase()
    #expect(!isReadable("quicksilver") && isReadable("mercury"))
    #expect(try index.nextExpiry() == wall.adding(seconds: 7 * 86400))
  }

  @Test func s11h_whatWasHandedOverIsDeletedForGoodAndNothingElse() throws {
    let index = try index()
    var plain = activity("unused", title: "Xylophone")
    (plain.snapshot.flags, plain.snapshot.persistentIdentifier) = (.handoff, nil)
    plain.snapshot.userInfo[.text("page")] = .int(1)
    plain.snapshot.requiredUserInfoKeys = ["page"]
    let path = Array("/home/a/Notes/zeppelin.md".utf8)
    let handed = try #require(SavedActivity(handedOver: plain.snapshot, at: path))
    let named = SavedActivity.handedOverPrefix + "of an app's own making"
    try index.save(
      [handed, activity(named, title: "Quicksilver"), activity("a", title: "Mercury")], at: wall)
    let found = try index.search("zeppelin", of: "org.a", atMost: 9, at: wall)
    #expect(found.map(\.original.persistentIdentifier) == [nil] && found.map(\.isHandedOver) == [true])
    #expect(found.map(\.snapshot.documentPath) == [path], "though no key of it is required")
    try index.deleteHandedOver()
    try index.erase()
    #expect(!isReadable("xylophone") && !isReadable("zeppelin"))
    #expect(
      try index.recent(of: nil, atMost: 9, at: wall).map(\.snapshot.title) == ["Mercury", "Quicksilver"])
  }

  @Test func s11h_ofOneThingOneIsKept() throws {
    let index = try index()
    func handedOver(_ title: String, own: String?, page: String?, at path: String?) throws -> SavedActivity {
      var snapshot = activity("", title: title).snapshot
      (snapshot.flags, snapshot.persistentIdentifier, snapshot.webpageURL) = (.handoff, own, page)
      return try #require(SavedActivity(handedOver: snapshot, at: path.map { Array($0.utf8) }))
    }
    for round in ["one", "two"] {
      try index.save(
        [
          handedOver("\(round) named", own: "plan", page: nil, at: "/a/\(round).md"),
          handedOver("\(round) document", own: nil, page: "https://a.org/\(round)", at: "/a/b.md"),
          handedOver("\(round) page", own: nil, page: "https://a.org/", at: nil),
          handedOver("\(round) other", own: nil, page: nil, at: nil),
        ], at: wall)
    }
    let kept = try index.recent(of: nil, atMost: 9, at: wall)
    #expect(kept.map(\.snapshot.title).filter { $0.hasPrefix("one") } == ["one other"])
    #expect(kept.count == 5 && kept.compactMap(\.original.persistentIdentifier) == ["plan"])
  }

  @Test func s11h_aTextThatNoFileHasIsNotKept() {
    var draft = activity("draft", title: "soup").snapshot
    draft.flags.insert(.draft)
    #expect(SavedActivity(handedOver: draft, at: nil) == nil)
    #expect(SavedActivity(handedOver: draft, at: Array("/a/b.md".utf8))?.snapshot.draft == nil)
  }

  /// The agent's socket takes neither; the index stands for itself.
  @Test func whatIsMuchTooLongIsCutOrRefused() throws {
    let index = try index()
    let title = "Xylophone " + String(repeating: "zeppelin ", count: 10 << 20 / 9)
    try index.save([activity("long", title: title)], at: wall)
    #expect(try found("xylophone zepp", in: index) == ["long"])
    let error = #expect(throws: ContinuityError.self) {
      let description = String(repeating: "Quicksilver ", count: 10 << 20 / 12)
      try index.save(
        [activity("more", title: "soup"), activity("x", title: "y", description: description)], at: wall)
    }
    #expect(error?.code == .userInfoTooLarge && error?.subject == "x")
    #expect(try index.recent(of: nil, atMost: 9, at: wall).count == 1 && index.losses.isEmpty)
    try index.delete(["long"], of: "org.a")
    try index.erase()
    #expect(!isReadable("xylophone") && !isReadable("zeppelin") && !isReadable("quicksilver"))
  }

  @Test func otherLimitsHoldAtOnce() throws {
    let index = try index()
    try index.save((0..<9).map { activity("\($0)", title: "soup", after: UInt64($0)) }, at: wall)
    try index.save([activity("theirs", title: "soup", of: "org.b")], at: wall)
    var limits = SavedActivityLimits()
    (limits.count, limits.days) = (3, 30)
    try index.use(limits)
    #expect(try index.hasRemains && Set(found("soup", in: index)) == ["6", "7", "8", "theirs"])
    try index.save([activity("late", title: "stew")], at: wall)
    let later = wall.adding(seconds: 29 * 86400)
    #expect(try index.recent(of: nil, atMost: 9, at: later).map(\.snapshot.title) == ["stew"])
    #expect(try index.activity(SavedActivity.Key(appID: "org.a", identifier: "late"), at: later) != nil)
    #expect(try index.activity(SavedActivity.Key(appID: "org.a", identifier: "8"), at: later) == nil)
    try index.removeExpired(at: wall.adding(seconds: 31 * 86400))
    #expect(try index.nextExpiry() == nil)
  }

  @Test func theOldestGoesWhereThereIsTooMuch() throws {
    var limits = SavedActivityLimits()
    limits.count = 3
    let index = try index(limits)
    try index.save([activity("theirs", title: "soup", of: "org.b")], at: wall)
    try index.save((0..<5).map { activity("\($0)", title: "soup", after: UInt64($0)) }, at: wall)
    #expect(Set(try found("soup", in: index)) == ["2", "3", "4", "theirs"])
    limits.count = 100
    limits.totalBytes = 500
    index.close()
    let less = try self.index(limits)
    try less.save((5..<30).map { activity("\($0)", title: "soup", after: UInt64($0)) }, at: wall)
    let left = try less.recent(of: nil, atMost: 100, at: wall).map(\.snapshot.persistentIdentifier)
    #expect(left.first == "29" && (2..<15).contains(left.count))
  }
}
