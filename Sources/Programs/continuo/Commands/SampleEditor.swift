// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

/// The editor that comes with the package, for offers of its type.
enum SampleEditor {
  private static let type = "public.text-editing"

  /// Becomes the editor when the offer is a text and there is a terminal to run it on; returns otherwise.
  static func continueHere(_ offer: Offer) {
    guard offer.type == type, BorrowedDescriptor.standardInput.isTerminal,
      BorrowedDescriptor.standardOutput.isTerminal
    else { return }
    for program in candidates() {
      let arguments = [program, "--offer", offer.id.description].map { Array($0.utf8) }
      _ = CurrentProcess.become(FilePath(program), arguments: arguments)
    }
  }

  private static func candidates() -> [String] {
    let name = "continuo-edit"
    return ([InstalledProgram.beside(name)].compactMap { $0 } + InstalledProgram.inSearchPath(name))
      .filter { FilePath($0).allows(.execute) }
  }
}
