// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

/// The editor that comes with the package, for offers of its type.
enum SampleEditor {
  private static let type = "public.text-editing"

  /// Becomes the editor when the offer is a text and there is a terminal to run it on; returns otherwise.
  static func continueHere(_ offer: Offer) {
    become(with: [Array("--offer".utf8), Array(offer.id.description.utf8)], type: offer.type)
  }

  /// The same, with the file at `path`.
  static func open(_ path: FilePath, type: String) { become(with: [path.bytes], type: type) }

  private static func become(with arguments: [[UInt8]], type: String) {
    guard type == self.type, BorrowedDescriptor.standardInput.isTerminal,
      BorrowedDescriptor.standardOutput.isTerminal
    else { return }
    for program in candidates() {
      _ = CurrentProcess.become(FilePath(program), arguments: [Array(program.utf8)] + arguments)
    }
  }

  private static func candidates() -> [String] {
    let name = "continuo-edit"
    return ([InstalledProgram.beside(name)].compactMap { $0 } + InstalledProgram.inSearchPath(name))
      .filter { FilePath($0).allows(.execute) }
  }
}
