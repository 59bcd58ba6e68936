// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import TextAnchors

// Documents that are continued here, and files that other programs change.
extension LanguageSession {
  /// `document/restore`.
  mutating func beginRestoring(_ number: Int64, _ params: JSONValue) {
    let request: String = if case .text(let text)? = params["request"] { text } else { "" }
    let wait = finishWait(request, isDone: true)
    guard case .text(let text)? = params["uri"], let uri = FileURI(text) else {
      return answer(number, ["opened": false, "message": "It names no file."])
    }
    let place = (try? Members(params, of: "document/restore"))
      .flatMap { try? $0.optionalObject("place") }.flatMap { try? EditorPlace($0) }
    let device = LanguageOffers.Entry(params["offer"])?.device ?? "the other device"
    let target = LanguagePlace(
      uri: documents[uri.path]?.uri ?? uri, device: device,
      place: place ?? EditorPlace(position: EditorPlace.Position(line: 0, character: 0)),
      since: wait?.since ?? now)
    let restoring = Restoring(
      number: number, target: target, hasPlace: place != nil, isSure: params["certainty"] != "unsure",
      isReadOnly: params["readOnly"] == true)
    if place != nil { lastPlace = target }
    look(at: uri.path, for: .restore(restoring))
  }

  mutating func restore(_ restoring: Restoring, _ file: FileLook?) {
    let target = restoring.target
    let name = LanguageWords.name(target.uri)
    let document = documents[target.uri.path]
    if let document, document.isModified, let file, isOther(document, than: file) {
      return refuse(
        restoring,
        "\(name) has unsaved changes here, and the file is newer: save it under another name, or give them "
          + "up, and continue again.")
    }
    guard client.showsDocuments else {
      let place = restoring.hasPlace ? Self.numbers(target.place) : ""
      return refuse(
        restoring,
        "This editor cannot be told to open a document: open \(LanguageWords.path(target.uri))\(place), "
          + "where \(target.device) left it.")
    }
    // An editor that reads changed files by itself gets a moment for it; then the place is right at once.
    if let document, let file, document.isSaid, isOther(document, than: file), document.text != nil {
      documents[target.uri.path]?.awaitedPlace = restoring.hasPlace ? target : nil
      timers[.stale(target.uri.path)] = now + Self.reloading
    }
    let isUsed = document?.isUsed(since: target.since) ?? false
    var selection: JSONValue?
    if restoring.hasPlace, !isUsed { selection = range(target.place, document, file) }
    if isUsed, restoring.hasPlace {
      tell(
        "\(name): your cursor stays. “\(Self.goTo(target))” among the code actions, or the command "
          + "\(LanguageCommand.jump.rawValue), goes where \(target.device) was.")
    } else if !restoring.isSure {
      tell("\(name): the place is gone; this is the nearest line.")
    }
    if restoring.isReadOnly { tell("\(name): this is not the version meant; read it, and change nothing.") }
    show(target.uri, selection, takingFocus: !hasTyped(since: target.since), .document(restoring))
  }

  /// Whether the editor shows another text than the file has.
  private func isOther(_ document: LanguageDocument, than file: FileLook) -> Bool {
    guard document.isNewer(file.mark) else { return false }
    guard let text = document.text, let bytes = file.bytes else { return document.text != nil }
    return !FileText.holds(text.bytes, in: bytes)
  }

  private func hasTyped(since moment: Instant) -> Bool { typedAt.map { $0 > moment } ?? false }

  private mutating func refuse(_ restoring: Restoring, _ sentence: String) {
    tell(sentence, .warning)
    answer(restoring.number, ["opened": false, "message": .text(sentence)])
  }

  /// The editor shows it, or could not.
  mutating func shown(_ restoring: Restoring, isShown: Bool) {
    let target = restoring.target
    guard isShown else {
      return refuse(
        restoring,
        "The editor could not open \(LanguageWords.path(target.uri))\(Self.numbers(target.place)).")
    }
    answer(restoring.number, ["opened": true])
  }

