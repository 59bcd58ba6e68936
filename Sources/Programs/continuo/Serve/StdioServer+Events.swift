// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Embedding
import TextAnchors

// What the editor is told and asked, and what it answers.
extension StdioServer {
  func receive(_ event: EmbeddedSession.Event) {
    guard let session else { return }
    switch event {
    case .connectionChanged(let isConnected, let error):
      notify(
        .connectionDidChange,
        ["connected": .bool(isConnected), "message": isConnected ? nil : error.map { .text($0.description) }])
    case .rootsChanged:
      answerOpenings { _ in true }
      tellStandings()
      // Where offered documents lie here may be another place now.
      if !session.offers.isEmpty { notify(.offersDidChange, offersList(session)) }
    case .offersChanged:
      offeredSince = Dictionary(
        session.offers.map { ($0.id, min($0.changedAt, offeredSince[$0.id] ?? $0.changedAt)) },
        uniquingKeysWith: min)
      notify(.offersDidChange, offersList(session))
    case .needsUpdate(let activity, let document, let device):
      ask(
        .update(activity, document), .update,
        subject(activity, document).adding("requestedBy", device.map { .text($0) }))
    case .withheld(let activity, let document, let error):
      notify(.withheld, subject(activity, document).adding("reason", .text(error.description)))
    case .willContinue(let request, let offer):
      continued[request] = offer
      notify(
        .willContinue, ["request": .text(request.description), "offer": offer.json(roots: session.roots)])
    case .progress(let request, let offer, let status):
      notify(
        .progress,
        [
          "request": .text(request.description), "offer": offer.json(roots: session.roots),
          "status": status.json,
        ])
    case .continueActivity(let handover):
      ask(.continueActivity(handover.request), .continueActivity, params(handover))
    case .restoreDocument(let handover):
      if handover.isDraft { restoreDraft(handover) } else { restoreDocument(handover) }
    case .didFail(let request, _, let error): fail(request, error)
    case .documentChanged(let document, let change): tellChange(of: document, change)
    case .presenceChanged(let document, let others):
      guard let name = names[document] else { return }
      notify(.presenceDidChange, ["uri": .text(name.text), "devices": .array(others.map(\.json))])
    case .wasContinued(let activity, let document, let receipt, let isGivenUp):
      notify(
        .wasContinued,
        subject(activity, document).adding("device", .text(receipt.device))
          .adding("givenUp", .bool(isGivenUp))
          .adding("at", receipt.at.map { .int(Int64(clamping: $0.milliseconds)) }))
    case .openedStreams(let name, let socket): opened(name, socket)
    case .receivedStreams(let name, let activity, let document, let device, let socket):
      streams.open(name, over: socket)
      notify(
        .didReceiveStreams,
        subject(activity, document).adding("streams", .text(name.description))
          .adding("device", .text(device)))
    case .endedStreams(let name, let error, _): ended(name, error)
    case .deletedSaved(let deletion, let error): deleted(deletion, error)
    }
  }

  private func deleted(_ deletion: RequestID, _ error: ContinuityError?) {
    guard let id = deleting.removeValue(forKey: deletion) else { return }
    handle(.answer(id, error.map { .failure(RPCError($0)) } ?? .success(.null)))
  }

  private func subject(_ activity: ActivityID, _ document: DocumentHandle?) -> JSONValue {
    document.flatMap { names[$0] }.map { ["uri": .text($0.text)] } ?? [
      "activity": .text(activity.description)
    ]
  }

  /// Folders came or went, or a document has another name: its activity may be another one now, or none.
  func tellStandings() {
    for (document, told) in standings.sorted(by: { $0.key < $1.key }) {
      guard let name = names[document] else { continue }
      let standing = standing(of: document, called: name)
      guard standing != told else { continue }
      standings[document] = standing
      notify(.standingDidChange, standing.adding("uri", .text(name.text)))
    }
  }

  private func fail(_ request: RequestID, _ error: ContinuityError) {
    continued[request] = nil
    notify(
      .didFail,
      [
        "request": .text(request.description), "code": .text(error.code.name),
        "message": .text(error.description), "shown": .bool(error.code != .userCancelled),
      ])
  }

  private func tellChange(of document: DocumentHandle, _ change: DocumentChange) {
    guard let name = names[document] else { return }
    var params: JSONValue = ["uri": .text(name.text)]
    switch change {
    case .changed: params = params.adding("change", "changed")
    case .deleted: params = params.adding("change", "deleted")
    case .moved(let path):
      params = params.adding("change", "moved").adding("newUri", .text(FileURI(path: path).text))
    case .conflict(let copies):
      params = params.adding("change", "conflict")
        .adding("copies", .array(copies.map { .text(FileURI(path: $0).text) }))
    }
    notify(.changedOnDisk, params)
  }

