// SPDX-License-Identifier: MIT

public import ActivityJSON
public import ActivityModel

extension ArrivalStatus {
  /// `Status` of the protocol.
  public var json: JSONValue {
    let isCounted = expected > 0
    return [
      "arrival": .text(arrival.name), "reason": reason.isEmpty ? nil : .text(reason),
      "received": isCounted ? .int(Int64(clamping: received)) : nil,
      "expected": isCounted ? .int(Int64(clamping: expected)) : nil,
    ]
  }
}

extension Offer {
  /// `Offer` of the protocol; `roots` are this device's folders, for the document's URI here.
  public func json(roots: [SyncedRoot]) -> JSONValue {
    [
      "id": .text(id.description), "device": .text(deviceName), "type": .text(type), "app": .text(appID),
      "title": .text(displayTitle), "uri": path == nil ? nil : localURI(roots).map { .text($0.text) },
      "folder": path == nil ? nil : .text(folderName), "path": path.map { .text($0.description) },
      "changedAt": .int(Int64(clamping: changedAt.milliseconds)),
      "unsavedChanges": .bool(flags.contains(.unsavedChanges)), "leftOpen": .bool(flags.contains(.leftOpen)),
      "remark": remark.isEmpty ? nil : .text(remark), "status": status.json,
    ]
  }

  /// Where the document lies, or would lie, on this device; nil without a folder of that name.
  public func localURI(_ roots: [SyncedRoot]) -> FileURI? {
    guard let path else { return nil }
    let named = roots.filter { $0.name == folderName }
    guard named.count == 1 else { return nil }
    return FileURI(path: named[0].absolutePath(of: path))
  }
}

extension ActivitySnapshot {
  /// `Activity` of the protocol: what was delivered, without what the document says of itself.
  public var json: JSONValue {
    var info = userInfo
    info[.text(NSUserActivityDocumentURLKey)] = nil
    return [
      "type": .text(type), "title": .text(title), "userInfo": info.json,
      "webpageURL": webpageURL.map { .text($0) }, "supportsStreams": .bool(flags.contains(.streams)),
    ]
  }
}

/// The answer to `activity/update`.
public struct UpdateAnswer: Hashable, Sendable {
  /// Where the person is; nil when there is no such place.
  public var place: EditorPlace?
  /// Whether the editor holds text that the file does not; nil when it does not say.
  public var isEdited: Bool?
  /// What the person is doing; nil leaves it.
  public var title: String?
  /// The payload; nil leaves it.
  public var userInfo: UserInfo?
  /// Why the editor did not save for `requestedBy`: one sentence, which is shown on that device.
  public var refusal: String?
  /// The text that no file has, where the editor hands it over for `requestedBy`.
  public var draft: String?

  /// The most bytes of a draft in a message.
  public static let draftLimit = 4 << 20

  /// Throws what is wrong with it in one sentence. Null says nothing of anything.
  public init(json: JSONValue) throws(RPCError) {
    let members = try Members(json, of: "the answer to \(ServerMethod.update.rawValue)")
    if let place = try members.optionalObject("place") { self.place = try EditorPlace(place) }
    isEdited = try members.optionalFlag("edited")
    title = try members.optionalText("title")
    userInfo = try members.userInfo("userInfo")
    refusal = try members.optionalText("refusal")
    draft = try members.optionalText("draft")
  }
}

/// The answer to `document/restore`.
public struct RestoreAnswer: Hashable, Sendable {
  /// Whether the person sees the document.
  public var isOpened: Bool
  /// Why not, in one sentence; empty when the editor does not say.
  public var message: String

  /// Throws what is wrong with it in one sentence.
  public init(json: JSONValue) throws(RPCError) {
    let members = try Members(json, of: "the answer to \(ServerMethod.restore.rawValue)")
    isOpened = try members.flag("opened")
    message = try members.optionalText("message") ?? ""
  }
}

/// The answer to `activity/continue`.
public struct ContinueAnswer: Hashable, Sendable {
  /// Whether nothing is left to do.
  public var isHandled: Bool

  /// Throws what is wrong with it in one sentence.
  public init(json: JSONValue) throws(RPCError) {
    let members = try Members(json, of: "the answer to \(ServerMethod.continueActivity.rawValue)")
    isHandled = try members.flag("handled")
  }
}
