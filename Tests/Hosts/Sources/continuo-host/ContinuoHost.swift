// SPDX-License-Identifier: MIT
//
// One import and no loop of its own: an asynchronous `main` drains the main queue.

import Continuo

@main
@MainActor
final class ContinuoHost: ApplicationDelegate, UserActivityDelegate {
  private let activity = UserActivity(activityType: "org.example.hosts.waiting")
  private var continuation: CheckedContinuation<Void, Never>?
  private var isFilled = false

  static func main() async throws {
    let host = ContinuoHost()
    let manifest = AppManifest(
      appID: "org.example.continuo-host", name: "continuo-host",
      activityTypes: ["org.example.hosts.waiting"])
    let application = try Application(manifest: manifest)
    application.delegate = host
    host.activity.delegate = host
    application.connect()
    host.activity.becomeCurrent()
    host.activity.needsSave = true
    await withCheckedContinuation { host.continuation = $0 }
    print("continuo-host: \(application.roots.count) folder, filled: \(host.isFilled)")
    host.activity.invalidate()
    application.terminate()
  }

  func userActivityWillSave(_ userActivity: UserActivity) {
    userActivity.addUserInfoEntries(from: ["host": "continuo-host"])
    isFilled = true
    endWhenAllCame(Application.shared)
  }

  func applicationRootsDidChange(_ application: Application) { endWhenAllCame(application) }

  private func endWhenAllCame(_ application: Application) {
    guard isFilled, !application.roots.isEmpty else { return }
    continuation?.resume()
    continuation = nil
  }
}
