// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

// What other devices offer, and what the person asks for.
extension LanguageSession {
  /// What the session tells.
  mutating func hear(_ method: ServerMethod, _ params: JSONValue) {
    switch method {
    case .offersDidChange: changeOffers(params["offers"])
    case .willContinue:
      if let (request, offer) = Self.subject(params) { offers.begin(request, offer, at: now) }
    case .progress: wait(params)
    case .didFail:
      guard case .text(let request)? = params["request"] else { return }
      finishWait(request, isDone: false)
      if params["shown"] == true, case .text(let sentence)? = params["message"] { tell(sentence, .warning) }
    case .standingDidChange:
      if case .text(let text)? = params["uri"], let uri = FileURI(text) { stands(uri.path, params) }
    case .changedOnDisk: changeOnDisk(params)
    case .wasContinued:
      guard case .text(let device)? = params["device"] else { return }
      let moment = LanguageWords.clock(params["at"], minutesEast: minutesEast, "at")
      tell("\(named(params)) was continued on \(LanguageWords.shown(device))\(moment).")
    case .connectionDidChange: connection(params)
    case .withheld:
      guard case .text(let reason)? = params["reason"] else { return }
      tellOnce("\(named(params)) is not offered: \(reason)")
    case .update, .continueActivity, .restore, .didReceiveStreams, .didEndStreams, .presenceDidChange: break
    }
  }

  private func named(_ params: JSONValue) -> String {
    guard case .text(let text)? = params["uri"], let uri = FileURI(text) else { return "Your work" }
    return LanguageWords.name(uri)
  }

  private mutating func connection(_ params: JSONValue) {
    isConnected = params["connected"] == true
    if isConnected {
      told = []
    } else if case .text(let sentence)? = params["message"] {
      tellOnce(sentence)
    }
  }

  private static func subject(_ params: JSONValue) -> (String, LanguageOffers.Entry)? {
    guard case .text(let request)? = params["request"], let offer = LanguageOffers.Entry(params["offer"])
    else { return nil }
    return (request, offer)
  }

  // MARK: Offers

