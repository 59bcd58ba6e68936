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
  /// that was never heard before, or one of the two leaves the identity to the other.
  mutating func follow(_ known: Self) {
    let run = state.bootNonce
    guard run != TwinWatch.leaving else { return }
    formerRuns = known.formerRuns
    isCopied = known.isCopied
    if known.state.bootNonce != run {
      isCopied = formerRuns.contains(run)
      if known.state.bootNonce != TwinWatch.leaving, !formerRuns.contains(known.state.bootNonce) {
        formerRuns = (formerRuns + [known.state.bootNonce]).suffix(Self.memory)
      }
    }
    if isCopied { state.activities = [] }
  }
}
