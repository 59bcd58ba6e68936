// SPDX-License-Identifier: MIT

/// What an app asks of its agent. `AgentClient` sends these over the socket; a test kit answers in memory.
public enum AgentRequest: Hashable, Sendable {
  /// The app says who it is; first on every connection, again after a reconnect.
  case hello(AppManifest)
  /// The activity's state. `saved` when the app saved the document since it spoke last: the file as it was
  /// right after the save; its descriptor travels beside the message.
  indirect case update(ActivitySnapshot, saved: FileMark?)
  /// The activity is no longer offered.
  case withdraw(ActivityID)
  /// The activity is current and not offered; why.
  case withheld(OwnActivity)
  /// A document was opened; its absolute path, and the file that the app read: `.ofNoFile` for one that has
  /// none yet, nil for an app that shows no bytes of its own but offers whatever lies there.
  case opened(path: [UInt8], file: FileMark? = nil)
  /// A document was closed.
  case closed(path: [UInt8])
  /// The person wants the offer continued here.
  case accept(OfferID, RequestID)
  /// Wait so many seconds longer.
  case extend(RequestID, seconds: UInt64)
  /// Stop waiting; `fail` with `userCancelled` follows.
  case cancel(RequestID)
  /// What the person decided about a version that is not here.
  case choose(RequestID, ArrivalChoice)
  /// How a delivered activity ended.
  case outcome(RequestID, ContinuationOutcome)
  /// Keep the activity for search, durably; answered by `kept`.
  indirect case save(RequestID, ActivitySnapshot)
  /// Delete this app's saved activities with these persistent identifiers, or all of them; answered by
  /// `kept`.
  case deleteSaved(RequestID, identifiers: [String]?)
  /// Why the outcome that follows is a failure, in one sentence; only to an agent that takes it.
  case explain(RequestID, String)
  /// How a continuation ended before this connection: that agent may have gone before it heard.
  case concluded(RequestID, ConcludedContinuation)
  /// Of what MIME type a file is, whose name no document type claims: its name, and its first bytes, at most
  /// `contentSampleLimit`. Answered by `contentType`.
  case askContentType(RequestID, name: [UInt8], beginning: [UInt8])
  /// The person opened or saved this file: the desktop's list of recent files is to have it, as opened by the
  /// program at that absolute path.
  case usedRecently(path: [UInt8], program: [UInt8])
  /// Streams are wanted to the app that the activity came from which was delivered under the second ID;
  /// answered by `streams`. Only to an agent that takes it.
  case openStreams(RequestID, to: RequestID)
  /// What the app says to `saveNow`, once; the state that it saved goes before.
  case answerSave(RequestID, SaveAnswer)
  /// The cursor is in that line of the activity's document now, from 0. Only to an agent that takes it.
  case cursorMoved(ActivityID, line: UInt32)

  /// What the desktop's rules look at to tell a file by its content, in bytes.
  public static let contentSampleLimit = 4096

  /// The answer of an agent that the request cannot reach, for whoever waits for one; nil where nobody does.
  public func refusal(_ error: ContinuityError) -> AgentReport? {
    switch self {
    case .save(let request, _), .deleteSaved(let request, _): .kept(request, error)
    case .askContentType(let request, _, _): .contentType(request, [], error)
    case .openStreams(let request, _): .streams(request, .failed(error))
    default: nil
    }
  }

  /// The same, with the paths and the states in it as these functions give them: said by an app on a device
  /// whose folders lie elsewhere.
  public func translated(
    path: ([UInt8]) -> [UInt8], snapshot: (ActivitySnapshot) -> ActivitySnapshot
  ) -> AgentRequest {
    switch self {
    case .update(let state, let saved): .update(snapshot(state), saved: saved)
    case .save(let request, let state): .save(request, snapshot(state))
    case .opened(let place, let file): .opened(path: path(place), file: file)
    case .closed(let place): .closed(path: path(place))
    case .usedRecently(let place, let program): .usedRecently(path: path(place), program: program)
    case .hello, .withdraw, .withheld, .accept, .extend, .cancel, .choose, .explain, .outcome, .deleteSaved,
      .concluded, .askContentType, .openStreams, .answerSave, .cursorMoved:
      self
    }
  }
}

/// Which file an app read or saved, as stat(2) told it then. What lies at the path by the time the agent
/// looks may be another one, or the same one after another program wrote it; the app has to hear of that.
public struct FileMark: Hashable, Sendable {
  /// `st_ino`.
  public var inode: UInt64
  /// Bytes.
  public var size: UInt64
  /// `st_mtim` in nanoseconds since 1970.
  public var modified: Int64

  /// The mark that no file has: the app shows something, and cannot name the file that it came from.
  public static let ofNoFile = Self(inode: 0, size: 0, modified: 0)

