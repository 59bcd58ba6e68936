// SPDX-License-Identifier: MIT

package import ActivityModel

/// What the desktop does for the agent: it knows types of files, starts apps and tells a person of offers.
/// Loop thread only; answers come once, perhaps before the call returns.
package protocol Desktop: AnyObject {
  /// The MIME type of a file of that name that begins so, and behind it those of `candidates` that it is a
  /// kind of. Fails with `agentUnavailable`.
  func askType(
    of name: [UInt8], beginning: [UInt8], among candidates: [String],
    answer: @escaping (Result<[String], ContinuityError>) -> Void)
  /// Puts the file into the desktop's list of recent files. What goes wrong is logged; nobody waits for it.
  func noteUse(of path: [UInt8], by application: String, program: [UInt8])

  /// The apps that are installed here and say how they are started; of one ID, the first.
  func startableApps() -> [AppManifest]
  /// The domains that the installed manifest of a connected app declares.
  func associatedDomains(of app: AppManifest) -> [String]
  /// Starts the app; a server's token for what was `pressed` lets it take the focus. It appears on the
  /// display of `client`, the command line that asked, where the desktop's own is not known. Fails with
  /// `agentUnavailable`.
  func start(
    _ app: AppManifest, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void)

  /// What the desktop's default app for files of that name is called; nil where there is none, or where the
  /// file would be executed.
  func askDefaultApp(of name: [UInt8], answer: @escaping (String?) -> Void)
  /// Opens the file at that absolute path with that app. Fails with `agentUnavailable`.
  func open(
    _ path: [UInt8], pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void)
  /// Opens an address of the web with the person's browser. Fails with `agentUnavailable`.
  func browse(
    _ address: String, pressed: NotificationNumber?, for client: UInt64?,
    answer: @escaping (Result<Void, ContinuityError>) -> Void)

  /// Apps that need one start in this terminal from now on: its program and arguments; empty for the usual
  /// ones.
  func use(terminal: [String])

  /// Whether a person may be told anything at all: a desktop may be there. Where none is, nothing is worked
  /// out for it.
  var canTell: Bool { get }
  /// What a person does with what is told, and whether it can be told. Set once.
  var onEvent: (DesktopEvent) -> Void { get set }
  /// Whether there is something to tell: only then does a notification server need to be known. Told again
  /// and again.
  func hasSomethingToTell(_ has: Bool)
  /// Shows a notification, in place of that of the same number.
  func show(_ notification: OfferNotification, as number: NotificationNumber, isSilent: Bool)
  /// Takes a notification away.
  func withdraw(_ number: NotificationNumber)
}

/// What comes from the desktop.
package enum DesktopEvent: Hashable, Sendable {
  /// A notification server is there, or not any more, with all that it showed.
  case server(isPresent: Bool)
  /// A person pressed this.
  case pressed(NotificationNumber, NotificationButton)
  /// The notification is gone without that.
  case closed(NotificationNumber)
  /// It has been on the screen for as long as the server shows one.
  case expired(NotificationNumber)
}
