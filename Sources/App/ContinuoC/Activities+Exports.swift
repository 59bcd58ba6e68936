// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// A new activity without a document.
@c(continuo_activity_create)
public func continuoActivityCreate(
  _ session: continuo_session, _ type: UnsafePointer<UInt8>?, _ typeLength: Int,
  _ activity: UnsafeMutablePointer<continuo_activity>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    guard let activity else { throw .null("activity") }
    let type = try Arguments.activityType(type, typeLength)
    do throws(ContinuityError) {
      activity.pointee = host.activities.handle(of: .own(try embedded.makeActivity(type: type)))
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_DECLARATION)
    }
  }
}

/// Ends an activity that the host made.
@c(continuo_activity_end)
public func continuoActivityEnd(_ session: continuo_session, _ activity: continuo_activity) -> continuo_status
{
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let held = try host.ownActivity(activity)
    guard held.document == nil else {
      throw .handle("This is a document's own activity; it ends with continuo_document_close().")
    }
    embedded.invalidate(held.id)
    host.activities.drop(.own(held.id))
  }
}

/// This is what the person is doing.
@c(continuo_activity_become_current)
public func continuoActivityBecomeCurrent(
  _ session: continuo_session, _ activity: continuo_activity
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().becomeCurrent(try host.ownActivity(activity).id)
  }
}

/// The person is doing it no longer.
@c(continuo_activity_resign_current)
public func continuoActivityResignCurrent(
  _ session: continuo_session, _ activity: continuo_activity
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.connected().resignCurrent(try host.ownActivity(activity).id)
  }
}

/// Its state is complete.
@c(continuo_activity_update)
public func continuoActivityUpdate(
  _ session: continuo_session, _ activity: continuo_activity
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    host.update(try host.ownActivity(activity).id, in: embedded)
  }
}

/// It is not saved for the device that waits for that.
@c(continuo_activity_refuse_save)
public func continuoActivityRefuseSave(
  _ session: continuo_session, _ activity: continuo_activity, _ reason: UnsafePointer<UInt8>?,
  _ reasonLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let reason = try Arguments.text(reason, reasonLength, "reason", limit: 1024)
    let id = try host.ownActivity(activity).id
    host.drafts[id] = nil
    guard try host.connected().refuseToSave(id, because: reason) else {
      throw .order("No device waits for this activity to be saved.")
    }
  }
}

/// Whether it stands for a text that no file has.
@c(continuo_activity_set_draft)
public func continuoActivitySetDraft(
  _ session: continuo_session, _ activity: continuo_activity, _ isDraft: Int32
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    guard try host.ownActivity(activity).document == nil else {
      throw .handle(
        "This is a document's own activity, and its text has a file; make one without a document.")
    }
    try host.change(activity) { $0.isDraft = isDraft != 0 }
  }
}

/// The text as it is, for the device that waits for that.
@c(continuo_activity_hand_over_draft)
public func continuoActivityHandOverDraft(
  _ session: continuo_session, _ activity: continuo_activity, _ text: UnsafePointer<UInt8>?,
  _ textLength: Int, _ place: UnsafePointer<continuo_place>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let embedded = try host.connected()
    let held = try host.ownActivity(activity)
    let bytes = try Arguments.bytes(text, textLength, "text", limit: Int(Draft.byteLimit))
    guard !bytes.isEmpty else { throw .argument("text is empty; nothing of it can be handed over.") }
    var given = continuo_place()
    if place != nil { try Arguments.load(place, into: &given, "place") }
    guard embedded.isSaveRequested(of: held.id) else {
      throw .order("No device waits for this activity to be saved.")
    }
    host.drafts[held.id] = EmbeddedSession.DraftText(
      bytes: bytes, place: place == nil ? nil : host.textPlace(given))
  }
}

/// What another device shows of it.
@c(continuo_activity_set_title)
public func continuoActivitySetTitle(
  _ session: continuo_session, _ activity: continuo_activity, _ title: UnsafePointer<UInt8>?,
  _ titleLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let title = try Arguments.text(title, titleLength, "title", limit: 1024)
    try host.change(activity) { $0.title = title }
  }
}

