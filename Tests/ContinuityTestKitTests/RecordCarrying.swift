// SPDX-License-Identifier: MIT

@testable import AgentEngine
@testable import ContinuityTestKit

extension ScriptedWorld {
  /// Where a device's record lies in each folder.
  static func recordPath(of device: ScriptedDevice) -> String {
    device.device.recordPath.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  /// The engine brings each device's record to all others, and they read it.
  func carryRecords() {
    for source in devices {
      let path = Self.recordPath(of: source)
      guard let bytes = source.read(path) else { continue }
      for target in devices where target !== source { target.replace(path, with: bytes) }
    }
    run(for: .seconds(3))
  }
}
