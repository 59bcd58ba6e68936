// SPDX-License-Identifier: MIT

extension Reason {
  /// The cases without their parameters. `rawValue` is the name that scripts use.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case looking, behind, missing, ahead, diverged, unreadable
    case replaced = "being-replaced"
    case written = "being-written"
    case otherSize = "other-size"
    case reading = "being-read"
    case moved
    case folderUnknown = "folder-unknown"
    case folderAway = "folder-away"
    case folderReplaced = "folder-replaced"
    case folderShared = "folder-shared"
    case absent
    case folderGone = "folder-gone"
    case changedWhileOpened = "changed-while-opened"
    case overtaken, unopenable
    case othersLeftOut = "others-left-out"
    case overdue
    case neverArrived = "never-arrived"
    case untyped
    case notEligible = "not-eligible"
    case requiredKeyMissing = "required-key-missing"
    case expired, unchanged
    case outsideFolders = "outside-folders"
    case tooMany = "too-many"
    case removed, copied
    case addressesLeftOut = "addresses-left-out"
    case filesLeftOut = "files-left-out"
    case continued
    case notTaken = "not-taken"
    case notShownThere = "not-shown-there"
    case appEnded = "app-ended"
    case notStarted = "not-started"
    case neverConnected = "never-connected"
    case appSilent = "app-silent"
    case declined
    case notShown = "not-shown"
    case moreOffers = "more-offers"
    case moreActivities = "more-activities"
    case offerGone = "offer-gone"
    case cancelled
    case givenUp = "given-up"
    case deviceRemoved = "device-removed"
    case ended, superseded
    case agentUnreachable = "agent-unreachable"
    case offered
    case notCurrent = "not-current"
    case notOpen = "not-open"
    case tooLarge = "too-large"
    case noApp = "no-app"
    case otherTeam = "other-team"
    case continuable
    case continuedHere = "continued-here"
    case silent, untrusted
    case newerFormat = "newer-format"
    case deviceCopied = "device-copied"
    case recordsLeftOut = "records-left-out"
    case recordsUnread = "records-unread"
    case recordsMissing = "records-missing"
    case keptBack = "kept-back"
    case nested, since
    case noNetwork = "no-network"
    case linkOff = "link-off"
    case linkUnanswered = "link-unanswered"
    case linkOutdated = "link-outdated"
    case linkApart = "link-apart"
    case linkRefused = "link-refused"
    case sentOverLink = "sent-over-link"
    case beingSaved = "being-saved"
    case notSaved = "not-saved"
    case savedBefore = "saved-before"
    case changedSinceKept = "changed-since-kept"
    case draftOutOfReach = "draft-out-of-reach"
    case told
  }

  /// What distinguishes reasons of one kind. `rawValue` is the name that scripts use.
  package enum Detail: String, Hashable, Sendable, CaseIterable {
    case divergedAlone = "diverged-alone"
    case conflictCopies = "conflict-copies"
    case arrivedAsConflictCopy = "arrived-as-conflict-copy"
    case conflictMarkers = "conflict-markers"
    case partlyHere = "partly-here"
  }

  /// What stands in a template's slot.
  enum Value: Hashable, Sendable {
    case text(String)
    case amount(ByteAmount)
    case number(UInt64)
    case names([String])
    case reason(Reason)
    /// Nothing: it only chooses among templates.
    case mark

    init?(_ text: String?) {
      guard let text else { return nil }
      self = .text(text)
    }
  }

  /// The slots of all templates.
  enum Slot: String, Hashable, Sendable, CaseIterable {
    case document, device, folder, path, copy, why, other, otherPath, key, secondKey, app, message, time, date
    case type, largest
    case here, size, expected
    case count, seconds, limit, port
    case copies, devices
    case state
    case markers, isFirst, canOpen, makeReadable, ofUserInfo

    var form: Form {
      switch self {
      case .here, .size, .expected: .amount
      case .count, .seconds, .limit, .port: .number
      case .copies, .devices: .names
      case .state: .reason
      case .markers, .isFirst, .canOpen, .makeReadable, .ofUserInfo: .mark
      default: .text
      }
    }
  }

  /// What a slot may hold.
  enum Form: Hashable, Sendable {
    case text, amount, number, names, reason, mark
  }

  /// The filled slots.
  typealias Fields = [Slot: Value]

  /// The case without its parameters.
  package var kind: Kind { parts.kind }

  /// What distinguishes it from others of its kind.
  package var detail: Detail? {
    switch self {
    case .behind(_, _, .copy), .missing(_, _, .copy), .diverged(_, _, .version): .arrivedAsConflictCopy
    case .behind(_, _, .through(_, _?)), .missing(_, _, .through(_, _?)), .written(_, _, _, _?): .partlyHere
    case .diverged(_, _, .nothing): .divergedAlone
    case .diverged(_, _, .copies): .conflictCopies
    case .diverged(_, _, .markers): .conflictMarkers
    default: nil
    }
  }

  /// The reason that this one is told with, as `overdue` with how the document stands.
  package var nested: Reason? {
    guard case .reason(let nested)? = parts.fields[.state] else { return nil }
    return nested
  }

  /// The documents, devices, folders and other texts that it names, or the sentence told; numbers are none.
  package var texts: Set<String> {
    if case .told(let sentence) = self { return [sentence] }
    var texts: Set<String> = []
    for value in parts.fields.values {
      switch value {
      case .text(let text): texts.insert(text)
      case .names(let names): texts.formUnion(names)
      case .reason(let reason): texts.formUnion(reason.texts)
      case .amount, .number, .mark: break
      }
    }
    return texts
  }
}
