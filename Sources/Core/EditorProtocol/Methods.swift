// SPDX-License-Identifier: MIT

/// What an editor says. `docs/authors/stdio-protocol.md` explains each.
public enum ClientMethod: String, Hashable, Sendable, CaseIterable {
  /// Who the editor is; first.
  case initialize
  /// The last state is published; only `exit` follows.
  case shutdown
  /// The editor has read a file.
  case open = "document/open"
  /// It shows the file no longer.
  case close = "document/close"
  /// Who edits the file elsewhere.
  case otherEditors = "document/otherEditors"
  /// The versions of the file in conflict.
  case versions = "document/versions"
  /// Keep one of them.
  case resolve = "document/resolve"
  /// What other devices offer.
  case listOffers = "offers/list"
  /// Continue an offer here.
  case accept = "continuation/accept"
  /// Wait no longer.
  case cancel = "continuation/cancel"
  /// Wait longer.
  case extend = "continuation/extend"
  /// What to do about a version that is not here.
  case choose = "continuation/choose"
  /// An activity without a document.
  case create = "activity/create"
  /// What an activity carries.
  case set = "activity/set"
  /// The person does this now.
  case becomeCurrent = "activity/becomeCurrent"
  /// And now no more.
  case resignCurrent = "activity/resignCurrent"
  /// It ends for good.
  case invalidate = "activity/invalidate"
  /// What was kept for search is deleted.
  case deleteSaved = "activity/deleteSaved"
  /// Streams to the app that an activity came from.
  case openStreams = "streams/open"
  /// Some of what the other app wrote.
  case readStreams = "streams/read"
  /// Something for the other app.
  case writeStreams = "streams/write"
  /// One direction ends, or both.
  case closeStreams = "streams/close"
  /// The process is to end.
  case exit
  /// Text or place changed.
  case didChange = "document/didChange"
  /// The cursor is in another line.
  case cursorDidMove = "document/cursorDidMove"
  /// The file was written.
  case didSave = "document/didSave"
  /// The document has another name.
  case didMove = "document/didMove"
  /// Its window is in front.
  case documentBecameCurrent = "document/becomeCurrent"
  /// And now no more.
  case documentResignedCurrent = "document/resignCurrent"
  /// The answer to a request is of no use any more.
  case cancelRequest = "$/cancelRequest"

  /// Whether nobody answers it.
  public var isNotification: Bool {
    switch self {
    case .exit, .didChange, .cursorDidMove, .didSave, .didMove, .documentBecameCurrent,
      .documentResignedCurrent, .cancelRequest:
      true
    default: false
    }
  }
}

/// What the server says.
public enum ServerMethod: String, Hashable, Sendable, CaseIterable {
  /// A round: save, then tell the place.
  case update = "activity/update"
  /// The editor may take an activity by itself.
  case continueActivity = "activity/continue"
  /// Open a file and go to its place.
  case restore = "document/restore"
  /// The list of offers changed.
  case offersDidChange = "offers/didChange"
  /// A continuation begins.
  case willContinue = "continuation/willContinue"
  /// How the awaited version stands.
  case progress = "continuation/progress"
  /// It ended without a document.
  case didFail = "continuation/didFail"
  /// An open document came into a synced folder, left it, or got another name.
  case standingDidChange = "document/standingDidChange"
  /// The file of an open document changed.
  case changedOnDisk = "document/changedOnDisk"
  /// Which other devices have the document open.
  case presenceDidChange = "document/presenceDidChange"
  /// Another device continued the activity.
  case wasContinued = "activity/wasContinued"
  /// Another device wants streams to an activity.
  case didReceiveStreams = "streams/didReceive"
  /// Streams were not opened, or are over.
  case didEndStreams = "streams/didEnd"
  /// The agent came or went.
  case connectionDidChange = "connection/didChange"
  /// The activity is not offered, and why.
  case withheld = "activity/withheld"

  /// Whether the editor answers it.
  public var isRequest: Bool { [.update, .continueActivity, .restore].contains(self) }
}
