// SPDX-License-Identifier: MIT

/// What may stand in an activity's `userInfo`: Apple's list, and file URLs that were made portable.
public enum UserInfoValue: Hashable, Sendable {
  /// `NSNull`.
  case null
  /// A Boolean.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// Any other finite number.
  case double(Double)
  /// A string.
  case text(String)
  /// Data.
  case bytes([UInt8])
  /// `NSArray`: order counts.
  case array([UserInfoValue])
  /// A dictionary.
  case map(UserInfo)
  /// `NSSet`: order does not count.
  case set(Set<UserInfoValue>)
  /// A date, in seconds since 1970.
  case date(Double)
  /// A URL as given: a web address, or a file URL that no synced folder holds.
  case url(String)
  /// A file URL inside a synced folder: an index into `ActivitySnapshot.translatedDocuments`.
  case document(Int)
  /// A UUID's 16 bytes.
  case uuid([UInt8])
}

/// An activity's `userInfo` between processes and devices.
public typealias UserInfo = [UserInfoValue: UserInfoValue]

/// The `userInfo` key under which a document-based activity carries its document's URL. Apple's name and
/// value.
public let NSUserActivityDocumentURLKey = "NSUserActivityDocumentURLKey"
