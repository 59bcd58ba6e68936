// SPDX-License-Identifier: MIT

import ActivityModel
import ActivityWire
import LinuxSystem

/// Asks the desktop's own library, GLib, one thing for the agent, which does not link it: of what MIME type a
/// file is (`type`), or that a file be noted among the recent ones (`recent`).
///
/// Standard input holds the request, standard output gets `ok` and the answer line by line, or `no` and a
/// sentence. See `docs/decisions/0025-mime-types.md`.
///
/// `serve` is another shape: it lives while the agent has something to show, see
/// `docs/decisions/0045-desktop-service.md`. `activate` is started by the bus, for an agent,
/// and `search` for the desktop's search.
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
    if CommandLine.arguments.dropFirst().first == "search" { CurrentProcess.exit(SearchService.run()) }
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
      let request = try DesktopFrame.read(input)
      let question: TypeQuestion
      do throws(DesktopFrame.Broken) { question = try TypeQuestion(request) } catch { throw .cut }
      return ContentType.names(
        of: question.name, beginning: question.beginning, among: question.candidates)
    case "recent":
      let request = try DesktopFrame.read(input)
      let use: (list: [UInt8], RecentlyUsed.Use)
      do throws(DesktopFrame.Broken) { use = try Self.use(in: request) } catch { throw .cut }
      try RecentlyUsed(path: use.list).record(use.1)
      return []
    default:
      throw DesktopFault(
        sentence: "continuo-desktop is started by the continuo agent; it has nothing to do by itself.")
    }
  }

  /// What is asked about a file's type.
  private struct TypeQuestion {
    let name: [UInt8]
    let candidates: [String]
    let beginning: ArraySlice<UInt8>

    init(_ frame: DesktopFrame) throws(DesktopFrame.Broken) {
      var frame = frame
      name = try frame.field()
      candidates = try frame.fields().map { String(decoding: $0, as: UTF8.self) }
      beginning = frame.rest
    }
  }

  /// The list, and what is to be recorded there.
  private static func use(
    in frame: DesktopFrame
  ) throws(DesktopFrame.Broken) -> (list: [UInt8], RecentlyUsed.Use) {
    var frame = frame
    let list = try frame.field()
    let use = RecentlyUsed.Use(
      file: try frame.field(), application: try frame.text(), program: try frame.field())
    return (list, use)
  }
}

/// Calls `body` with the bytes as C text.
func withText<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body("")
  }
}
