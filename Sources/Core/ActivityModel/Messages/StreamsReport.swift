// SPDX-License-Identifier: MIT

/// What the agent tells an app of a pair of continuation streams, which a request's ID names.
public enum StreamsReport: Hashable, Sendable {
  /// A pair comes next: the other end of its socket, for the app to keep open until it is told of the pair's
  /// end. So no process that dies makes an end that an app would take for one.
  case prepared
  /// What was asked for is there: the app's end of a connected socket comes along.
  case opened
  /// The device of that name has streams to this activity of the app's: the app's end comes along.
  case offered(ActivityID, device: String)
  /// They came to their end.
  case ended
  /// They were not opened, or ended before their end, and why: once the app has noted that, it closes what it
  /// keeps.
  case failed(ContinuityError)
}
