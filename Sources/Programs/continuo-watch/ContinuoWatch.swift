// SPDX-License-Identifier: MIT

import ActivityModel
import LinuxSystem

/// The watch process: alone in linking libinotifytools, on one thread, ended by the end of its input.
@main
enum ContinuoWatch {
  static func main() {
    Signal.ignoreBrokenPipes()
    do throws(Failure) {
      let library = InotifyLibrary.startBeforeOtherDescriptorsOpen()
      let mode = try Arguments.parse(Arguments.raw())
      switch mode {
      case .help: Terminal.print(Arguments.helpText)
      case .frames:
        let loop = WatchLoop(library: try library.get(), output: HintOutput(.frames), readsCommands: true)
        try loop.run()
      case .print(let printing, let directories):
        let output = HintOutput(.lines(printing, rootNames: directories.map(\.given)))
        let loop = WatchLoop(library: try library.get(), output: output, readsCommands: false)
        for (number, directory) in directories.enumerated() {
          loop.add(RootNumber(rawValue: UInt64(number)), path: directory.absolute)
        }
        try loop.run()
      }
    } catch {
      Terminal.complain(error.sentence)
      CurrentProcess.exit(error.exitCode)
    }
  }
}

/// Why the program ends, in one sentence.
struct Failure: Error {
  let exitCode: Int32
  let sentence: String

  static func usage(_ sentence: String) -> Failure { Failure(exitCode: 2, sentence: sentence) }
  static func runtime(_ sentence: String) -> Failure { Failure(exitCode: 1, sentence: sentence) }
}

enum Terminal {
  static func print(_ text: String) { put(text, on: .standardOutput) }

  static func complain(_ sentence: String) {
    put("continuo-watch: \(DisplayText.shown(sentence))\n", on: .standardError)
  }

  private static func put(_ text: String, on stream: BorrowedDescriptor) {
    try? stream.writeAll(Array(text.utf8))
  }
}
