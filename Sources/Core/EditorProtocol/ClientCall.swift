// SPDX-License-Identifier: MIT

import ActivityJSON
public import ActivityModel

/// One method with its parameters, read and checked.
public enum ClientCall: Hashable, Sendable {
  /// Who the editor is, and how it counts.
  case initialize(Introduction)
  /// The last state is to be published.
  case shutdown
  /// `document/open`, and whether the editor holds text that the file does not.
  case open(FileURI, isEdited: Bool)
  /// `document/close`.
  case close(FileURI)
  /// `document/otherEditors`.
  case otherEditors(FileURI)
  /// `document/versions`.
  case versions(FileURI)
  /// `document/resolve`: the version to keep.
  case resolve(FileURI, keep: FileURI)
  /// What other devices have to continue.
  case listOffers
  /// `continuation/accept`: an offer's ID, and whether what is open beside it is to come along.
  case accept(String, withOpenDocuments: Bool)
  /// `continuation/cancel`.
  case cancel(RequestID)
  /// `continuation/extend`.
  case extend(RequestID, seconds: UInt64)
  /// `continuation/choose`.
  case choose(RequestID, ArrivalChoice)
  /// `activity/create`.
  case create(type: String, ActivityContent)
  /// `activity/set`.
  case set(ActivitySubject, ActivityContent)
  /// `activity/becomeCurrent` and `document/becomeCurrent`.
  case becomeCurrent(ActivitySubject)
  /// `activity/resignCurrent` and `document/resignCurrent`.
  case resignCurrent(ActivitySubject)
  /// `activity/invalidate`.
  case invalidate(ActivityID)
  /// `activity/deleteSaved`: persistent identifiers; nil for all that the app has.
  case deleteSaved([String]?)
  /// `document/didChange`, and whether the person did it.
  case didChange(FileURI, isEdited: Bool, byPerson: Bool)
  /// `document/cursorDidMove`: the line, from 0.
  case cursorDidMove(FileURI, line: Int)
  /// `document/didSave`.
  case didSave(FileURI)
  /// `document/didMove`.
  case didMove(FileURI, to: FileURI)
  /// `streams/open`: a continuation's ID.
  case openStreams(RequestID)
  /// `streams/read`: at most so many bytes.
  case readStreams(RequestID, atMost: Int)
  /// `streams/write`.
  case writeStreams(RequestID, [UInt8])
  /// `streams/close`.
  case closeStreams(RequestID, StreamDirections)
  /// The process is to end.
  case exit
  /// The answer to that one is of no use any more.
  case cancelRequest(RPCID)

  /// The most bytes of streams that are read or written by one request.
  public static let longestChunk = 256 << 10