  private mutating func changeOffers(_ list: JSONValue?) {
    guard case .array(let entries)? = list else { return }
    offers.replace(entries.compactMap { LanguageOffers.Entry($0) })
    let present = Set(offers.list.map(\.id))
    withdraw { if case .offer(let id) = $0 { !present.contains(id) } else { false } }
    if let first = offers.newest, timers.removeValue(forKey: .resume) != nil { accept(first.id) }
    for path in documents.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) { askWhoEdits(path) }
    promptSoon()
  }

  /// After a moment in which nobody typed.
  mutating func promptSoon() {
    guard client.prompt != .none, news != nil else { return }
    timers[.prompt] = max(now, typedAt.map { $0 + Self.pause } ?? now)
  }

  private var news: LanguageOffers.Entry? {
    offers.news { uri in
      documents[uri.path].map { $0.isWorkedOn && !$0.isOvertaken } ?? false
    }
  }

  mutating func prompt() {
    guard !isAsking, let offer = news, offers.show(offer) else { return }
    switch client.prompt {
    case .none: break
    case .ask: askPerson("\(offer.label)\(Self.remark(offer))", [Self.resume, Self.notNow], .offer(offer.id))
    case .tell:
      tell(
        "\(offer.label)\(Self.remark(offer)): “\(Self.resume(offer))” among the code actions, or the command "
          + "\(LanguageCommand.resume.rawValue), continues it here.")
    }
  }

  private static func remark(_ offer: LanguageOffers.Entry) -> String {
    offer.remark.map { " (\($0))" } ?? ""
  }

  mutating func answerOffer(_ id: String, _ button: String?, isKnown: Bool) {
    guard isKnown else { return offers.showAgain(id) }
    if button == Self.resume { accept(id) } else { offers.dismiss(id) }
  }

  mutating func accept(_ id: String) {
    offers.accept(id, at: now)
    withdraw { $0 == .offer(id) }
    call(.accept(id, withOpenDocuments: false), .accept(id))
  }

  static let resume = "Continue"
  static func resume(_ offer: LanguageOffers.Entry) -> String { "Continue \(offer.label)" }

  // MARK: Waiting

  private mutating func wait(_ params: JSONValue) {
    guard let (request, offer) = Self.subject(params) else { return }
    if offers.waits[request] == nil { offers.begin(request, offer, at: now) }
    let status = params["status"]
    let former = offers.waits[request]
    offers.change(request) { wait in
      if case .text(let arrival)? = status?["arrival"] { wait.arrival = arrival }
      if case .text(let reason)? = status?["reason"] {
        wait.reason = LanguageWords.shown(reason)
      } else {
        wait.reason = ""
      }
      wait.percentage = nil
      if case .int(let all)? = status?["expected"], all > 0, case .int(let some)? = status?["received"] {
        wait.percentage = Int64(min(1, Double(some) / Double(all)) * 100)
      }
    }
    guard let wait = offers.waits[request] else { return }
    showProgress(request, wait, former)
    let isBound = ["diverged", "missing", "unreadable", "folderUnknown"].contains(wait.arrival)
    if !wait.isAsked, isBound || timers[.choice(request)] == nil {
      timers[.choice(request)] = isBound ? now : now + Self.choosing
    }
  }

  private mutating func showProgress(
    _ request: String, _ wait: LanguageOffers.Wait, _ former: LanguageOffers.Wait?
  ) {
    switch wait.progress {
    case .none where client.showsProgress:
      offers.change(request) { $0.progress = .wanted }
      ask("window/workDoneProgress/create", ["token": .text(request)], .progress(request))
    case .none:
      if former.map({ $0.differs(from: wait) }) ?? true { tell(wait.sentence) }
    case .wanted: break
    case .shown:
      progress(
        request,
        ["kind": "report", "message": .text(wait.reason), "percentage": wait.percentage.map { .int($0) }])
    }
  }

  private mutating func progress(_ request: String, _ value: JSONValue) {
    notify("$/progress", ["token": .text(request), "value": value])
  }

  /// The editor has made room for it, or cannot.
  mutating func beginProgress(_ request: String, isTaken: Bool) {
    guard let wait = offers.waits[request] else { return }
    guard isTaken else {
      client.showsProgress = false
      offers.change(request) { $0.progress = .none }
      return tell(wait.sentence)
    }
    offers.change(request) { $0.progress = .shown }
    progress(
      request,
      [
        "kind": "begin", "title": .text("Waiting for \(wait.offer.label)"), "message": .text(wait.reason),
        "cancellable": true, "percentage": wait.percentage.map { .int($0) },
      ])
  }

  @discardableResult
  mutating func finishWait(_ request: String, isDone: Bool) -> LanguageOffers.Wait? {
    guard let wait = offers.finish(request, isDone: isDone) else { return nil }
    timers[.choice(request)] = nil
    if wait.progress == .shown { progress(request, ["kind": "end"]) }
    withdraw { $0 == .choice(request) }
    promptSoon()
    return wait
  }

  /// What to do about a version that is not here.
  mutating func askChoice(_ request: String) {
    guard let wait = offers.waits[request], !wait.isAsked else { return }
    offers.change(request) { $0.isAsked = true }
    guard client.prompt == .ask else {
      return tell(
        "\(wait.sentence). Code actions open what is here for reading, or give up; "
          + "\(LanguageCommand.choose.rawValue) does, too.")
    }
    askPerson(wait.sentence, Self.choices.map(\.title), .choice(request))
  }

  mutating func answerChoice(_ request: String, _ button: String?, isKnown: Bool) {
    guard isKnown else {
      offers.change(request) { $0.isAsked = false }
      return askChoice(request)
    }
    if let choice = Self.choices.first(where: { $0.title == button }) { choose(choice.choice, request) }
  }

  static let choices: [(title: String, choice: ArrivalChoice, command: LanguageCommand)] = [
    ("Open what is here, for reading", .openHere, .openHere), ("Keep waiting", .keepWaiting, .keepWaiting),
    ("Give up", .giveUp, .cancel),
  ]

  private mutating func choose(_ choice: ArrivalChoice, _ request: String) {
    guard let id = RequestID(hex: request) else { return }
    call(.choose(id, choice), .plain)
  }

  mutating func cancel(_ request: String) {
    guard offers.waits[request] != nil, let id = RequestID(hex: request) else { return }
    call(.cancel(id), .plain)
  }

  // MARK: What the person asks for

  /// What can be done here: an editor's own list of it.
  func codeActions(in path: [UInt8], _ context: JSONValue?) -> JSONValue {
    // Who wants certain kinds only, as for fixing on saving, is not a person who chooses.
    if case .array(let kinds)? = context?["only"], !kinds.isEmpty { return [] }
    var found: [JSONValue] = []
    func add(_ title: String, _ command: LanguageCommand, _ arguments: [JSONValue] = []) {
      found.append(
        ["title": .text(title), "command": .text(command.rawValue), "arguments": .array(arguments)])
    }
    if offers.waiting != nil {
      for choice in Self.choices { add(choice.title, choice.command) }
    }
    for offer in offers.list.sorted(by: { $0.changedAt > $1.changedAt }).prefix(5) {
      add(Self.resume(offer), .resume, [.text(offer.id)])
    }
    if news != nil { add("Continuo: put away what is offered", .dismiss) }
    if let target = lastPlace { add(Self.goTo(target), .jump) }
    for copy in documents[path]?.copies ?? [] {
      add("Show the conflict copy \(LanguageWords.name(copy))", .compare, [.text(copy.text)])
      add("Keep the conflict copy \(LanguageWords.name(copy))", .keepCopy, [.text(copy.text)])
    }
    if let document = documents[path], !document.copies.isEmpty {
      add("Keep \(LanguageWords.name(document.uri)) as it is here", .keepMine)
    }
    return .array(found)
  }

  /// `workspace/executeCommand`; throws for a command that is not there.
  mutating func execute(_ params: JSONValue?) throws(RPCError) {
    let members = try Members(params, of: "workspace/executeCommand")
    let name = try members.text("command")
    guard let command = LanguageCommand(rawValue: name) else {
      throw RPCError(RPCError.Code.invalidParams, message: "There is no command \(DisplayText.shown(name)).")
    }
    var argument: String?
    if case .array(let all)? = members.json["arguments"], case .text(let text)? = all.first {
      argument = text
    }
    switch command {
    case .resume: resume(argument)
    case .dismiss: for offer in offers.list { offers.dismiss(offer.id) }
    case .offers: listOffers()
    case .choose, .openHere, .keepWaiting, .cancel: decide(command, argument)
    case .jump: jump()
    case .compare, .keepMine, .keepCopy: resolve(command, argument)
    case .status: tell(status)
    }
  }

  private mutating func resume(_ id: String?) {
    if let id {
      guard let offer = offers.list.first(where: { $0.id == id || $0.title == id }) else {
        return tell("Nobody offers that any more; \(LanguageCommand.offers.rawValue) lists what there is.")
      }
      return accept(offer.id)
    }
    // What was just started may not have heard of any yet.
    guard let first = offers.newest else { return timers[.resume] = now + Self.patience }
    accept(first.id)
  }

  /// Nobody has offered anything since the person asked for it.
  mutating func tellNothing() { tell("No other device offers anything. \(status)") }

  private mutating func listOffers() {
    guard !offers.list.isEmpty else { return tell("No other device offers anything. \(status)") }
    askPerson("Continue", offers.list.map(\.label), .listed(offers.list.map(\.id)))
  }

  private mutating func decide(_ command: LanguageCommand, _ word: String?) {
    guard let (request, _) = offers.waiting else { return tell("Nothing waits.") }
    if let choice = Self.choices.first(where: { $0.command == command })?.choice
      ?? word.flatMap(ArrivalChoice.init(name:))
    {
      return choose(choice, request)
    }
    offers.change(request) { $0.isAsked = false }
    askChoice(request)
  }

  /// How all stands, in sentences.
  private var status: String {
    var parts = [
      isConnected ? "Continuo is connected." : "The agent cannot be reached: `continuo doctor` says why."
    ]
    for document in documents.values.sorted(by: { $0.uri.text < $1.uri.text }).prefix(5) {
      let name = LanguageWords.name(document.uri)
      parts.append(document.folder.map { "\(name) is in \($0)." } ?? "\(name) lies in no synced folder.")
      if let others = document.others { parts.append("\(name): \(others).") }
    }
    parts += offers.list.prefix(5).map { "Offered: \($0.label)." }
    return parts.joined(separator: " ")
  }

  // MARK: Who else edits it

  func isAsked(_ path: [UInt8]) -> Bool { documents[path]?.isSaid == true && documents[path]?.folder != nil }

  mutating func askWhoEdits(_ path: [UInt8]) {
    guard isAsked(path), let uri = documents[path]?.uri else { return }
    call(.otherEditors(uri), .others(path))
  }

  mutating func note(_ found: JSONValue, whoEdit path: [UInt8]) {
    guard case .array(let editors)? = found["editors"] else { return }
    documents[path]?.others = editors.first.flatMap { editor in
      guard case .text(let device)? = editor["device"] else { return nil }
      let who = LanguageWords.shown(device)
      if editor["leftOpen"] == true {
        return "\(who) left this open" + LanguageWords.clock(editor["since"], minutesEast: minutesEast, "at")
      }
      return "\(who) is editing this"
        + LanguageWords.clock(editor["since"], minutesEast: minutesEast, "since")
        + (editor["unsavedChanges"] == true ? ", with unsaved changes" : "")
    }
  }
}
