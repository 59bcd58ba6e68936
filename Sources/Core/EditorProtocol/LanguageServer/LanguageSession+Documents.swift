// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel

// Documents that the editor opens, changes, saves and closes, and where the person is in them.
extension LanguageSession {
  /// A notification of the Language Server Protocol; others mean nothing here.
  mutating func take(_ method: String, _ params: JSONValue?) throws(RPCError) {
    switch method {
    case "textDocument/didOpen":
      let document = try Members(params, of: method).object("textDocument")
      guard let uri = uri(document) else { return }
      open(uri, text: try document.text("text"))
    case "textDocument/didChange":
      let members = try Members(params, of: method)
      guard let uri = try uri(in: members), let path = known(uri) else { return }
      change(path, try members.objects("contentChanges"))
    case "textDocument/didSave":
      guard let uri = try uri(in: Members(params, of: method)), let path = known(uri) else { return }
      if documents[path]?.isSaid == true { call(.didSave(documents[path]?.uri ?? uri)) }
      look(at: path, for: .save(path))
    case "textDocument/didClose":
      guard let uri = try uri(in: Members(params, of: method)), documents[uri.path] != nil else { return }
      // An editor that reads a file again closes and opens it; one that quits withdraws nothing.
      timers[.close(uri.path)] = now + Self.closing
    case "window/workDoneProgress/cancel":
      if case .text(let token)? = params?["token"] { cancel(token) }
    default: break
    }
  }

  /// Any request about a place in a document: that is where the person is. Nil for another method.
  mutating func look(at params: JSONValue?, of method: String) throws(RPCError) -> JSONValue? {
    guard method.hasPrefix("textDocument/") else { return nil }
    let members = try Members(params, of: method)
    guard let uri = try uri(in: members), let path = known(uri) else { return .null }
    switch method {
    case "textDocument/codeAction":
      let range = try members.object("range")
      let (start, end) = (try position(range.object("start")), try position(range.object("end")))
      let isPoint =
        start == end || client.isBlockCursor && start.line == end.line && end.character - start.character <= 2
      person(in: path, at: isPoint ? start : end, selection: isPoint ? nil : start)
      return codeActions(in: path, members.json["context"])
    case "textDocument/selectionRange":
      guard let first = try members.objects("positions").first else { return .null }
      person(in: path, at: try position(first), selection: nil)
    case "textDocument/hover" where client.hoversByMouse: break
    case "textDocument/documentHighlight", "textDocument/hover", "textDocument/completion",
      "textDocument/signatureHelp":
      person(in: path, at: try position(members.object("position")), selection: nil)
    default: return nil
    }
    return .null
  }

  private func position(_ members: Members) throws(RPCError) -> EditorPlace.Position {
    try EditorPlace.Position(members)
  }

  private func uri(in members: Members) throws(RPCError) -> FileURI? {
    uri(try members.object("textDocument"))
  }

  /// Nil for what is no file of this machine, as `untitled:`.
  private func uri(_ document: Members) -> FileURI? {
    guard case .text(let text)? = document.json["uri"] else { return nil }
    return FileURI(text)
  }

  /// The document of this name, if it is open; one that was too large to be told of is so by being named.
  private mutating func known(_ uri: FileURI) -> [UInt8]? {
    if documents[uri.path] != nil { return uri.path }
    guard hasUnseen else { return nil }
    open(uri, text: nil)
    return uri.path
  }

  // MARK: Opening and closing

  private mutating func open(_ uri: FileURI, text: String?) {
    timers[.close(uri.path)] = nil
    if documents[uri.path] != nil {
      // It was read again.
      documents[uri.path]?.uri = uri
      if let text { documents[uri.path]?.text = EditedText(text) }
      return look(at: uri.path, for: .change(uri.path, nil))
    }
    documents[uri.path] = LanguageDocument(uri, text: text)
    documents[uri.path]?.read(at: now)
    look(at: uri.path, for: .open(uri.path))
  }

  /// A file that is not there yet is said when it was saved.
  mutating func opened(_ path: [UInt8], _ file: FileLook?) {
    guard var document = documents[path], let file else { return }
    let isSame = document.text.map { text in
      guard let bytes = file.bytes else { return false }
      // Of other encodings nobody knows how the editor reads them.
      return FileText.holds(text.bytes, in: bytes, endsAlike: false) || !FileText.isUTF8(bytes)
    }
    if isSame ?? true { document.settle(file.mark) } else { document.note(file) }
    document.isSaid = true
    documents[path] = document
    call(.open(document.uri, isEdited: document.isModified), .open(path))
    dropFronts()
    timers[.front(path)] = now + Self.opening
  }

  mutating func stands(_ path: [UInt8], _ standing: JSONValue) {
    guard documents[path] != nil else { return }
    documents[path]?.folder = nil
    if standing["synced"] == true, case .text(let folder)? = standing["folder"] {
      documents[path]?.folder = LanguageWords.shown(folder)
    }
    askWhoEdits(path)
  }