  /// Throws `invalidParams`, with a sentence that names the member.
  init(_ method: ClientMethod, _ params: JSONValue?) throws(RPCError) {
    let members = try Members(params, of: method.rawValue)
    switch method {
    case .initialize: self = .initialize(try Introduction(members))
    case .shutdown: self = .shutdown
    case .exit: self = .exit
    case .open: self = .open(try members.uri("uri"), isEdited: try members.optionalFlag("edited") ?? false)
    case .close: self = .close(try members.uri("uri"))
    case .otherEditors: self = .otherEditors(try members.uri("uri"))
    case .versions: self = .versions(try members.uri("uri"))
    case .resolve: self = .resolve(try members.uri("uri"), keep: try members.uri("keep"))
    case .listOffers: self = .listOffers
    case .accept:
      self = .accept(
        try members.text("offer"), withOpenDocuments: try members.optionalFlag("openDocuments") ?? false)
    case .cancel: self = .cancel(try members.identifier("request"))
    case .extend:
      self = .extend(try members.identifier("request"), seconds: UInt64(try members.count("seconds")))
    case .choose:
      self = .choose(try members.identifier("request"), try members.choice("choice"))
    case .create: self = .create(type: try members.text("type"), try ActivityContent(members))
    case .set: self = .set(try ActivitySubject(members), try ActivityContent(members))
    case .becomeCurrent: self = .becomeCurrent(try ActivitySubject(members))
    case .resignCurrent: self = .resignCurrent(try ActivitySubject(members))
    case .invalidate: self = .invalidate(try members.identifier("activity"))
    case .deleteSaved:
      let name = "persistentIdentifiers"
      // To delete all is said, not left out.
      guard members.json[name] != nil else { throw members.fault(name, "an array, or null for all") }
      self = .deleteSaved(members.has(name) ? try members.texts(name) : nil)
    case .didChange:
      self = .didChange(
        try members.uri("uri"), isEdited: try members.flag("edited"),
        byPerson: try members.optionalFlag("byPerson") ?? true)
    case .cursorDidMove:
      self = .cursorDidMove(try members.uri("uri"), line: try members.count("line"))
    case .didSave: self = .didSave(try members.uri("uri"))
    case .didMove: self = .didMove(try members.uri("uri"), to: try members.uri("newUri"))
    case .documentBecameCurrent: self = .becomeCurrent(.document(try members.uri("uri")))
    case .documentResignedCurrent: self = .resignCurrent(.document(try members.uri("uri")))
    case .openStreams: self = .openStreams(try members.identifier("request"))
    case .readStreams:
      self = .readStreams(try members.identifier("streams"), atMost: try members.chunkLength("length"))
    case .writeStreams:
      self = .writeStreams(try members.identifier("streams"), try members.chunk("data"))
    case .closeStreams:
      self = .closeStreams(try members.identifier("streams"), try members.directions("direction"))
    case .cancelRequest:
      guard let id = RPCID(members.value("id")) else { throw members.fault("id", "a number or a string") }
      self = .cancelRequest(id)
    }
  }
}

/// Directions of a pair of streams, as the editor sees them.
public struct StreamDirections: OptionSet, Hashable, Sendable {
  /// One bit for each.
  public let rawValue: UInt8
  /// Directions with those bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What the other app writes.
  public static let reading = Self(rawValue: 1)
  /// What the editor writes.
  public static let writing = Self(rawValue: 2)
}

/// Which activity is meant: a document's, or one that `activity/create` made.
public enum ActivitySubject: Hashable, Sendable {
  /// The document with this URI.
  case document(FileURI)
  /// The activity with this ID.
  case activity(ActivityID)

  init(_ members: Members) throws(RPCError) {
    if members.has("activity") {
      self = .activity(try members.identifier("activity"))
    } else if members.has("uri") {
      self = .document(try members.uri("uri"))
    } else {
      throw RPCError(
        RPCError.Code.invalidParams, message: "\(members.owner) needs the member uri or the member activity.")
    }
  }
}

