// SPDX-License-Identifier: MIT

public import ActivityModel

/// The agent's number for one connection of an app; never reused while the agent runs.
public struct ClientNumber: Hashable, Sendable, Comparable {
  /// The number.
  public let rawValue: UInt64
  /// A client by number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// By number.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ExchangeMachine {
  /// What happened around the agent.
  public enum Event: Hashable, Sendable {
    /// This device's own last record, read at start: what it offered stands, left open.
    case restored(DeviceState)
    /// An app said `hello`.
    case connected(ClientNumber, AppManifest)
    /// An app went away, for whatever reason.
    case disconnected(ClientNumber)
    /// An app's activity, its file URLs already translated, and what was left out of it for that.
    indirect case updated(ClientNumber, ActivitySnapshot, remarks: [Reason] = [])
    /// An app has an activity current that it does not offer, and says why.
    case withheld(ClientNumber, OwnActivity)
    /// An app ended an activity.
    case withdrew(ClientNumber, ActivityID)
    /// The document of an activity was looked at after its app went away, and has this version.
    case foundLeftOpen(ActivityID, DocumentVersion)
    /// A verified record that is newer than all before it of that device.
    case received(DeviceID, name: String, sequence: UInt64, DeviceState)
    /// Devices belong no more: nothing they offered stands, not even while the others of them are
    /// forgotten.
    case left(Set<DeviceID>)
    /// How the document of an offer stands here.
    case arrival(OfferID, ArrivalStatus)
    /// It stands otherwise for apps that wait for it: they get it beside its folder.
    case arrivedAside(OfferID, ArrivalStatus)
    /// The person wants an offer in the app of that client.
    case accepted(ClientNumber, OfferID, RequestID)
    /// The person wants a saved activity of this device, which is called so: it is accepted like an offer.
    /// With what is to be said of its document.
    indirect case restores(OfferID, deviceName: String, ActivitySnapshot, remark: Reason?)
    /// The person wants an offer in an app that is being started: it gets it when it is connected.
    case awaitsApp(AppManifest, OfferID, RequestID)
    /// That app could not be started, whatever waits for it.
    case startFailed(AppManifest, Reason)
    /// The web page of an offer could not be opened.
    case notOpened(OfferID, Reason)
    /// An app waits longer.
    case extended(RequestID, seconds: UInt64)
    /// An app stopped waiting.
    case cancelled(RequestID)
    /// The person's decision about a version that is not here.
    case chose(RequestID, ArrivalChoice)
    /// The delivery was sent, with its document as that is here: in its folder's canonical ID, under the name
    /// at which it was found.
    case delivered(RequestID, DocumentReference? = nil)
    /// The document turned out not to be the version any more: wait again.
    case deliveryPostponed(RequestID, ArrivalStatus)
    /// The draft beside a document did not come, and what is to be said of that: the document is continued.
    case draftFailed(RequestID, Reason)
    /// The document could not be opened.
    case deliveryFailed(RequestID, ContinuityError)
    /// Why the outcome that follows is a failure: one clean sentence.
    case explained(ClientNumber, RequestID, String)
    /// How it ended in the app.
    case outcome(ClientNumber, RequestID, ContinuationOutcome)
    /// How a continuation of an earlier connection ended.
    case concluded(ClientNumber, RequestID, ConcludedContinuation)
    /// Who reads the record changed: a folder was added, or the circle is another one.
    case audienceChanged
    /// Whether any other device is linked.
    case linksChanged(isLinked: Bool)
    /// This device begins to look for others on networks.
    case meetsDevices
    /// What came of `askSave`.
    case saveEnded(OfferID, SaveOutcome)
    /// The record could not be written anywhere; try again later.
    case publishFailed
    /// A moment asked for by `wake` has come.
    case timer
    /// The agent ends: what it would have written in a moment is written now.
    case stopping
  }

  /// What the agent is to do.
  public enum Action: Hashable, Sendable {
    /// Write this as the next record of this device, wherever it is told.
    case publish(DeviceState)
    /// Say this as the next record of this device on links; folders get it in a moment, by `layRecord`.
    case publishOnLinks(DeviceState)
    /// Lay the record that was said last into the folders.
    case layRecord
    /// Tell an app.
    case report(ClientNumber, AgentReport)
    /// Keep telling how this document stands; `isAwaited` while a person waits for it.
    case track(OfferID, DocumentReference, isAwaited: Bool)
    /// The offer is gone.
    case untrack(OfferID)
    /// Ask the offer's device to save its document first; then send `saveEnded`, once.
    case askSave(OfferID)
    /// Open and verify the document, then send the delivery to the client. `status` is what the person
    /// agreed to: unless it is `current`, whatever is there is opened.
    indirect case open(RequestID, ClientNumber, OfferID, ActivitySnapshot, ArrivalStatus)
    /// Write a line to the log; it names nothing that is private.
    case log(String)
    /// Send `timer` then; nil: no timer. Replaces what was asked for before.
    case wake(at: Instant?)
  }

  /// Durations that decide.
  public struct Timing: Hashable, Sendable {
    /// The least time between two records in a folder.
    public var publishInterval = Duration.seconds(2)
    /// The least time between two records on links.
    public var linkInterval = Duration.milliseconds(50)
    /// How long a record that could not be written waits.
    public var publishRetry = Duration.seconds(30)
    /// How long a version is awaited before the person is asked.
    public var arrivalDeadline = Duration.seconds(30)
    /// How long a device may take to save a document before it is continued as it was.
    public var saving = Duration.seconds(11)
    /// How long the question stands before the continuation fails.
    public var choiceDeadline = Duration.seconds(120)
    /// How long is left at least after a document turned out to be another one while it was opened.
    public var secondLook = Duration.seconds(10)
    /// A record is written again at this age while an activity lives.
    public var renewal = Duration.seconds(24 * 3600)
    /// How long an app has, after its `hello`, to say again what its last connection left open.
    public var reconnection = Duration.seconds(5)
    /// How long an app may take for a delivered activity before that counts as no answer.
    public var answer = Duration.seconds(60)
    /// How long an acceptance waits for an app that ended before it got the document.
    public var returning = Duration.seconds(60)
    /// How long an acceptance waits for an app that was started for it.
    public var starting = Duration.seconds(60)
    /// How long an acceptance of what is not known waits for links, after a start.
    public var meeting = Duration.seconds(10)
    /// How wrong another device's clock may be.
    public var clockSkew: UInt64 = 600
    /// The times that an agent keeps.
    public init() {}
  }
}
