// SPDX-License-Identifier: MIT

public import ActivityExchange
public import ActivityModel

extension AppSession {
  /// What an app is told.
  public enum Report: Hashable, Sendable {
    /// The activity is to be saved: answer with `offer`, at once or later.
    case round(ActivityID)
    /// A continuation begins (semantics 36).
    case willContinue(RequestID, Offer)
    /// How the awaited version stands.
    case waiting(RequestID, Offer, ArrivalStatus)
    /// A delivery is to be shown (39-41): answer with `finished` or `failed`. The descriptor is the
    /// receiver's.
    case deliver(RequestID, Delivery, descriptor: Int32?)
    /// The continuation ended without a delivery (semantics 37).
    case didFail(RequestID, type: String, ContinuityError)
    /// The framework's own try failed after the app had been asked: show that, once.
    case couldNotShow(RequestID, type: String, ContinuityError)
    /// Another device continued the activity (semantics 23).
    case wasContinued(ActivityID, ContinuationReceipt)
    /// What was given up for another device is the person's here again.
    case tookBack(ActivityID)
    /// What was asked for under this ID is answered; once per request.
    case answered(RequestID, SessionMachine.Answer)
    /// What became of streams (semantics 24): `opened` or `offered` with the app's end of the socket, `ended`
    /// or `failed` with the other end, which the receiver closes once it has noted why.
    case streams(RequestID, StreamsReport, descriptor: Int32?)
    /// On the device of that name a person goes on with the activity: its document is to be saved first, if
    /// that needs no question. Answer with `agreesToSave`, which begins a round, or `refusesToSave`.
    case asksToSave(RequestID, ActivityID, device: String)
    /// These other devices have the activity's document open now; none when the last one has left.
    case presence(ActivityID, [DocumentPresence])
    /// `offers` is another list now, or one of them stands otherwise.
    case offersChanged
    /// `roots` says which folders are synced now.
    case rootsChanged
    /// `isConnected` is another one now.
    case connectionChanged
    /// A try to connect failed; the link knows why, and there will be another one.
    case couldNotConnect
    /// The file of an open document changed.
    case documentChanged(path: [UInt8], DocumentChange)
  }
}

extension AppSession.Report {
  /// What a decision of the machine tells the app; nil for a request, which is sent instead.
  init?(_ action: SessionMachine.Action, descriptor: Int32?) {
    switch action {
    case .send: return nil
    case .publish(let activity): self = .round(activity)
    case .willContinue(let request, let offer): self = .willContinue(request, offer)
    case .waiting(let request, let offer, let status): self = .waiting(request, offer, status)
    case .deliver(let request, let delivery): self = .deliver(request, delivery, descriptor: descriptor)
    case .didFail(let request, let type, let error): self = .didFail(request, type: type, error)
    case .couldNotShow(let request, let type, let error): self = .couldNotShow(request, type: type, error)
    case .wasContinued(let activity, let receipt): self = .wasContinued(activity, receipt)
    case .tookBack(let activity): self = .tookBack(activity)
    case .answered(let request, let answer): self = .answered(request, answer)
    case .streams(let request, let report): self = .streams(request, report, descriptor: descriptor)
    case .asksToSave(let request, let activity, let device):
      self = .asksToSave(request, activity, device: device)
    case .presence(let activity, let others): self = .presence(activity, others)
    case .offersChanged: self = .offersChanged
    case .rootsChanged: self = .rootsChanged
    case .connectionChanged: self = .connectionChanged
    case .documentChanged(let path, let change): self = .documentChanged(path: path, change)
    }
  }

  /// The descriptor that it hands over, for the receiver to close.
  var descriptor: Int32? {
    switch self {
    case .deliver(_, _, let descriptor), .streams(_, _, let descriptor): descriptor
    default: nil
    }
  }
}
