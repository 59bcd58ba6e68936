// SPDX-License-Identifier: MIT

public import ActivityModel
public import Foundation
package import LinuxSystem

extension UserActivity {
  /// Asks the device that this activity came from for a pair of unopened streams.
  ///
  /// `completionHandler` is called later, once, on the main actor. Only an activity that was delivered for
  /// continuation, of an app that supports streams, may ask: else the error is `invalidRequest`. No transport
  /// carries streams so far, and the error is `connectionUnavailable` then (semantics 24).
  public func getContinuationStreams(
    completionHandler: @escaping @MainActor (InputStream?, OutputStream?, (any Error)?) -> Void
  ) {
    let error = streamError
    Task { @MainActor in completionHandler(nil, nil, error) }
  }

  /// As `getContinuationStreams(completionHandler:)`; throws what that hands over.
  public func continuationStreams() async throws(ContinuityError) -> (InputStream, OutputStream) {
    throw streamError
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
      description:
        "No connection carries continuation streams yet; put what is needed into userInfo or into the "
        + "document."
    )
  }

  /// Hands the source's delegate streams over `socket`, which a transport connected with whoever continues.
  /// False when this activity takes none: the transport closes it then.
  package func takeStreams(over socket: Descriptor) -> Bool {
    guard isValid, supportsContinuationStreams, let delegate else { return false }
    let (input, output) = ContinuationStreams.make(over: socket)
    delegate.userActivity(self, didReceive: input, outputStream: output)
    return true
  }
}
