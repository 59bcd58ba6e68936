// SPDX-License-Identifier: MIT

import LinuxSystem

/// Asks the desktop's own library, GLib, one thing for the agent, which does not link it: of what MIME type
/// a file is (`type`), or that a file be noted among the recent ones (`recent`). With `serve` it stays,
/// shows notifications and starts apps.
///
/// Standard input holds the request, standard output gets `ok` and the answer line by line, or `no` and a
/// sentence. See `docs/decisions/0025-mime-types.md`.
@main
enum ContinuoDesktop {
  static func main() {
    Signal.ignoreBrokenPipes()
    if CommandLine.arguments.dropFirst().first == "serve" { CurrentProcess.exit(DesktopServer().run()) }
    do throws(DesktopFault) {
      print((["ok"] + (try answer())).joined(separator: "\n"))
    } catch {
      print("no\n\(error.sentence)")
      CurrentProcess.exit(1)
    }
  }

  private static func answer() throws(DesktopFault) -> [String] {
    switch CommandLine.arguments.dropFirst().first {
    case "type":
      var request = try DesktopRequest.read(.standardInput)
      let name = try request.field()
      var candidates: [String] = []
      for _ in 0..<(try request.number()) { candidates.append(try request.text()) }
      return ContentType.names(of: name, beginning: request.rest, among: candidates)
    case "recent":
      var request = try DesktopRequest.read(.standardInput)
      let list = RecentlyUsed(path: try request.field())
      try list.note(
        RecentlyUsed.Use(
          file: try request.field(), application: try request.text(), program: try request.field()))
      return []
    default:
      throw DesktopFault(
        sentence: "continuo-desktop is started by the continuo agent; it has nothing to do by itself.")
    }
  }
}

/// Why nothing was told or noted, in one sentence that says what to do.
struct DesktopFault: Error, Equatable {
  var sentence: String
}

/// A request: its length in decimal and a line feed; then fields, each with a NUL behind it, and what is
/// left.
struct DesktopRequest {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private static let limit = 1 << 17
  private static let cut = DesktopFault(sentence: "The request of the agent is cut; update continuo.")

  static func read(_ input: BorrowedDescriptor) throws(DesktopFault) -> DesktopRequest {
    var bytes: [UInt8] = []
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        guard let length = Int(String(decoding: bytes[..<end], as: UTF8.self)), (0...limit).contains(length)
        else {
          throw cut
        }
        if bytes.count - end - 1 >= length {
          return DesktopRequest(Array(bytes[(end + 1)...].prefix(length)))
        }
      }
      var piece = [UInt8](repeating: 0, count: 1 << 14)
      let count = (try? input.read(into: &piece)) ?? 0
      guard count > 0, bytes.count <= limit else { throw cut }
      bytes += piece.prefix(count)
    }
  }

  mutating func field() throws(DesktopFault) -> [UInt8] {
    guard let end = rest.firstIndex(of: 0) else { throw Self.cut }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  mutating func text() throws(DesktopFault) -> String { String(decoding: try field(), as: UTF8.self) }

  mutating func number() throws(DesktopFault) -> Int {
    guard let number = Int(try text()), number >= 0 else { throw Self.cut }
    return number
  }
}

/// Calls `body` with the bytes as C text.
func withText<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body("")
  }
}