  mutating func close(_ path: [UInt8]) {
    guard let document = documents.removeValue(forKey: path) else { return }
    if current == path { current = nil }
    for timer in [Timer.stale(path), .unsaved(path), .close(path), .front(path)] { timers[timer] = nil }
    if document.isSaid { call(.close(document.uri), .plain) }
  }

  mutating func comeToFront(_ path: [UInt8]) {
    dropFronts()
    guard current != path, let document = documents[path], document.isSaid else { return }
    current = path
    call(.becomeCurrent(.document(document.uri)))
  }

  /// What was opened before is in front no more.
  private mutating func dropFronts() {
    timers = timers.filter { timer, _ in if case .front = timer { false } else { true } }
  }

  // MARK: Changing

  private mutating func change(_ path: [UInt8], _ changes: [Members]) {
    guard var document = documents[path] else { return }
    var place: EditorPlace.Position?
    for change in changes {
      guard case .text(let text)? = change.json["text"] else {
        document.text = nil
        continue
      }
      guard change.has("range") else {
        if var held = document.text {
          place = held.replaceAll(with: text, client.unit.unit) ?? place
          document.text = held
        } else {
          document.text = EditedText(text)
        }
        continue
      }
      guard let range = try? change.object("range"), let start = try? position(range.object("start")),
        let end = try? position(range.object("end"))
      else {
        document.text = nil
        continue
      }
      // What is not where it should be is not known any more, until the editor says the whole.
      place = document.text?.replace(from: start, to: end, with: text, client.unit.unit)
      if place == nil { (document.text, place) = (nil, start) }
    }
    documents[path] = document
    look(at: path, for: .change(path, place), known: document.mark)
  }

  /// The text is another one: by the person, or because the editor has read the file again.
  mutating func changed(_ path: [UInt8], _ place: EditorPlace.Position?, _ file: FileLook?) {
    guard var document = documents[path] else { return }
    defer { promptSoon() }
    if let file, let text = document.text, document.isNewer(file.mark) || !document.isSaid || place == nil,
      let bytes = file.bytes, FileText.holds(text.bytes, in: bytes)
    {
      document.settle(file.mark)
      document.read(at: now)
      document.isSaid = true
      documents[path] = document
      timers[.stale(path)] = nil
      call(.open(document.uri, isEdited: false), .open(path))
      if let awaited = document.awaitedPlace { goOn(to: awaited, file) }
      return
    }
    document.type(at: now)
    typedAt = now
    if let place { document.put(place, nil) }
    documents[path] = document
    guard document.isSaid else { return }
    comeToFront(path)
    timers[.unsaved(path)] = document.isModified ? timers[.unsaved(path)] ?? now + Self.unsaved : nil
    call(.didChange(document.uri, isEdited: document.isModified, byPerson: true))
  }

  mutating func saved(_ path: [UInt8], _ file: FileLook?) {
    guard let file, documents[path] != nil else { return }
    documents[path]?.settle(file.mark)
    timers[.unsaved(path)] = nil
    timers[.stale(path)] = nil
    if documents[path]?.isSaid == true { return }
    documents[path]?.isSaid = true
    call(.open(documents[path]?.uri ?? FileURI(path: path), isEdited: false), .open(path))
    comeToFront(path)
  }

  /// The person was seen in a document.
  private mutating func person(
    in path: [UInt8], at cursor: EditorPlace.Position, selection: EditorPlace.Position?
  ) {
    guard var document = documents[path] else { return }
    let isMoved = document.move(to: cursor, selection: selection, at: now)
    documents[path] = document
    guard document.isSaid else { return }
    if isMoved {
      call(.didChange(document.uri, isEdited: document.isModified, byPerson: document.usedAt == now))
    }
    comeToFront(path)
  }

  // MARK: Rounds

  /// `activity/update`: nothing can be saved from here, so what lies on disk is what is offered.
  mutating func beginRound(_ number: Int64, _ params: JSONValue) {
    guard case .text(let text)? = params["uri"], let path = FileURI(text)?.path, documents[path] != nil else {
      return answer(number, [:])
    }
    look(at: path, for: .round(path, number))
  }

  mutating func answerRound(_ path: [UInt8], _ number: Int64, _ file: FileLook?) {
    guard let document = documents[path] else { return answer(number, [:]) }
    if document.isModified, let file, let bytes = file.bytes, let text = document.text,
      FileText.holds(text.bytes, in: bytes)
    {
      documents[path]?.settle(file.mark)
    }
    let place = document.place(client.unit.unit, file: file?.bytes)
    answer(
      number,
      [
        "place": place?.json, "edited": .bool(documents[path]?.isModified ?? false),
        "title": .text(LanguageWords.plainName(document.uri)),
      ])
  }

  /// What was not saved for a while: the person may not know that it stays here.
  mutating func tellUnsaved(_ path: [UInt8]) {
    guard let document = documents[path], document.isModified, document.folder != nil, !document.isToldUnsaved
    else { return }
    documents[path]?.isToldUnsaved = true
    tell(
      "\(LanguageWords.name(document.uri)) is handed over as it was saved last: "
        + "save it, and the rest goes along."
    )
  }
}
