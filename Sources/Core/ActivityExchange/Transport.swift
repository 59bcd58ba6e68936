// SPDX-License-Identifier: MIT

public import ActivityModel

/// Carries this device's sealed records to the others, and theirs here. Every transport carries the same
/// bytes, so that the fastest wins harmlessly; none of them can read or forge what it carries.
///
/// Not thread-safe: the agent calls it on its own thread.
public protocol Transport: AnyObject {
  /// Replaces what this device last said under `name` by `record`, durably. Throws what a person can mend.
  func publish(_ record: [UInt8], named name: String) throws(ContinuityError)

  /// Takes back what this device said under `name`; nothing happens when it said nothing. Throws the error of
  /// the place that does not let go of it.
  func retract(_ name: String) throws(ContinuityError)

  /// The records that are new or changed since the last call, other devices' and this one's own, unverified.
  /// Bounded; never throws, for a transport that is away has nothing to tell.
  func collect() -> [[UInt8]]
}