/// What `activity/create` and `activity/set` say of an activity: what is absent stays, null takes away.
public struct ActivityContent: Hashable, Sendable {
  /// A member that was said.
  public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing was said.
    case stays
    /// The new value; nil for none.
    case becomes(Value?)
  }
  /// What the person is doing.
  public var title = Change<String>.stays
  /// The payload.
  public var userInfo = Change<UserInfo>.stays
  /// A page that shows the same.
  public var webpageURL = Change<String>.stays
  /// Keys without which it is of no use.
  public var requiredUserInfoKeys = Change<[String]>.stays
  /// When it stops being offered.
  public var expiresAt = Change<WallTime>.stays
  /// Whether it is offered at all.
  public var eligibleForHandoff = Change<Bool>.stays
  /// Whether who continues it may ask for streams.
  public var supportsStreams = Change<Bool>.stays
  /// Whether its text is in no file.
  public var isDraft = Change<Bool>.stays

  /// Whether it is kept for search.
  public var eligibleForSearch = Change<Bool>.stays
  /// Under which it is kept.
  public var persistentIdentifier = Change<String>.stays
  /// Words to find it by.
  public var keywords = Change<[String]>.stays
  /// A few words about it.
  public var contentDescription = Change<String>.stays

  init(_ members: Members) throws(RPCError) {
    try readForSearch(members)
    title = try members.change("title") { (name) throws(RPCError) in try members.text(name) }
    userInfo = try members.change("userInfo") { (name) throws(RPCError) in try members.userInfo(name) }
    webpageURL = try members.change("webpageURL") { (name) throws(RPCError) in try members.text(name) }
    requiredUserInfoKeys = try members.change("requiredUserInfoKeys") { (name) throws(RPCError) in
      try members.texts(name)
    }
    expiresAt = try members.change("expiresAt") { (name) throws(RPCError) in try members.time(name) }
    eligibleForHandoff = try members.change("eligibleForHandoff") { (name) throws(RPCError) in
      try members.flag(name)
    }
    isDraft = try members.change("draft") { (name) throws(RPCError) in try members.flag(name) }
    supportsStreams = try members.change("supportsStreams") { (name) throws(RPCError) in
      try members.flag(name)
    }
  }

  private mutating func readForSearch(_ members: Members) throws(RPCError) {
    eligibleForSearch = try members.change("eligibleForSearch") { (name) throws(RPCError) in
      try members.flag(name)
    }
    persistentIdentifier = try members.change("persistentIdentifier") { (name) throws(RPCError) in
      try members.text(name)
    }
    keywords = try members.change("keywords") { (name) throws(RPCError) in try members.texts(name) }
    contentDescription = try members.change("contentDescription") { (name) throws(RPCError) in
      try members.text(name)
    }
  }
}

extension Members {
  fileprivate func change<Value>(
    _ name: String, _ read: (String) throws(RPCError) -> Value?
  ) throws(RPCError) -> ActivityContent.Change<Value> {
    guard json[name] != nil else { return .stays }
    return .becomes(has(name) ? try read(name) : nil)
  }

  fileprivate func time(_ name: String) throws(RPCError) -> WallTime {
    guard case .int(let milliseconds)? = value(name), milliseconds >= 0 else {
      throw fault(name, "a whole number of milliseconds since 1970")
    }
    return WallTime(milliseconds: UInt64(milliseconds))
  }

  fileprivate func chunkLength(_ name: String) throws(RPCError) -> Int {
    let length = try optionalCount(name) ?? ClientCall.longestChunk
    guard length > 0 else { throw fault(name, "a whole number from 1") }
    return min(length, ClientCall.longestChunk)
  }

  fileprivate func chunk(_ name: String) throws(RPCError) -> [UInt8] {
    guard let value = value(name), case .bytes(let bytes)? = try? UserInfoValue(json: value) else {
      throw fault(name, "an object {\"$data\": bytes in base 64}")
    }
    guard bytes.count <= ClientCall.longestChunk else {
      throw RPCError(
        RPCError.Code.invalidParams,
        message: "The member \(name) of \(owner) has \(bytes.count) bytes; write at most "
          + "\(ClientCall.longestChunk).")
    }
    return bytes
  }

  fileprivate func directions(_ name: String) throws(RPCError) -> StreamDirections {
    switch try optionalText(name) {
    case nil: [.reading, .writing]
    case "reading": .reading
    case "writing": .writing
    default: throw fault(name, "reading or writing")
    }
  }

  fileprivate func choice(_ name: String) throws(RPCError) -> ArrivalChoice {
    guard let text = try optionalText(name), let choice = ArrivalChoice(name: text) else {
      throw fault(name, "openHere, keepWaiting or giveUp")
    }
    return choice
  }
}

extension ArrivalChoice {
  /// The word of the protocol; nil for another one.
  init?(name: String) {
    switch name {
    case "openHere": self = .openHere
    case "keepWaiting": self = .keepWaiting
    case "giveUp": self = .giveUp
    default: return nil
    }
  }
}
