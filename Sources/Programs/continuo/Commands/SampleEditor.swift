// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

/// The editor that comes with the package, for offers of its type.
enum SampleEditor {
  private static let type = "public.text-editing"

  /// Becomes the editor when the offer is a text and there is a terminal to run it on; returns otherwise.
  /// It continues what is open there beside it, too, if that is wanted.
  static func continueHere(_ offer: Offer, withAll isAll: Bool) {
    let all = isAll ? [Array("--all".utf8)] : []
    become(with: [Array("--offer".utf8), Array(offer.id.description.utf8)] + all, type: offer.type)
  }

  /// Whether it would become the editor for an offer of that type.
  static func runsHere(type: String) -> Bool {
    type == self.type && BorrowedDescriptor.standardInput.isTerminal
      && BorrowedDescriptor.standardOutput.isTerminal && !candidates().isEmpty
  }

  /// The same, with the file at `path`.
  static func open(_ path: FilePath, type: String) { become(with: [path.bytes], type: type) }

  private static func become(with arguments: [[UInt8]], type: String) {
    guard runsHere(type: type) else { return }
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
