// SPDX-License-Identifier: MIT
//
// The app of the tests, TrailsApp.swift, as a program: it leaves the map on one device, and takes it up on
// another one.

import AppKitNames

@main
@MainActor
final class TrailsHost: NSUserActivityDelegate {
  private let delegate = TrailsDelegate()
  private var ending: CheckedContinuation<Void, Never>?

  static func main() async throws {
    let host = TrailsHost()
    let application = try NSApplication(
      manifest: nil, embeddedManifest: PackageResources.Trails_Info_plist)
    application.delegate = host.delegate
    application.connect()
    if CommandLine.arguments.last == "leave" {
      await host.leave()
    } else {
      await host.takeUp()
    }
    application.terminate()
  }

  /// Looks at a place until another device has taken that up.
  private func leave() async {
    delegate.layers.layers = ["huts", "paths"]
    delegate.showMap(latitude: 46.5, longitude: 8.25)
    delegate.map.userActivity?.delegate = self
    delegate.map.userActivity?.becomeCurrent()
    await withCheckedContinuation { ending = $0 }
    tell("left")
  }

  /// Waits for an activity until nothing announces it any more.
  private func takeUp() async {
    delegate.bannerDidChange = { [weak self] in if self?.delegate.banner == nil { self?.finish() } }
    await withCheckedContinuation { ending = $0 }
    for failure in delegate.failures { print("failed \(failure.type) \(failure.code)") }
    tell("taken up")
  }

  func userActivityWasContinued(_ userActivity: NSUserActivity) { finish() }

  private func finish() {
    ending?.resume()
    ending = nil
  }

  private func tell(_ what: String) {
    let map = delegate.map
    print(what, map.latitude, map.longitude, delegate.layers.layers.sorted().joined(separator: " "))
  }
}
