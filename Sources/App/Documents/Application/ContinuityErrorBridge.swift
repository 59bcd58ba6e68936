// SPDX-License-Identifier: MIT

public import ActivityModel
public import Foundation

/// As `NSError`: code and domain as an app knows them from Apple's systems. Every code stands in the range
/// that Foundation keeps for user activities, 4608 to 4863, but for `NSUserCancelledError`; ours begin at
/// 4621.
extension ContinuityError: CustomNSError {
  /// `NSCocoaErrorDomain`, where Apple's codes are at home.
  public static var errorDomain: String { NSCocoaErrorDomain }
  /// The number of `code`.
  public var errorCode: Int { Int(clamping: code.rawValue) }
  /// The sentence, as the localized description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
