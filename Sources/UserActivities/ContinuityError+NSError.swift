// SPDX-License-Identifier: MIT

public import ActivityModel
public import Foundation

/// What code written for AppKit sees of an error: `(error as NSError).code == NSUserCancelledError`, and its
/// sentence as `localizedDescription`.
extension ContinuityError: CustomNSError {
  /// Apple's codes of user activities, 4608 to 4671, belong to this domain; ours above 4620 stand among them.
  public static var errorDomain: String { NSCocoaErrorDomain }
  /// The number, as `Code` has it.
  public var errorCode: Int { Int(clamping: code.rawValue) }
  /// The sentence, and the path that it is about, if it is about one.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    if subject.hasPrefix("/") { info[NSFilePathErrorKey] = subject }
    return info
  }
}
