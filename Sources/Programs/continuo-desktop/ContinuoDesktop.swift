// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// Asks the desktop's own library, GLib, one thing for the agent, which does not link it: of what MIME type a
/// file is (`type`), or that a file be noted among the recent ones (`recent`).
///
/// Standard input holds the request, standard output gets `ok` and the answer line by line, or `no` and a
/// sentence. See `docs/decisions/0025-mime-types.md`.
///
/// `serve` is another shape: it lives while the agent has something to show, see
/// `docs/decisions/0045-desktop-service.md`. `activate` is started by the bus, for an agent.
@main
enum ContinuoDesktop {
  private static let input: Int32 = 0

  static func main() {
    Signal.ignoreBrokenPipes()
    if CommandLine.arguments.dropFirst().first == "serve" {
      let language = ReasonLanguage(code: CommandLine.arguments.dropFirst(2).first ?? "")
      CurrentProcess.exit(DesktopService.run(in: language))
    }
    if CommandLine.arguments.dropFirst().first == "activate" { CurrentProcess.exit(Activation.run()) }
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
      var request = try DesktopFrame.read(input)
      let name = try request.field()
      var candidates: [String] = []
      for _ in 0..<(try request.number()) { candidates.append(try request.text()) }
      return ContentType.names(of: name, beginning: request.rest, among: candidates)
    case "recent":
      var request = try DesktopFrame.read(input)
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

/// Calls `body` with the bytes as C text.
func withText<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body("")
  }
}
