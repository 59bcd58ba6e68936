// SPDX-License-Identifier: MIT

/// All targets.
package enum FuzzTargets {
  /// What `make fuzz` runs, in its order, and whose kept inputs the tests replay.
  package static var all: [any FuzzTarget.Type] {
    [
      CBORTarget.self, StateTarget.self, SavedListTarget.self, SocketTarget.self, WatchTarget.self,
      LinkTarget.self,
      WordTarget.self,
      DesktopTarget.self, RecordTarget.self, MemberTarget.self, RosterTarget.self, InvitationTarget.self,
      MoveTarget.self, ManifestTarget.self, RPCTarget.self, JSONTarget.self, AnchorTarget.self,
      SettingsTarget.self, TextTarget.self, DoorTarget.self, PathTarget.self,
    ]
  }

  /// The target of that name; the canary's, too.
  package static func named(_ name: String) -> (any FuzzTarget.Type)? {
    (all + [CanaryTarget.self]).first { $0.name == name }
  }

  /// The dictionary of a target, as libFuzzer reads it.
  package static func dictionary(of target: any FuzzTarget.Type) -> String {
    target.words.map { word in
      let escaped = word.map { byte in
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
      }
      return "\"" + escaped.joined() + "\"\n"
    }.joined()
  }

  /// The name under which an input is kept, in hexadecimal digits.
  package static func fileName(of input: [UInt8]) -> String {
    let digits = String(code(of: input), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// FNV-1a.
  static func code(of input: [UInt8]) -> UInt64 {
    input.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