/// A web page that shows the same.
@c(continuo_activity_set_webpage_url)
public func continuoActivitySetWebpageURL(
  _ session: continuo_session, _ activity: continuo_activity, _ url: UnsafePointer<UInt8>?, _ urlLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let url = try Arguments.text(url, urlLength, "url", limit: 4096)
    try host.change(activity) { $0.webpageURL = url.isEmpty ? nil : url }
  }
}

/// When it stops being offered.
@c(continuo_activity_set_expiry)
public func continuoActivitySetExpiry(
  _ session: continuo_session, _ activity: continuo_activity, _ milliseconds: UInt64
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.change(activity) {
      $0.expiresAt = milliseconds == 0 ? nil : WallTime(milliseconds: milliseconds)
    }
  }
}

/// Whether it may be offered.
@c(continuo_activity_set_eligible)
public func continuoActivitySetEligible(
  _ session: continuo_session, _ activity: continuo_activity, _ isEligible: Int32
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.change(activity) { $0.isEligibleForHandoff = isEligible != 0 }
  }
}

/// Whether who continues it may ask for streams.
@c(continuo_activity_set_supports_streams)
public func continuoActivitySetSupportsStreams(
  _ session: continuo_session, _ activity: continuo_activity, _ supportsStreams: Int32
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    try host.change(activity) { $0.supportsContinuationStreams = supportsStreams != 0 }
  }
}

/// Keys without which it is not offered.
@c(continuo_activity_set_required_keys)
public func continuoActivitySetRequiredKeys(
  _ session: continuo_session, _ activity: continuo_activity, _ keys: UnsafePointer<continuo_text>?,
  _ keyCount: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let required = try Arguments.texts(keys, keyCount, "keys", limit: 256, bytes: 1024)
    try host.change(activity) { $0.requiredUserInfoKeys = required.isEmpty ? nil : Set(required) }
  }
}

/// What an activity is, also a delivered one.
@c(continuo_activity_describe)
public func continuoActivityDescribe(
  _ session: continuo_session, _ activity: continuo_activity,
  _ info: UnsafeMutablePointer<continuo_activity_info>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let shown = try host.shownActivity(activity)
    var told = continuo_activity_info()
    told.document = host.handle(of: shown.document)
    told.type = host.borrowed.text(shown.type)
    told.title = host.borrowed.text(shown.title)
    told.webpage_url = host.borrowed.text(shown.webpageURL ?? "")
    told.app = host.borrowed.text(shown.appID)
    told.is_delivered = shown.isDelivered ? 1 : 0
    told.supports_streams = shown.supportsStreams ? 1 : 0
    try Arguments.store(told, to: info, "info")
  }
}

extension HostSession {
  /// Ends a round, with the text that the host handed over in it.
  func update(_ id: ActivityID, in embedded: EmbeddedSession) {
    // Of a round that is over it is another state's text.
    let draft = drafts.removeValue(forKey: id)
    embedded.update(id, draft: embedded.isSaveRequested(of: id) ? draft : nil)
  }

  /// An activity as it can be read.
  struct ShownActivity {
    var type: String
    var title: String
    var webpageURL: String?
    var appID: String
    var userInfo: UserInfo
    var document: DocumentHandle?
    var isDelivered: Bool
    var supportsStreams: Bool
  }

  func change(_ handle: continuo_activity, _ body: (inout HeldActivity) -> Void) throws(Refusal) {
    try connected().change(try ownActivity(handle).id, by: body)
  }

  func shownActivity(_ handle: continuo_activity) throws(Refusal) -> ShownActivity {
    let embedded = try connected()
    if case .delivered(let request)? = activities[handle], let delivery = deliveries[request] {
      let activity = delivery.handover.delivery.activity
      return ShownActivity(
        type: activity.type, title: activity.title, webpageURL: activity.webpageURL, appID: activity.appID,
        userInfo: activity.userInfo, document: nil, isDelivered: true,
        supportsStreams: activity.flags.contains(.streams))
    }
    let held = try ownActivity(handle)
    return ShownActivity(
      type: held.type, title: held.title, webpageURL: held.webpageURL, appID: embedded.manifest.appID,
      userInfo: held.userInfo, document: held.document, isDelivered: false,
      supportsStreams: held.supportsContinuationStreams)
  }
}
