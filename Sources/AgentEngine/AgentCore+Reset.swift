// SPDX-License-Identifier: MIT

import ActivityExchange
import ActivityModel
import Trust

extension AgentCore {
  /// This device becomes a new one, in a circle of its own. Another computer that uses the former identity
  /// may go on with it: it hears so in the last record under that.
  func reset() throws(ContinuityError) -> AgentAnswer {
    let before = store.identity
    do throws(ContinuityError) {
      try records.sayLastWord(TwinWatch.leaving)
    } catch {
      ports.log("the last record of the former identity could not be written: code \(error.code)")
    }
    if let pairing = before.pairing { records.retract(pairing.file.name) }
    try store.changeIdentity { (identity) throws(ContinuityError) in
      var generator = ports.random
      identity = try Identity.found(
        name: before.name, at: ports.wall, using: &generator, ciphers: ports.ciphers)
    }
    // What it had heard is sealed for the former circle.
    try store.change {
      $0.highWater = [:]
      $0.copied = nil
    }
    records.beginAnew()
    ports.log("this device has a new identity, \(store.identity.id)")
    feed(.left(Set(before.otherDevices.map(\.id))))
    readEverythingAgain()
    feed(.audienceChanged)
    return .done(
      "\(before.name) is a new device now (\(store.identity.keys.publicKeys.fingerprint)); its folders and "
        + "documents are as they were. Pair it: `continuo pair` on another device, then `continuo join` here."
    )
  }
}