  /// As the editor counts, in the text that it shows.
  private mutating func range(_ place: EditorPlace, _ document: LanguageDocument?, _ file: FileLook?)
    -> JSONValue
  {
    let lines = ByteLines(document?.text?.bytes ?? file?.bytes ?? [])
    let unit = client.unit.unit
    func counted(_ position: EditorPlace.Position) -> EditorPlace.Position {
      lines.converted(position) { unit.column(ofScalars: $0, in: $1) }
    }
    let cursor = counted(place.position)
    let other = place.selection.map(counted)
    if let document { documents[document.uri.path]?.send(to: cursor, selection: other, at: now) }
    let isForward = other.map { ($0.line, $0.character) <= (cursor.line, cursor.character) } ?? true
    return [
      "start": (isForward ? other ?? cursor : cursor).json,
      "end": (isForward ? cursor : other ?? cursor).json,
    ]
  }

  private mutating func show(
    _ uri: FileURI, _ range: JSONValue?, takingFocus: Bool, _ question: Question
  ) {
    let number = ask(
      "window/showDocument",
      ["uri": .text(uri.text), "external": false, "takeFocus": .bool(takingFocus), "selection": range],
      question)
    timers[.showing(number)] = now + Self.showing
  }

  /// Goes to a place that is known, in the file as it is now.
  mutating func show(_ target: LanguagePlace, _ file: FileLook?, _ question: Question) {
    show(target.uri, range(target.place, documents[target.uri.path], file), takingFocus: true, question)
  }

  /// The editor has read the file again that was continued.
  mutating func goOn(to target: LanguagePlace, _ file: FileLook?) {
    documents[target.uri.path]?.awaitedPlace = nil
    guard let document = documents[target.uri.path], !document.isUsed(since: target.since) else { return }
    show(target.uri, range(target.place, document, file), takingFocus: !hasTyped(since: target.since), .jump)
  }

  /// Opens a file by its name, where that can be done.
  mutating func open(_ uri: FileURI) {
    guard client.showsDocuments else { return tell("Open \(LanguageWords.path(uri)).") }
    show(uri, nil, takingFocus: true, .jump)
  }

  mutating func jump() {
    guard let target = lastPlace else {
      return tell(
        "No other device's place is known; \(LanguageCommand.resume.rawValue) continues what one offers.")
    }
    guard client.showsDocuments else {
      return tell("\(target.device) was in \(LanguageWords.path(target.uri))\(Self.numbers(target.place)).")
    }
    look(at: target.uri.path, for: .jump(target))
  }

  static func goTo(_ target: LanguagePlace) -> String {
    "Go where \(target.device) was (line \(target.place.position.line + 1))"
  }

  /// “ at line 2, column 5”.
  private static func numbers(_ place: EditorPlace) -> String {
    " at line \(place.position.line + 1), column \(place.position.character + 1)"
  }

  // MARK: Files on disk

  /// `document/changedOnDisk`.
  mutating func changeOnDisk(_ params: JSONValue) {
    guard case .text(let text)? = params["uri"], let uri = FileURI(text), let document = documents[uri.path]
    else { return }
    let name = LanguageWords.name(document.uri)
    switch params["change"] {
    case "changed":
      documents[uri.path]?.isOvertaken = true
      timers[.stale(uri.path)] = now + Self.reloading
      promptSoon()
    case "deleted":
      tell("\(name) was deleted; the text stays here, and saving makes the file again.", .warning)
    case "moved":
      guard case .text(let text)? = params["newUri"], let new = FileURI(text) else { return }
      let sentence =
        "\(name) was moved: it is \(LanguageWords.path(new)) now. What is saved here makes a new file."
      guard client.prompt == .ask, client.showsDocuments else { return tell(sentence, .warning) }
      askPerson(sentence, [Self.open, Self.notNow], .moved(new))
    case "conflict":
      guard case .array(let copies)? = params["copies"] else { return }
      tellConflict(
        uri.path, copies.compactMap { copy in if case .text(let text) = copy { FileURI(text) } else { nil } })
    default: break
    }
  }

  /// An editor had time to read a changed file again.
  mutating func foundOnDisk(_ path: [UInt8], _ file: FileLook?) {
    guard let document = documents[path], let file, isOther(document, than: file) else { return }
    let name = LanguageWords.name(document.uri)
    tell(
      document.isModified
        ? "\(name) was changed on disk, and has unsaved changes here: your text stays until you decide."
        : "\(name) was changed on disk, and this editor shows what it was before: \(client.reload).", .warning
    )
  }

  static let open = "Open"
  static let notNow = "Not now"
}
