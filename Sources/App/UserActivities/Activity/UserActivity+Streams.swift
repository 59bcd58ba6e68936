// SPDX-License-Identifier: MIT

public import ActivityModel
public import Foundation
package import LinuxSystem

extension UserActivity {
  /// Asks the app that this activity came from for a pair of unopened streams, which lead there directly,
  /// over the link between the devices: for what is more than a payload should hold.
  ///
  /// `completionHandler` is called later, once, on the main actor; the source's delegate gets its pair at the
  /// same time (`userActivity(_:didReceive:outputStream:)`). Only an activity that was delivered for
  /// continuation, of an app that supports streams, may ask: else the error is `invalidRequest`. It is
  /// `connectionUnavailable` where no link leads to the other device, or its app is gone; the description
  /// says which. At most four pairs of an activity are open at a time (semantics 24; `NSUserActivity`).
  ///
  /// Streams wait, as any stream does, and end with the link: a stream then fails with the reason, and
  /// `streamError` has it, once everything that came before is read. They outlive the activity.
  ///
  /// ```swift
  /// let (input, output) = try await activity.continuationStreams()
  /// output.open()
  /// ```
  public func getContinuationStreams(
    completionHandler: @escaping @MainActor (InputStream?, OutputStream?, (any Error)?) -> Void
  ) {
    openStreams { opened in
      switch opened.result {
      case .success(let streams): completionHandler(streams.input, streams.output, nil)
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  /// As `getContinuationStreams(completionHandler:)`; throws what that hands over.
  public func continuationStreams() async throws(ContinuityError) -> (InputStream, OutputStream) {
    let opened = await withCheckedContinuation { waiting in
      openStreams { waiting.resume(returning: $0) }
    }
    let (input, output) = try opened.result.get()
    return (input, output)
  }

  private func openStreams(then done: @escaping @MainActor (OpenedStreams) -> Void) {
    guard let session, let delivery, supportsContinuationStreams else {
      let error = streamError
      Task { @MainActor in done(OpenedStreams(.failure(error))) }
      return
    }
    session.openStreams(to: delivery, then: done)
  }

  private var streamError: ContinuityError {
    guard isDelivered else {
      return ContinuityError(
        .invalidRequest, subject: "streams",
        description:
          "Only an activity that was delivered for continuation can ask for streams; the source gets them "
          + "through userActivity(_:didReceive:outputStream:).")
    }
    guard supportsContinuationStreams else {
      return ContinuityError(
        .invalidRequest, subject: "streams",
        description:
          "The source of this activity opens no streams: it did not set supportsContinuationStreams.")
    }
    return ContinuityError(
      .connectionUnavailable, subject: "streams",
      description: "The agent of this activity is gone; continue the activity again.")
  }

  /// Hands the source's delegate streams over `socket`, which leads to whoever continues. Nil when this
  /// activity takes none: the socket is closed then, and the other end reads the end.
  package func takeStreams(over socket: Descriptor) -> StreamEnds? {
    guard isValid, supportsContinuationStreams, let delegate else { return nil }
    let streams = ContinuationStreams(over: socket)
    delegate.userActivity(self, didReceive: streams.input, outputStream: streams.output)
    return streams.ends
  }
}
