// SPDX-License-Identifier: MIT

import ActivityModel
import ArgumentParser
import LinuxSystem

/// The editor that comes with the package, for offers of its type.
enum SampleEditor {
  private static let type = "public.text-editing"

  /// Becomes the editor when there is a terminal to run it on; else prints where the document is, and exits
  /// with 3.
  static func continueOrPrint(
    _ offer: Offer, _ path: [UInt8]?, _ places: OfferPlaces
  ) throws(ContinuityError) {
    if offer.type == type, BorrowedDescriptor.standardInput.isTerminal,
      BorrowedDescriptor.standardOutput.isTerminal
    {
      for program in candidates() {
        let arguments = [program, "--offer", offer.id.description].map { Array($0.utf8) }
        _ = CurrentProcess.become(FilePath(program), arguments: arguments)
      }
    }
    Terminal.hint("No connected app declares \(offer.type).")
    Terminal.hint("\(offer.appID) on \(offer.deviceName) has \(places.shown(offer)).")
    Terminal.say(path.map(Terminal.shown) ?? offer.displayTitle)
    Terminal.say(offer.version.map { "\($0.digest)" } ?? "no document")
    CurrentProcess.exitAtOnce(Failure.printedOnly.rawValue)
  }

  private static func candidates() -> [String] {
    let name = "continuo-edit"
    return ([InstalledProgram.beside(name)].compactMap { $0 } + InstalledProgram.inSearchPath(name))
      .filter { FilePath($0).allows(.execute) }
  }
}
