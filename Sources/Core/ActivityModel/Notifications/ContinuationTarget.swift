// SPDX-License-Identifier: MIT

/// With what an offer is continued on this device.
public enum ContinuationTarget: Hashable, Sendable {
  /// An app that takes the activity's type.
  case app
  /// The desktop's default app for files like the document, called so: it gets the document, nothing else.
  case defaultApp(name: String)
  /// The browser, which opens the activity's web page: an address of `WebAddress`.
  case browser(address: String)

  /// The address that a person is shown and asked about before it is opened, for anybody on the way can
  /// read and change what comes from there; nil where nothing is to be asked.
  public var questionedAddress: String? {
    guard case .browser(let address) = self, !WebAddress.isEncrypted(address) else { return nil }
    return address
  }
}
