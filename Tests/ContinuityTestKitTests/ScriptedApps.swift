// SPDX-License-Identifier: MIT

import ActivityModel
import Testing

@testable import ContinuityTestKit

// Apps that edit a document, as a test plays them.
extension ScriptedWorld {
  /// An app on the device, once its agent knows it.
  func app(
    on device: ScriptedDevice, receive: @escaping (AgentReport) -> Void = { _ in }
  ) throws -> ScriptedConnection {
    let connection = try #require(device.connect { report, _ in receive(report) })
    var manifest = AppManifest(appID: "org.example.source", name: "source")
    manifest.activityTypes = ["public.text-editing"]
    connection.send(.hello(manifest))
    run(for: .seconds(3))
    return connection
  }
}

extension ScriptedDevice {
  /// Saves `plan.md`, and has the app of that connection say so.
  func save(_ text: String, as activity: ActivityID, over connection: ScriptedConnection) {
    replace("plan.md", with: Array(text.utf8))
    var snapshot = ActivitySnapshot(
      id: activity, type: "public.text-editing", appID: "org.example.source", changedAt: wall)
    snapshot.userInfo[.text(NSUserActivityDocumentURLKey)] = .url(
      FileURL.text(of: folderPath + Array("/plan.md".utf8)))
    connection.send(.update(snapshot, saved: nil), fileAt: "plan.md")
  }
}
