// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

extension ClientProgram {
  /// What the kernel tells of a client's process now; nil where it has ended, or may not be looked at.
  init?(of peer: PeerProcess) {
    let found = peer.read { folder -> (executable: FilePath, sandbox: AppSandbox?)? in
      folder.appending(Array("exe".utf8)).linkTarget.map { ($0, AppSandbox(ofProcessAt: folder)) }
    }
    guard let found else { return nil }
    self.init(
      process: UInt64(peer.number), executable: found.executable.bytes, sandbox: found.sandbox)
  }
}

extension AppSandbox {
  /// What confines the process of that folder below `/proc`.
  init?(ofProcessAt folder: FilePath) {
    func content(_ name: String) -> [UInt8]? {
      // The app may have made what lies there: a pipe is not waited for, and nothing endless is read.
      guard let file = try? FilePath(bytes: folder.bytes + Array("/\(name)".utf8)).open(Self.flags),
        (try? file.status())?.kind == .regular
      else { return nil }
      return try? file.readToEnd(limit: Self.limit)
    }
    if let info = content("root/.flatpak-info") {
      self.init(flatpakInfo: info)
    } else if let label = content("attr/apparmor/current") ?? content("attr/current") {
      self.init(securityLabel: label)
    } else {
      return nil
    }
  }

  private static let flags: OpenFlags = [.readOnly, .noFollow, .nonBlocking]
  private static let limit = 1 << 16
}
