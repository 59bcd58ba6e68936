// SPDX-License-Identifier: MIT

public import Continuo

/// What a host must have been told before it may end: each of it comes on the main actor, by way of the main
/// queue, which only the host's own loop drains.
@MainActor
public final class Callbacks: ApplicationDelegate, UserActivityDelegate {
  /// A kind of callback: from the socket, from a timer, and from Swift's concurrency.
  public enum Kind: String, CaseIterable {
    /// The agent answers: a descriptor became readable.
    case connection
    /// The agent told its synced folders.
    case roots
    /// The quiet moment after a change has passed: a timer.
    case round
    /// A task of the main actor ran.
    case task
  }

  /// What has not come yet.
  public private(set) var missing = Set(Kind.allCases)
  /// Called when nothing is missing any more.
  public var completion: () -> Void = {}

  private let application: Application
  private let activity = UserActivity(activityType: "org.example.hosts.waiting")

  /// An app named `name`, which connects to the agent of its environment.
  public init(name: String) throws {
    var manifest = AppManifest(appID: "org.example." + name, name: name)
    manifest.activityTypes = ["org.example.hosts.waiting"]
    application = try Application(manifest: manifest)
    application.delegate = self
    activity.delegate = self
    application.connect()
    Task { came(.task) }
    activity.becomeCurrent()
    activity.needsSave = true
  }

  private func came(_ kind: Kind) {
    guard missing.remove(kind) != nil else { return }
    print("\(application.manifest.name): \(kind.rawValue)")
    if missing.isEmpty { completion() }
  }

  /// The socket's first bytes have come.
  public func applicationConnectionDidChange(_ application: Application) {
    if application.isConnected { came(.connection) }
  }

  /// The runner has registered one folder.
  public func applicationRootsDidChange(_ application: Application) {
    if !application.roots.isEmpty { came(.roots) }
  }

  /// Only a timer of the main queue leads here.
  public func userActivityWillSave(_ userActivity: UserActivity) {
    userActivity.userInfo = ["host": application.manifest.name]
    came(.round)
  }

  /// Ends the connection and says how it went: 0 when everything came.
  public func finish() -> Int32 {
    activity.invalidate()
    application.terminate()
    for kind in missing { print("\(application.manifest.name): no \(kind.rawValue)") }
    return missing.isEmpty ? 0 : 1
  }
}