  /// A mark from the fields of `stat(2)`.
  public init(inode: UInt64, size: UInt64, modified: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Whether nobody wrote the file in between, as far as size and time tell. The inode does not count:
  /// layered file systems number a file anew.
  public func isSameContent(as other: FileMark) -> Bool { size == other.size && modified == other.modified }
}

/// A continuation that is over, told to an agent that may know nothing of it.
public struct ConcludedContinuation: Hashable, Sendable {
  /// What was continued.
  public var offer: OfferID
  /// In which state: when the delivered activity had last changed, by the other device's clock.
  public var changedAt: WallTime
  /// How it ended.
  public var outcome: ContinuationOutcome

  /// A continuation of `offer` that ended in `outcome`.
  public init(offer: OfferID, changedAt: WallTime, outcome: ContinuationOutcome) {
    self.offer = offer
    self.changedAt = changedAt
    self.outcome = outcome
  }
}

/// What the agent tells an app.
public enum AgentReport: Hashable, Sendable {
  /// The synced folders here; again whenever they change.
  case roots([SyncedRoot])
  /// Every offer that this app can continue; again whenever one changes.
  case offers([Offer])
  /// A file that the app has open changed on disk. Inside registered folders only.
  case documentChanged(path: [UInt8], DocumentChange)
  /// A continuation begins: asked for by this app, or by the command line on its behalf.
  indirect case willContinue(RequestID, offer: Offer)
  /// The version is awaited.
  case progress(RequestID, ArrivalStatus)
  /// The activity, and the verified document's absolute path and descriptor (which travels beside it).
  indirect case deliver(RequestID, Delivery)
  /// The continuation ended without a delivery.
  case fail(RequestID, ContinuityError)
  /// A `save` or `deleteSaved` is durable, or failed. Sent once per request.
  case kept(RequestID, ContinuityError?)
  /// The MIME type of a file, and behind it those of the app's declared types that it is a kind of, nearest
  /// first; empty when that cannot be told, with the reason if there is one. Sent once per request.
  case contentType(RequestID, [String], ContinuityError?)
  /// What becomes of streams. A socket may come along.
  case streams(RequestID, StreamsReport)
  /// On the device of that name a person goes on with this activity: the app saves its document first, if it
  /// can do so without a question. Answered by `answerSave`. Only to an app that takes it.
  case saveNow(RequestID, ActivityID, device: String)
  /// Which other devices have the activity's document open now, in the order of their IDs. Only to an app
  /// that takes it.
  case presence(ActivityID, [DocumentPresence])
  /// Another device continued the activity. An app that did not say its version again after its hello is of
  /// an earlier release, and told of the device alone.
  case continued(ActivityID, ContinuationReceipt)

  /// The same, with the paths and the states in it as these functions give them: said to an app on a device
  /// whose folders lie elsewhere.
  public func translated(
    path: ([UInt8]) -> [UInt8], snapshot: (ActivitySnapshot) -> ActivitySnapshot
  ) -> AgentReport {
    switch self {
    case .roots(let roots):
      .roots(
        roots.map { SyncedRoot(id: $0.id, name: $0.name, path: path($0.path), isPresent: $0.isPresent) })
    case .documentChanged(let place, let change):
      .documentChanged(path: path(place), change.translated(path: path))
    case .deliver(let request, let delivery):
      .deliver(
        request,
        Delivery(
          activity: snapshot(delivery.activity), path: delivery.path.map(path), status: delivery.status,
          deviceName: delivery.deviceName))
    case .offers, .willContinue, .progress, .fail, .kept, .continued, .contentType, .streams, .saveNow,
      .presence:
      self
    }
  }
}

/// A continuation that reached this device.
public struct Delivery: Hashable, Sendable {
  /// The activity; file URLs of synced folders are this device's own again.
  public var activity: ActivitySnapshot
  /// The document's absolute path; nil without a document.
  public var path: [UInt8]?
  /// How the local copy stands: `current`, or what the person chose to open.
  public var status: ArrivalStatus
  /// The device it came from.
  public var deviceName: String

  /// A delivery of `activity`.
  public init(activity: ActivitySnapshot, path: [UInt8]?, status: ArrivalStatus, deviceName: String) {
    self.activity = activity
    self.path = path
    self.status = status
    self.deviceName = deviceName
  }
}

/// What a person may decide when the version is not here.
public enum ArrivalChoice: UInt64, Hashable, Sendable, CaseIterable {
  /// Open what is here, read-only.
  case openHere = 0
  /// Wait again as long.
  case keepWaiting = 1
  /// End the continuation.
  case giveUp = 2
}

/// What happened to an open document's file.
public enum DocumentChange: Hashable, Sendable {
  /// Other bytes under the same name.
  case changed(DocumentVersion?)
  /// The file has another path now.
  case moved(to: [UInt8])
  /// The file is gone.
  case deleted
  /// These conflict copies lie beside it now; none when the last one is gone.
  case conflict(copies: [[UInt8]])

  fileprivate func translated(path: ([UInt8]) -> [UInt8]) -> DocumentChange {
    switch self {
    case .moved(let place): .moved(to: path(place))
    case .conflict(let copies): .conflict(copies: copies.map(path))
    case .changed, .deleted: self
    }
  }
}
