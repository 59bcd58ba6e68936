// SPDX-License-Identifier: MIT

import ActivityJSON
import ActivityModel
public import CContinuo
import Embedding

/// Replaces the user info by an object of JSON.
@c(continuo_activity_set_user_info_json)
public func continuoActivitySetUserInfoJSON(
  _ session: continuo_session, _ activity: continuo_activity, _ json: UnsafePointer<UInt8>?, _ jsonLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    _ = try host.ownActivity(activity)
    let bytes = try Arguments.bytes(json, jsonLength, "json", limit: 1 << 20)
    let userInfo: UserInfo
    do throws(ContinuityError) {
      userInfo = try UserInfo(json: try JSONValue(decoding: bytes))
    } catch {
      throw Refusal(error)
    }
    try host.change(activity) { $0.userInfo = userInfo }
  }
}

/// The user info as JSON, also of a delivered activity.
@c(continuo_activity_get_user_info_json)
public func continuoActivityGetUserInfoJSON(
  _ session: continuo_session, _ activity: continuo_activity, _ json: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let shown = try host.shownActivity(activity)
    guard let json else { throw .null("json") }
    json.pointee = host.borrowed.text(shown.userInfo.json.encoded)
  }
}
