// SPDX-License-Identifier: MIT
//
// As continuo-host, under AppKit's names alone.

import AppKitNames

@main
@MainActor
final class NamesHost: NSApplicationDelegate, NSUserActivityDelegate {
  private let activity = NSUserActivity(activityType: "org.example.hosts.waiting")
  private var continuation: CheckedContinuation<Void, Never>?
  private var isFilled = false

  static func main() async throws {
    let host = NamesHost()
    let manifest = AppManifest(
      appID: "org.example.names-host", name: "names-host",
      activityTypes: ["org.example.hosts.waiting"])
    let application = try NSApplication(manifest: manifest)
    application.delegate = host
    host.activity.delegate = host
    application.connect()
    host.activity.becomeCurrent()
    host.activity.needsSave = true
    await withCheckedContinuation { host.continuation = $0 }
    print("names-host: \(application.roots.count) folder, filled: \(host.isFilled)")
    host.activity.invalidate()
    application.terminate()
  }

  func userActivityWillSave(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: ["host": "names-host"])
    isFilled = true
    endWhenAllCame(NSApp)
  }

  func applicationRootsDidChange(_ application: NSApplication) { endWhenAllCame(application) }

  private func endWhenAllCame(_ application: NSApplication) {
    guard isFilled, !application.roots.isEmpty else { return }
    continuation?.resume()
    continuation = nil
  }
}
