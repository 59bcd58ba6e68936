// SPDX-License-Identifier: MIT

package import ActivityModel

extension ContinuityError {
  /// Why streams fail whose socket does; `clause` is what the system says.
  package static func lostStreams(because clause: String) -> Self {
    Self(
      .connectionUnavailable, subject: "streams",
      description: "The other end of the stream is gone: \(clause).")
  }
}
