// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
import EditorProtocol
import Embedding
import LinuxSystem

// What the editor says.
extension StdioServer {
  /// The result; nil when the answer follows later, or to a notification.
  func perform(_ call: ClientCall, _ id: RPCID?) throws(RPCError) -> JSONValue? {
    if case .initialize(let introduction) = call { return try begin(introduction) }
    guard let session else { return nil }
    switch call {
    case .open(let uri, let isEdited): return try open(uri, isEdited, id, session)
    case .close(let uri):
      let document = try document(uri, session)
      session.close(document)
      names[document] = nil
      standings[document] = nil
    case .didChange(let uri, let isEdited, let byPerson):
      session.changed(try document(uri, session), isEdited: isEdited, byPerson: byPerson)
    case .cursorDidMove(let uri, let line): session.cursorMoved(try document(uri, session), to: UInt32(line))
    case .didSave(let uri): session.saved(try document(uri, session))
    case .didMove(let uri, let new): try move(document(uri, session), to: new, session)
    case .otherEditors(let uri): return otherEditors(try document(uri, session), session)
    case .versions(let uri): return try versions(document(uri, session), session)
    case .resolve(let uri, let kept): return try keep(kept, of: document(uri, session), session)
    case .listOffers: return offersList(session)
    case .accept(let offer, let withOthers): return try accept(offer, withOpenDocuments: withOthers, session)
    case .cancel(let request): session.cancel(request)
    case .extend(let request, let seconds): session.extend(request, seconds: seconds)
    case .choose(let request, let choice): session.choose(choice, for: request)
    case .create(let type, let content):
      let activity = try told { () throws(ContinuityError) in try session.makeActivity(type: type) }
      session.change(activity) { content.apply(to: &$0) }
      return ["activity": .text(activity.description)]
    case .set(let subject, let content):
      session.change(try activity(subject, session)) { content.apply(to: &$0) }
    case .becomeCurrent(.document(let uri)): session.becomeCurrent(try document(uri, session))
    case .resignCurrent(.document(let uri)): session.resignCurrent(try document(uri, session))
    case .becomeCurrent(let subject): session.becomeCurrent(try activity(subject, session))
    case .resignCurrent(let subject): session.resignCurrent(try activity(subject, session))
    case .invalidate(let id):
      session.invalidate(try activity(.activity(id), session))
    case .deleteSaved(let identifiers):
      let deletion = try told { () throws(ContinuityError) in try session.deleteSaved(identifiers) }
      deleting[deletion] = id
      return nil
    case .openStreams(let continuation):
      guard let id else { return nil }
      streams.await(session.openStreams(to: continuation), for: id)
      return nil
    case .readStreams(let name, let length):
      guard let id else { return nil }
      return try streams.read(name, atMost: length, for: id)
    case .writeStreams(let name, let bytes):
      guard let id else { return nil }
      return try streams.write(bytes, to: name, for: id)
    case .closeStreams(let name, let directions): try close(name, directions)
    case .cancelRequest(let withdrawn): streams.withdraw(withdrawn)
    case .initialize, .shutdown, .exit: break
    }
    return .null
  }

  func told<Value>(_ body: () throws(ContinuityError) -> Value) throws(RPCError) -> Value {
    do {
      return try body()
    } catch {
      throw RPCError(error)
    }
  }

  private func document(_ uri: FileURI, _ session: EmbeddedSession) throws(RPCError) -> DocumentHandle {
    guard let document = session.document(at: uri.path) else {
      throw RPCError(
        ContinuityError(
          .invalidRequest, subject: uri.text,
          description: "\(uri.text) is not open: send document/open first."))
    }
    return document
  }

  private func activity(
    _ subject: ActivitySubject, _ session: EmbeddedSession
  ) throws(RPCError) -> ActivityID {
    switch subject {
    case .activity(let activity):
      guard session.activity(activity) != nil else {
        throw RPCError(
          ContinuityError(
            .invalidRequest, subject: activity.description,
            description: "There is no activity \(activity), or it has ended: make one with activity/create."))
      }
      return activity
    case .document(let uri):
      let document = try document(uri, session)
      guard let activity = session.standing(of: document)?.activity else {
        let reason = session.standing(of: document)?.reason ?? ""
        throw RPCError(
          ContinuityError(
            .invalidRequest, subject: uri.text, description: "\(uri.text) has no activity. \(reason)"))
      }
      return activity
    }
  }

  // MARK: Documents

