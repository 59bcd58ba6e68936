// SPDX-License-Identifier: MIT

/// The unit that a started app belongs into: portals read from its name which app that is.
enum AppScope {
  /// Asks the user manager, if there is one, for a scope with that process in it.
  ///
  /// Nobody waits for the answer: the app runs either way.
  static func enter(_ process: Int32, of app: String, on bus: SessionBus) {
    bus.call(
      SessionBus.Call(
        destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
        interface: "org.freedesktop.systemd1.Manager", method: "StartTransientUnit",
        arguments: [
          .text(name(of: app, random: .random(in: 0...UInt32.max))), .text("fail"),
          .properties([
            ("PIDs", .numbers([UInt32(process)])), ("Slice", .text("app.slice")),
            ("CollectMode", .text("inactive-or-failed")),
          ]), .array(of: "(sa(sv))", []),
        ])
    ) { _ in }
  }

  static func name(of app: String, random: UInt32) -> String {
    "app-continuo-\(escaped(app.isEmpty ? "program" : app))-\(String(random, radix: 16)).scope"
  }

  /// As `systemd-escape` does it; units' names are at most 255 bytes long.
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789abcdef")
    return text.utf8.prefix(48).enumerated().map { place, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"):
        return String(UnicodeScalar(byte))
      case UInt8(ascii: ".") where place > 0: return "."
      default: return "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }
}
