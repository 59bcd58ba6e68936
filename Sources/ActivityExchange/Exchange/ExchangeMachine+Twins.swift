// SPDX-License-Identifier: MIT

public import ActivityModel

// Devices that turn out to be two computers.
extension ExchangeMachine {
  /// The devices of which nothing is offered, for two computers use their identity.
  public var copiedDevices: [DeviceID] { remote.filter(\.value.isCopied).keys.sorted() }
}

extension ExchangeMachine.RemoteDevice {
  private static let memory = 8

  /// Takes over what the device's record before this one told of its runs. Each run of an agent has its own
  /// nonce and never comes back once a later one spoke; where one does, both are alive, until a run is heard
  /// that was never heard before, or one of the two leaves the identity to the other. But for one time: a
  /// virtual machine that is set back with its memory goes on with its former run, and says that it heard the
  /// later one.
  mutating func follow(_ known: Self, of device: DeviceID) {
    let run = state.bootNonce
    guard run != TwinWatch.leaving else { return }
    formerRuns = known.formerRuns
    (isCopied, hasReturned) = (known.isCopied, known.hasReturned)
    if known.state.bootNonce != run {
      let isReturn = formerRuns.contains(run)
      let hasHeardOther = state.acknowledgements[device].map { $0 >= known.sequence } ?? false
      isCopied = isReturn && (known.isCopied || known.hasReturned || !hasHeardOther)
      hasReturned = isReturn
      if known.state.bootNonce != TwinWatch.leaving, !formerRuns.contains(known.state.bootNonce) {
        formerRuns = (formerRuns + [known.state.bootNonce]).suffix(Self.memory)
      }
    }
    if isCopied { state.activities = [] }
  }
}
