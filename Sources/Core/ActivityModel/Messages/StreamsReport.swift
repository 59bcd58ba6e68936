// SPDX-License-Identifier: MIT

/// What the agent tells an app of a pair of continuation streams, which a request's ID names.
public enum StreamsReport: Hashable, Sendable {
  /// What was asked for is there: the app's end of a connected socket comes along.
  case opened
  /// The device of that name has streams to this activity of the app's: the app's end comes along.
  case offered(ActivityID, device: String)
  /// They came to their end.
  case ended
  /// They were not opened, or ended before their end, and why. The other end of their socket may come along:
  /// once it is closed, reading ends. So an app knows why before it reads to an end that is none.
  case failed(ContinuityError)
}