  /// Once more for a document that is open: the editor has read the file again.
  private func open(
    _ uri: FileURI, _ isEdited: Bool, _ id: RPCID?, _ session: EmbeddedSession
  ) throws(RPCError) -> JSONValue? {
    let known = session.document(at: uri.path)
    let document = try told { () throws(ContinuityError) in try session.open(uri.path, isEdited: isEdited) }
    names[document] = uri
    if known == document {
      session.reread(document)
      if isEdited { session.changed(document, isEdited: true, byPerson: false) }
    }
    guard let id, !session.knowsRoots else {
      let standing = standing(of: document, called: uri)
      standings[document] = standing
      return standing
    }
    opening.append(
      Opening(id: id, document: document, uri: uri, deadline: Instant.now + Self.openingLimit))
    return nil
  }

  /// What `document/open` answers.
  func standing(of document: DocumentHandle, called uri: FileURI) -> JSONValue {
    guard let session, let path = session.resolvedPath(of: document),
      let standing = session.standing(of: document)
    else { return ["uri": .text(uri.text), "synced": false, "reason": "The document was closed meanwhile."] }
    return [
      "uri": .text(FileURI(path: path).text), "synced": .bool(standing.folderName != nil),
      "folder": standing.folderName.map { .text($0) },
      "activityType": standing.activityType.map { .text($0) }, "reason": standing.reason.map { .text($0) },
    ]
  }

  private func move(
    _ document: DocumentHandle, to new: FileURI, _ session: EmbeddedSession
  ) throws(RPCError) {
    try told { () throws(ContinuityError) in try session.moved(document, to: new.path) }
    names[document] = new
    tellStandings()
  }

  private func otherEditors(_ document: DocumentHandle, _ session: EmbeddedSession) -> JSONValue {
    guard let path = session.resolvedPath(of: document) else { return ["editors": []] }
    let editors = session.offers.of(documentAt: path, among: session.roots)
    return [
      "editors": .array(
        editors.map { offer in
          let since = offeredSince[offer.id] ?? offer.changedAt
          return [
            "device": .text(offer.deviceName), "since": .int(Int64(clamping: since.milliseconds)),
            "unsavedChanges": .bool(offer.flags.contains(.unsavedChanges)),
            "leftOpen": .bool(offer.flags.contains(.leftOpen)),
          ]
        })
    ]
  }

  // MARK: Offers

  func offersList(_ session: EmbeddedSession) -> JSONValue {
    let roots = session.roots
    let offers = session.offers.map { offer in
      let beside = session.openedBeside(offer.id).map { $0.json(roots: roots) }
      return offer.json(roots: roots).adding("openedBeside", beside.isEmpty ? nil : .array(beside))
    }
    return ["offers": .array(offers)]
  }

  private func accept(
    _ id: String, withOpenDocuments: Bool, _ session: EmbeddedSession
  ) throws(RPCError) -> JSONValue {
    let offer = try told { () throws(ContinuityError) in try session.offer(named: id) }
    let requests = try told { () throws(ContinuityError) in
      withOpenDocuments ? try session.acceptAll(offer.id) : [try session.accept(offer.id)]
    }
    // What comes along is known once `willContinue` tells it.
    let request = requests[requests.count - 1]
    continued[request] = offer
    return [
      "request": .text(request.description),
      "requests": withOpenDocuments ? .array(requests.map { .text($0.description) }) : nil,
    ]
  }
}

extension ActivityContent {
  /// Says to the activity what the editor said.
  func apply(to activity: inout HeldActivity) {
    if case .becomes(let title) = title { activity.title = title ?? "" }
    if case .becomes(let info) = userInfo { activity.userInfo = info ?? [:] }
    if case .becomes(let page) = webpageURL { activity.webpageURL = page }
    if case .becomes(let keys) = requiredUserInfoKeys { activity.requiredUserInfoKeys = keys.map { Set($0) } }
    if case .becomes(let moment) = expiresAt { activity.expiresAt = moment }
    if case .becomes(let isEligible) = eligibleForHandoff {
      activity.isEligibleForHandoff = isEligible ?? true
    }
    if case .becomes(let isEligible) = eligibleForSearch {
      activity.isEligibleForSearch = isEligible ?? false
    }
    if case .becomes(let identifier) = persistentIdentifier { activity.persistentIdentifier = identifier }
    if case .becomes(let words) = keywords { activity.keywords = Set(words ?? []) }
    if case .becomes(let words) = contentDescription { activity.contentDescription = words }
    if case .becomes(let isDraft) = isDraft { activity.isDraft = isDraft ?? false }
    if case .becomes(let supportsStreams) = supportsStreams {
      activity.supportsContinuationStreams = supportsStreams ?? false
    }
  }
}
