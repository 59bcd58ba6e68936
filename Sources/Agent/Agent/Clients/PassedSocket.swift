// SPDX-License-Identifier: MIT

import LinuxSystem

/// The listening socket that a service manager has made and hands over with the first client, as
/// sd_listen_fds(3) says: by two variables and the descriptors from 3 on.
enum PassedSocket {
  private static let first: CInt = 3

  /// Takes it over; nil where none was handed to this process. Programs that this one starts get neither it
  /// nor the variables.
  static func adopt(environment: [String: String]) -> Descriptor? {
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { CurrentProcess.removeVariable(name) }
    guard environment["LISTEN_PID"].flatMap({ CInt($0) }) == CurrentProcess.number,
      let count = environment["LISTEN_FDS"].flatMap({ CInt($0) }), count > 0
    else { return nil }
    let passed = (first..<first + min(count, 16)).map { Descriptor(owning: $0) }
    for each in passed { each.closeOnExec() }
    // One is listened on: more of them would be of another unit.
    passed[0].setNonBlocking()
    return passed[0]
  }
}