  /// What `activity/continue` and `document/restore` have in common.
  private func params(_ handover: Handover) -> JSONValue {
    guard let session else { return .null }
    let delivery = handover.delivery
    // A document that is open is named as the editor names it.
    let uri = delivery.path.map { path in
      session.document(at: path).flatMap { names[$0] } ?? FileURI(path: path)
    }
    let found = session.place(of: handover, unit: positionEncoding.unit)
    return [
      "request": .text(handover.request.description),
      "offer": continued[handover.request].map { $0.json(roots: session.roots) },
      "activity": delivery.activity.json, "uri": uri.map { .text($0.text) },
      "place": found.map { EditorPlace($0.place).json },
      "certainty": found?.certainty.map { .text($0.name(inVersion: protocolVersion)) },
      "status": delivery.status.json,
    ]
  }

  private func restoreDocument(_ handover: Handover) {
    let isReadOnly = JSONValue.bool(handover.isReadOnly)
    ask(.restore(handover.request), .restore, params(handover).adding("readOnly", isReadOnly))
  }

  /// Text without a file, unless it is more than an editor takes in a message, or no text.
  private func restoreDraft(_ handover: Handover) {
    let bytes = handover.draft ?? []
    let text = String(validating: bytes, as: UTF8.self)
    let isShort = (1...UpdateAnswer.draftLimit).contains(bytes.count)
    if let text, isShort, JSONValue.text(text).encoded.count <= MessageFraming.contentLimit - (64 << 10) {
      let params = params(handover).adding("readOnly", false).adding("draft", .text(text))
      return ask(.restore(handover.request), .restore, params)
    }
    let sentence =
      text == nil
      ? "The draft is no text in UTF-8, and this editor takes nothing else."
      : "A draft of \(bytes.count) bytes is more than this editor takes: \(UpdateAnswer.draftLimit) at most."
    session?.answer(handover.request, opened: false, message: sentence)
    fail(handover.request, ContinuityError(.documentUnreadable, description: sentence))
  }

  // MARK: Answers

  func receive(_ result: Result<JSONValue, RPCError>, to question: Question) {
    switch question {
    case .update(let activity, let document): update(activity, document, result)
    case .continueActivity(let request):
      let isHandled = read(result, ContinueAnswer.init)?.isHandled ?? false
      session?.answer(request, handled: isHandled)
      if isHandled { continued[request] = nil }
    case .restore(let request):
      let answer = read(result, RestoreAnswer.init)
      let reason = if case .failure(let error) = result { error.message } else { "It answered nonsense." }
      session?.answer(
        request, opened: answer?.isOpened ?? false, message: answer?.message ?? reason)
      if answer == nil {
        fail(
          request,
          ContinuityError(.handoffFailed, description: "The editor could not open the document. \(reason)"))
      }
      continued[request] = nil
    }
  }

  /// An editor that says nothing, or nonsense, leaves all as it was.
  private func update(
    _ activity: ActivityID, _ document: DocumentHandle?, _ result: Result<JSONValue, RPCError>
  ) {
    guard let session else { return }
    guard let answer = read(result, UpdateAnswer.init) else { return session.update(activity) }
    if let document {
      session.setPlace(answer.place.map { TextPlace($0, positionEncoding.unit) }, of: document)
    }
    session.change(activity) { held in
      if let title = answer.title { held.title = title }
      if let info = answer.userInfo { held.userInfo = info }
    }
    let draft = answer.draft.map {
      EmbeddedSession.DraftText(
        bytes: Array($0.utf8), place: answer.place.map { TextPlace($0, positionEncoding.unit) })
    }
    session.update(activity, isEdited: answer.isEdited, refusal: answer.refusal, draft: draft)
  }

  private func read<Answer>(
    _ result: Result<JSONValue, RPCError>, _ parse: (JSONValue) throws(RPCError) -> Answer
  ) -> Answer? {
    do throws(RPCError) {
      return try parse(try result.get())
    } catch {
      Terminal.complain("The editor's answer counts for nothing: \(error.message)")
      return nil
    }
  }
}

extension JSONValue {
  func adding(_ name: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(var members) = self, let value else { return self }
    members[name] = value
    return .object(members)
  }
}

extension DocumentPresence {
  fileprivate var json: JSONValue {
    ["device": .text(deviceName), "offer": .text(offer.description), "line": line.map { .int(Int64($0)) }]
  }
}

extension TextPlace {
  init(_ place: EditorPlace, _ unit: ColumnUnit) {
    func position(_ given: EditorPlace.Position) -> Position {
      Position(line: given.line, column: given.character)
    }
    self.init(
      cursor: position(place.position), selection: place.selection.map(position), topLine: place.topLine,
      unit: unit)
  }
}

extension EditorPlace {
  init(_ place: TextPlace) {
    func position(_ found: TextPlace.Position) -> Position {
      Position(line: found.line, character: found.column)
    }
    self.init(
      position: position(place.cursor), selection: place.selection.map(position), topLine: place.topLine)
  }
}

extension AnchorResolution.Certainty {
  /// The word of the protocol: since its version 2 the one that texts' activities and C have, too.
  fileprivate func name(inVersion version: Int64) -> String {
    switch self {
    case .sure where version < 2: "exact"
    case .likely where version < 2: "moved"
    default: rawValue
    }
  }
}
