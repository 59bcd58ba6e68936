// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// Puts `null` into the user info.
@c(continuo_activity_set_null)
public func continuoActivitySetNull(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int
) -> continuo_status { setting(session, activity, key, keyLength) { () throws(Refusal) in .null } }

/// Puts a truth value into the user info; all but 0 are true.
@c(continuo_activity_set_bool)
public func continuoActivitySetBool(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: Int32
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in .bool(value != 0) }
}

/// Puts a whole number into the user info.
@c(continuo_activity_set_int)
public func continuoActivitySetInt(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: Int64
) -> continuo_status { setting(session, activity, key, keyLength) { () throws(Refusal) in .int(value) } }

/// Puts a finite number into the user info.
@c(continuo_activity_set_double)
public func continuoActivitySetDouble(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: Double
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in .double(try finite(value)) }
}

/// Puts a text into the user info.
@c(continuo_activity_set_text)
public func continuoActivitySetText(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafePointer<UInt8>?, _ valueLength: Int
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in
    .text(try Arguments.text(value, valueLength, "value", limit: UserInfoDoor.valueLimit))
  }
}

/// Puts bytes into the user info.
@c(continuo_activity_set_bytes)
public func continuoActivitySetBytes(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafePointer<UInt8>?, _ valueLength: Int
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in
    .bytes(try Arguments.bytes(value, valueLength, "value", limit: UserInfoDoor.valueLimit))
  }
}

/// Puts a date into the user info, in seconds since 1970.
@c(continuo_activity_set_date)
public func continuoActivitySetDate(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: Double
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in .date(try finite(value)) }
}

/// Puts a URL into the user info.
@c(continuo_activity_set_url)
public func continuoActivitySetURL(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafePointer<UInt8>?, _ valueLength: Int
) -> continuo_status {
  setting(session, activity, key, keyLength) { () throws(Refusal) in
    .url(try Arguments.text(value, valueLength, "value", limit: UserInfoDoor.valueLimit))
  }
}

/// Takes a value out of the user info.
@c(continuo_activity_remove)
public func continuoActivityRemove(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let key = try Arguments.key(key, keyLength)
    guard try host.ownActivity(activity).userInfo[key] != nil else { throw UserInfoDoor.absent }
    try host.change(activity) { $0.userInfo[key] = nil }
  }
}

// MARK: Reading

/// As what a value may be asked for.
@c(continuo_activity_get_kind)
public func continuoActivityGetKind(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ kind: UnsafeMutablePointer<continuo_kind>?
) -> continuo_status {
  getting(session, activity, key, keyLength, kind) { value, _ in continuo_kind(value.kind) }
}

/// A truth value of the user info.
@c(continuo_activity_get_bool)
public func continuoActivityGetBool(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<Int32>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, _ in
    if case .bool(let bool) = value { bool ? 1 : 0 } else { nil }
  }
}

/// A whole number of the user info.
@c(continuo_activity_get_int)
public func continuoActivityGetInt(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<Int64>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, _ in
    switch value {
    case .int(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}

/// A number of the user info.
@c(continuo_activity_get_double)
public func continuoActivityGetDouble(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<Double>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, _ in
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

/// A text, or a URL, of the user info.
@c(continuo_activity_get_text)
public func continuoActivityGetText(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, host in
    switch value {
    case .text(let text), .url(let text): host.borrowed.text(text)
    default: nil
    }
  }
}

/// Bytes, or those of a UUID, of the user info.
@c(continuo_activity_get_bytes)
public func continuoActivityGetBytes(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<continuo_text>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, host in
    switch value {
    case .bytes(let bytes), .uuid(let bytes): host.borrowed.text(bytes)
    default: nil
    }
  }
}

/// A date of the user info, in seconds since 1970.
@c(continuo_activity_get_date)
public func continuoActivityGetDate(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ keyLength: Int,
  _ value: UnsafeMutablePointer<Double>?
) -> continuo_status {
  getting(session, activity, key, keyLength, value) { value, _ in
    if case .date(let seconds) = value { seconds } else { nil }
  }
}

// MARK: What they have in common

enum UserInfoDoor {
  /// One value alone may not be more than the whole user info.
  static let valueLimit = 16 * 1024
  /// As many as travel in one dictionary.
  static let entryLimit = 256
  static let absent = Refusal.absent("No value stands under that key; continuo_activity_get_kind() asks.")
}

private func setting(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ length: Int,
  _ value: () throws(Refusal) -> UserInfoValue
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let held = try host.ownActivity(activity)
    let key = try Arguments.key(key, length)
    let value = try value()
    guard held.userInfo[key] != nil || held.userInfo.count < UserInfoDoor.entryLimit else {
      throw .limit("The user info has \(UserInfoDoor.entryLimit) values and cannot carry more.")
    }
    try host.change(activity) { $0.userInfo[key] = value }
  }
}

private func getting<Value>(
  _ session: continuo_session, _ activity: continuo_activity, _ key: UnsafePointer<UInt8>?, _ length: Int,
  _ target: UnsafeMutablePointer<Value>?, _ read: (UserInfoValue, HostSession) -> Value?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let shown = try host.shownActivity(activity)
    let key = try Arguments.key(key, length)
    guard let target else { throw .null("value") }
    guard let value = shown.userInfo[key] else { throw UserInfoDoor.absent }
    guard let read = read(value, host) else {
      throw Refusal(
        CONTINUO_ERROR_KIND, "The value is of another kind; ask continuo_activity_get_kind() before.")
    }
    target.pointee = read
  }
}

private func finite(_ value: Double) throws(Refusal) -> Double {
  guard value.isFinite else { throw .argument("The number is not finite; only finite ones travel.") }
  return value
}

extension UserInfoValue {
  fileprivate var kind: Int {
    switch self {
    case .null: CONTINUO_KIND_NULL
    case .bool: CONTINUO_KIND_BOOL
    case .int: CONTINUO_KIND_INT
    case .double: CONTINUO_KIND_DOUBLE
    case .text: CONTINUO_KIND_TEXT
    case .bytes: CONTINUO_KIND_BYTES
    case .date: CONTINUO_KIND_DATE
    case .url, .document: CONTINUO_KIND_URL
    case .uuid: CONTINUO_KIND_UUID
    case .array: CONTINUO_KIND_ARRAY
    case .set: CONTINUO_KIND_SET
    case .map: CONTINUO_KIND_MAP
    }
  }
}
