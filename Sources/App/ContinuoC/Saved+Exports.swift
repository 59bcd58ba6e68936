// SPDX-License-Identifier: MIT

import ActivityModel
public import CContinuo
import Embedding

/// Keeps each state of an activity for search.
@c(continuo_activity_set_search)
public func continuoActivitySetSearch(
  _ session: continuo_session, _ activity: continuo_activity, _ identifier: UnsafePointer<UInt8>?,
  _ identifierLength: Int, _ description: UnsafePointer<UInt8>?, _ descriptionLength: Int,
  _ keywords: UnsafePointer<continuo_text>?, _ keywordCount: Int
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let identifier = try Arguments.text(identifier, identifierLength, "identifier", limit: 1024)
    let description = try Arguments.text(description, descriptionLength, "description", limit: 4096)
    let words = try Arguments.texts(keywords, keywordCount, "keywords", limit: 64, bytes: 256)
    try host.change(activity) {
      $0.isEligibleForSearch = !identifier.isEmpty
      $0.persistentIdentifier = identifier.isEmpty ? nil : identifier
      $0.contentDescription = description.isEmpty ? nil : description
      $0.keywords = Set(words)
    }
  }
}

/// Deletes what the app had kept for search under these identifiers.
@c(continuo_saved_delete)
public func continuoSavedDelete(
  _ session: continuo_session, _ identifiers: UnsafePointer<continuo_text>?, _ identifierCount: Int,
  _ deletion: UnsafeMutablePointer<continuo_deletion>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in
    let named = try Arguments.texts(identifiers, identifierCount, "identifiers", limit: 1024, bytes: 1024)
    try host.deleteSaved(named, deletion)
  }
}

/// Deletes all that the app had kept for search.
@c(continuo_saved_delete_all)
public func continuoSavedDeleteAll(
  _ session: continuo_session, _ deletion: UnsafeMutablePointer<continuo_deletion>?
) -> continuo_status {
  answering(session) { host throws(Refusal) in try host.deleteSaved(nil, deletion) }
}

extension HostSession {
  /// `deletion` gets what the host will hear of it under.
  fileprivate func deleteSaved(
    _ identifiers: [String]?, _ deletion: UnsafeMutablePointer<continuo_deletion>?
  ) throws(Refusal) {
    let embedded = try connected()
    do throws(ContinuityError) {
      let handle = deletions.handle(of: try embedded.deleteSaved(identifiers))
      deletion?.pointee = handle
    } catch {
      throw Refusal(error, otherwise: CONTINUO_ERROR_LIMIT)
    }
  }
}
